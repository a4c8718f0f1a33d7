import { create } from "zustand";
import { randomId } from "#lib/random-id.ts";
import { normalizeAddress } from "./check-address.ts";
import { type Connection, SANDBOX } from "./connection.ts";
import { announceForget, onForget } from "./forget-channel.ts";
import { accountId } from "./key-fingerprint.ts";
import { openPageSandbox } from "./page-sandbox.ts";
import { ALL_DIRECT, type Routes } from "./routes.ts";
import { scrubUrl } from "./scrub-url.ts";
import { clearSession, loadSession, saveSession } from "./session-record.ts";

interface ConnectionState {
  connection: Connection | null;
}

/** Outside the store, so that no subscriber, devtool or log of a state can hold it. */
let heldKey = "";

const useConnectionStore = create<ConnectionState>(() => ({ connection: restore() }));

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

/** Makes a connection the current one and keeps it for this tab. Addresses and key are already checked. */
export async function connect({
  queueBaseUrl,
  inferenceBaseUrl,
  key,
  name,
  isSandbox = false,
  routes = ALL_DIRECT,
}: {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
  name?: string;
  isSandbox?: boolean;
  routes?: Routes;
}): Promise<Connection> {
  const trimmedKey = key.trim();
  const queue = normalizeAddress(queueBaseUrl);
  const connection: Connection = {
    id: randomId(),
    name: name ?? new URL(queue, location.href).host,
    queueBaseUrl: queue,
    inferenceBaseUrl: normalizeAddress(inferenceBaseUrl),
    keyHint: trimmedKey.slice(-4),
    accountId: await accountId(trimmedKey, queue),
    isSandbox,
    routes,
    isRelayed: routes.queue === "relay",
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
  scrubUrl();
  onForget((fingerprint) => {
    if (getConnection()?.accountId === fingerprint) forget();
  });
  const session = loadSession();
  heldKey = session?.key ?? "";
  return session?.connection ?? null;
}
