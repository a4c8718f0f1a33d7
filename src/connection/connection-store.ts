import { create } from "zustand";
import { randomId } from "#lib/random-id.ts";
import { onStoredChange, readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { normalizeAddress } from "./check-connection.ts";
import { type Connection, SANDBOX } from "./connection.ts";
import { hostHolder, onSessionLost } from "./custody/host-holder.ts";
import type { Custody, HeldKey, KeyHolder } from "./custody/key-holder.ts";
import { holdInPage, pageHolder } from "./custody/page-holder.ts";
import type { WorkerHolder } from "./custody/worker-holder.ts";
import { announceForget, onForget } from "./forget-channel.ts";
import { openPageSandbox } from "./page-sandbox.ts";
import { hostMark } from "./relay.ts";
import { scrubPageAddress } from "./scrub-address.ts";
import { forgetSealed, storeSealed } from "./sealed-connections.ts";
import { loadConnections, loadShared, saveConnections, type Ticketed } from "./stored-connections.ts";

/** A connection that has ended without the person's doing, and why, as a sentence. */
export interface EndedConnection {
  connection: Connection | undefined;
  reason: string;
}

interface ConnectionState {
  connections: readonly Ticketed[];
  currentId: string | undefined;
  ended: EndedConnection | undefined;
}

/** Who holds the keys of real services; a plain file host's Worker is loaded with the first key. */
const holders: Partial<Record<Custody, KeyHolder>> = { host: hostHolder, page: pageHolder };
/** Ids that this tab has forgotten. */
const removed = new Set<string>();

// Restored while this module loads, so what `restore` needs is declared above.
const useConnectionStore = create<ConnectionState>(() => restore());

const currentOf = ({ connections, currentId }: ConnectionState) =>
  connections.find(({ connection }) => connection.id === currentId);

/** The current connection, or null. */
export function useConnection(): Connection | null {
  return useConnectionStore((state) => currentOf(state)?.connection ?? null);
}

/** The current connection outside React: for loaders and redirects. */
export function getConnection(): Connection | null {
  return currentOf(useConnectionStore.getState())?.connection ?? null;
}

/** All connections that are open here, in the order in which they were made. */
export function useConnections(): readonly Ticketed[] {
  return useConnectionStore((state) => state.connections);
}

/** The connection that ended last without the person's doing, until another one is made. */
export function useEndedConnection(): EndedConnection | undefined {
  return useConnectionStore((state) => state.ended);
}

/** Calls back whenever another connection is current, or none. Returns the way to stop. */
export function onConnectionChange(callback: (connection: Connection | null) => void): () => void {
  return useConnectionStore.subscribe((state, before) => {
    const connection = currentOf(state)?.connection ?? null;
    if (connection?.id !== currentOf(before)?.connection.id) callback(connection);
  });
}

/** The `fetch` that sends a connection's requests with its key. Refuses once the key is forgotten. */
export function fetchOf(connection: Connection): typeof fetch {
  const find = () => useConnectionStore.getState().connections.find((each) => each.connection.id === connection.id);
  return async (...request) => {
    const found = find();
    const holder = found && holders[found.connection.custody];
    return (holder ?? pageHolder).fetchFor(found?.ticket ?? "")(...request);
  };
}

/** Who holds the key of a connection that is made now. */
export function custodyOf({ isSandbox }: { isSandbox: boolean }): Custody {
  const mark = hostMark();
  if (mark === "here") return "host";
  return mark === "none" && !isSandbox ? "worker" : "page";
}

async function holderOf(custody: Custody): Promise<KeyHolder> {
  return holders[custody] ?? openWorkerHolder();
}

/** The holder of a page without a host, loaded with the first key. Rejects where its code does not arrive. */
export async function openWorkerHolder(): Promise<WorkerHolder> {
  const { workerHolder } = await import("./custody/worker-holder.ts");
  if (holders.worker === undefined) workerHolder.onLost(lose);
  holders.worker = workerHolder;
  return workerHolder;
}

export interface ConnectOrder {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
  name?: string | undefined;
  isSandbox?: boolean;
  /** Open in every tab of this browser. */
  isShared?: boolean;
  /** Without a host: keeps the key on this device, sealed under this passphrase. */
  passphrase?: string | undefined;
}

/**
 * Gives a key away, once, and resolves with what the page may know of it. Addresses and key are already checked. Nothing
 * is connected yet: see `keepConnection` and `dropConnection`. Rejects with an `ApiError` where the holder refuses.
 */
export async function openConnection(order: ConnectOrder): Promise<Ticketed> {
  const { isSandbox = false, passphrase } = order;
  const queueBaseUrl = normalizeAddress(order.queueBaseUrl);
  const inferenceBaseUrl = normalizeAddress(order.inferenceBaseUrl);
  const name = order.name?.trim() || new URL(queueBaseUrl, location.href).host;
  const keep = passphrase === undefined ? undefined : { passphrase, name };
  const addresses = { queueBaseUrl, inferenceBaseUrl };
  const custody = custodyOf({ isSandbox });
  const holder = await holderOf(custody);
  const held = await holder.hold({ key: order.key.trim(), ...addresses, salt: deviceSalt(), keep });
  // Only the host's sessions can be used from several tabs.
  const isShared = order.isShared === true && custody === "host";
  return ticketedOf(held, { name, ...addresses, isSandbox, custody, isShared });
}

/** The connection of a key that is held now. It is not kept yet. */
export function ticketedOf(
  { ticket, sealed, ...known }: HeldKey,
  rest: Omit<Connection, "id" | keyof HeldKey>,
): Ticketed {
  return { ticket, sealed, connection: { id: randomId(), ...rest, ...known } };
}

/** The `fetch` of a connection that is not kept yet, for its checks. */
export function fetchOfOpened({ connection, ticket }: Ticketed): typeof fetch {
  return (holders[connection.custody] ?? pageHolder).fetchFor(ticket);
}

/** Makes an opened connection the current one. One with the same key for the same service gives way to it. */
export function keepConnection({ sealed, ...opened }: Ticketed): Connection {
  const { connections } = useConnectionStore.getState();
  const replaced = connections.filter(({ connection }) => connection.accountId === opened.connection.accountId);
  const others = connections.filter((each) => !replaced.includes(each));
  for (const { connection } of replaced) removed.add(connection.id);
  setState({ connections: [...others, opened], currentId: opened.connection.id, ended: undefined });
  for (const each of replaced) dropConnection(each);
  if (sealed !== undefined) storeSealed(opened.connection, sealed);
  return opened.connection;
}

/** Has the holder forget the key of a connection that is not kept. Never rejects: the session then ends by itself. */
export function dropConnection({ connection, ticket }: Ticketed): void {
  holders[connection.custody]?.forget(ticket).catch(() => {});
}

/** Opens and keeps in one step, without checks. Rejects as `openConnection` does. */
export async function connect(order: ConnectOrder): Promise<Connection> {
  return keepConnection(await openConnection(order));
}

/** Connects to the sandbox: no key of one's own, nothing charged. */
export async function openSandbox(): Promise<Connection> {
  await openPageSandbox();
  return connect({ ...SANDBOX, name: "Sandbox", isSandbox: true });
}

/** Makes another open connection the current one in this tab. */
export function switchConnection(id: string): void {
  setState({ ...useConnectionStore.getState(), currentId: id });
}

/** Renames a connection. An empty name changes nothing. */
export function renameConnection(id: string, name: string): void {
  const trimmed = name.trim().slice(0, 80);
  if (trimmed !== "") change(id, { name: trimmed });
}

/** Opens a connection in every tab of this browser, or in this tab alone. */
export function shareConnection(id: string, isShared: boolean): void {
  if (!isShared) removed.add(id);
  else removed.delete(id);
  change(id, { isShared });
}

function change(id: string, fields: Partial<Connection>): void {
  const state = useConnectionStore.getState();
  const connections = state.connections.map((each) =>
    each.connection.id === id ? { ...each, connection: { ...each.connection, ...fields } } : each,
  );
  setState({ ...state, connections });
}

/** Forgets the current key: at its holder, here, and in every other tab. */
export function disconnect(): void {
  const connection = getConnection();
  if (connection) forgetKeyOf(connection);
}

/** The same for any open connection. */
export function forgetKeyOf({ accountId }: Connection): void {
  forgetSealed(accountId);
  forgetAccount(accountId);
  announceForget(accountId);
}

/** Forgets every connection of an account in this tab. */
function forgetAccount(accountId: string): void {
  const { connections, currentId } = useConnectionStore.getState();
  const gone = connections.filter(({ connection }) => connection.accountId === accountId);
  if (gone.length === 0) return;
  for (const { connection } of gone) removed.add(connection.id);
  const rest = connections.filter((each) => !gone.includes(each));
  const isCurrentGone = gone.some(({ connection }) => connection.id === currentId);
  setState({ connections: rest, currentId: isCurrentGone ? undefined : currentId, ended: undefined });
  for (const each of gone) dropConnection(each);
}

/** A holder no longer has a key: its connection ends here, and the screen says why. */
function lose(ticket: string, reason: string): void {
  const { connections, currentId } = useConnectionStore.getState();
  const lost = connections.find((each) => each.ticket === ticket);
  if (!lost) return;
  removed.add(lost.connection.id);
  const isCurrent = lost.connection.id === currentId;
  setState({
    connections: connections.filter((each) => each !== lost),
    currentId: isCurrent ? undefined : currentId,
    ended: isCurrent ? { connection: lost.connection, reason } : undefined,
  });
}

function setState(state: ConnectionState): void {
  saveConnections({ ...state, connections: [...state.connections] }, removed);
  useConnectionStore.setState(state);
}

const RELOADED = "Without a host of its own, the page forgets the key with a reload.";
const OLDER = "Safelight no longer keeps the key in the page. Enter it once more.";

function restore(): ConnectionState {
  if (typeof location === "undefined") return { connections: [], currentId: undefined, ended: undefined };
  scrubPageAddress();
  onForget(forgetAccount);
  onSessionLost(lose);
  if (typeof window !== "undefined") onStoredChange(KEYS.sharedConnections, takeShared);
  const stored = loadConnections();
  const isRestored = ({ connection }: Ticketed) =>
    connection.custody === "host" ? hostMark() === "here" : connection.custody === "page" && connection.isSandbox;
  const connections = stored.connections.filter(isRestored);
  for (const { connection, ticket } of connections) {
    if (connection.custody === "page") holdInPage(ticket, { ...connection, key: SANDBOX.key });
  }
  const lost = stored.connections.find(({ connection }) => connection.id === stored.currentId);
  // A new tab begins with what is open in every tab.
  const currentId = stored.currentId ?? connections.at(-1)?.connection.id;
  const isCurrent = connections.some(({ connection }) => connection.id === currentId);
  const reason = stored.wasOlder ? OLDER : lost && !isCurrent ? RELOADED : undefined;
  return {
    connections,
    currentId: isCurrent ? currentId : undefined,
    ended: reason === undefined ? undefined : { connection: lost?.connection, reason },
  };
}

/** Another tab has added, renamed or removed a connection that is open in every tab. */
function takeShared(): void {
  const state = useConnectionStore.getState();
  const shared = loadShared().filter(({ connection }) => !removed.has(connection.id));
  const own = state.connections.filter(({ connection }) => !connection.isShared);
  useConnectionStore.setState({ ...state, connections: [...own, ...shared] });
}

/** The random part of every account's id on this device. */
export function deviceSalt(): string {
  const known = readText(KEYS.salt);
  if (known !== null) return known;
  const salt = randomId();
  // A salt that is not remembered would make another account of the same key with every visit.
  return writeText(KEYS.salt, salt) ? salt : "";
}
