import { create } from "zustand";
import { randomId } from "#lib/random-id.ts";
import { isRecord } from "#lib/read.ts";
import { CHANNELS } from "#storage/keys.ts";
import { accountIdOf } from "./account-id.ts";
import { normalizeAddress } from "./check-connection.ts";
import { type Connection, SANDBOX } from "./connection.ts";
import { openPageSandbox } from "./page-sandbox.ts";
import { scrubPageAddress } from "./scrub-address.ts";
import { clearSession, loadSession, saveSession } from "./session-record.ts";

/** Outside the store, so that no subscriber, devtool or log of a state can hold it. */
let heldKey = "";

/** The channel on which tabs report that a key was forgotten. */
let forgetChannel: BroadcastChannel | undefined;

// Restored while this module loads, so what `restore` needs is declared above.
const useConnectionStore = create<{ connection: Connection | null }>(() => ({ connection: restore() }));

/** The current connection, or null. */
export function useConnection(): Connection | null {
  return useConnectionStore((state) => state.connection);
}

/** The current connection outside React: for loaders and redirects. */
export function getConnection(): Connection | null {
  return useConnectionStore.getState().connection;
}

/** Calls back whenever the connection changes. Returns the way to stop. */
export function onConnectionChange(callback: (connection: Connection | null) => void): () => void {
  return useConnectionStore.subscribe((state) => callback(state.connection));
}

/** The key of the current connection, for the client alone. Empty for any other connection. */
export function keyOf(connection: Connection): string {
  return getConnection()?.id === connection.id ? heldKey : "";
}

/** Makes a connection the current one and stores it for this tab. Addresses and key are already checked. */
export async function connect({
  queueBaseUrl,
  inferenceBaseUrl,
  key,
  name,
  isSandbox = false,
}: {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
  name?: string;
  isSandbox?: boolean;
}): Promise<Connection> {
  const trimmedKey = key.trim();
  const queue = normalizeAddress(queueBaseUrl);
  const connection: Connection = {
    id: randomId(),
    name: name ?? new URL(queue, location.href).host,
    queueBaseUrl: queue,
    inferenceBaseUrl: normalizeAddress(inferenceBaseUrl),
    keyHint: trimmedKey.slice(-4),
    accountId: await accountIdOf(trimmedKey, queue),
    isSandbox,
  };
  heldKey = trimmedKey;
  saveSession({ connection, key: trimmedKey });
  useConnectionStore.setState({ connection });
  return connection;
}

/** Connects to the sandbox: no key of one's own, nothing charged. */
export async function openSandbox(): Promise<Connection> {
  await openPageSandbox();
  return connect({ ...SANDBOX, name: "Sandbox", isSandbox: true });
}

/** Forgets the key, here and in every other tab that holds it. */
export function disconnect(): void {
  const { connection } = useConnectionStore.getState();
  forget();
  if (connection !== null) announceForget(connection.accountId);
}

function forget(): void {
  heldKey = "";
  clearSession();
  useConnectionStore.setState({ connection: null });
}

function restore(): Connection | null {
  if (typeof location === "undefined") return null;
  scrubPageAddress();
  onForget((accountId) => {
    if (getConnection()?.accountId === accountId) forget();
  });
  const session = loadSession();
  heldKey = session?.key ?? "";
  return session?.connection ?? null;
}

/** One channel for sending and listening: a channel does not hear itself, so this page hears only other tabs. */
function openForgetChannel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  forgetChannel ??= new BroadcastChannel(CHANNELS.forget);
  return forgetChannel;
}

/** Asks the other tabs to forget a key. Only the account's id goes over the channel. */
export function announceForget(accountId: string): void {
  openForgetChannel()?.postMessage({ forget: accountId });
}

/** Calls back with the account whose key another tab forgot. Returns the way to stop. */
export function onForget(callback: (accountId: string) => void): () => void {
  const listened = openForgetChannel();
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (isRecord(data) && typeof data.forget === "string") callback(data.forget);
  };
  listened?.addEventListener("message", hear);
  return () => listened?.removeEventListener("message", hear);
}
