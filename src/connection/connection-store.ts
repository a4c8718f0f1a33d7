import { create } from "zustand";
import { randomId } from "#lib/random-id.ts";
import { asNumber, asRecord, asRecords, asText, asTexts, isRecord } from "#lib/read.ts";
import { cleanPageAddress } from "#lib/redact-secret.ts";
import { type KeyShape, readKeyShape } from "#lib/secret-shape.ts";
import { onStoredChange, readJson, readText, removeStored, writeJson, writeText } from "#storage/browser-store.ts";
import { CHANNELS, KEYS } from "#storage/keys.ts";
import { toast } from "#ui/toast-store.ts";
import { checkAddress, normalizeAddress } from "./check-connection.ts";
import { hostHolder } from "./custody/host-holder.ts";
import { type Custody, type KeyHandle, type KeyHolder, onKeyLost, refuseWithoutKey } from "./custody/key-holder.ts";
import { holdInPage, pageHolder } from "./custody/page-holder.ts";
import { workerHolder } from "./custody/worker-holder.ts";
import { HOST_ANSWER, hostMark, noteConnected } from "./relay.ts";
import { changeSealed, forgetSealed, storeSealed } from "./sealed-connections.ts";

/** A service that Safelight talks to. Contains no secret: the key is with its holder (`custody/key-holder.ts`). */
export interface Connection {
  /** Random, new with every connect, so that each connection has its own client and cache. */
  id: string;
  /** The name that the person gave it; at first the host of the queue address, or "Sandbox". */
  name: string;
  /** May be relative to the page, as the sandbox's is. */
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  /** The last four characters of the key, for the person to recognize it. */
  keyHint: string;
  /**
   * Under which records are stored (see `deriveAccountId`). The job list belongs to the key's user (spec 4.1 rule 1).
   */
  accountId: string;
  isSandbox: boolean;
  /** Who has the key. */
  custody: Custody;
  /** By which the page tests whether a text contains the key, without having the key. */
  keyShape: KeyShape;
  /** Whether it is open in every tab of this browser, as the person chose, or in this tab alone. */
  isShared: boolean;
  /**
   * Whether the messages endpoint gets the key as `x-api-key` (spec 5.3), as the person chose, or as a bearer token.
   */
  usesApiKeyHeader?: boolean;
  /** Other origins of this computer where the service keeps files, and the person let the page use them. */
  fileOrigins?: readonly string[];
  /** The time without use after which the holder forgets the key. */
  idleMs?: number | undefined;
  /** When the holder forgets the key in any case, as `Date.now()` counts. */
  endsAtMs?: number | undefined;
}

/** The sandbox's addresses on Safelight's own origin, and its key, which is not secret. */
export const SANDBOX = {
  queueBaseUrl: "/sandbox/api/v1/queue",
  inferenceBaseUrl: "/sandbox",
  key: "sandbox-key",
} as const;

/** A connection with the ticket by which its holder knows the key. The page does not store the key. */
export interface Ticketed {
  connection: Connection;
  ticket: string;
  /** The encrypted key, where the person wants it on this device. Only until the connection is stored. */
  sealed?: string | undefined;
}

/** A connection that has ended without the person's doing, and why, as a sentence. */
interface EndedConnection {
  connection: Connection | undefined;
  reason: string;
}

interface OpenConnections {
  connections: readonly Ticketed[];
  currentId: string | undefined;
  ended: EndedConnection | undefined;
}

/** The sandbox of a page on a plain static file host: `closed` until somebody needs it. */
type PageSandbox = "closed" | "opening" | "open" | "bypassed" | "unsupported" | "failed";

interface ConnectionState extends OpenConnections {
  pageSandbox: PageSandbox;
}

interface StoredConnections {
  connections: Ticketed[];
  currentId: string | undefined;
}

/** Of the stored records. */
const VERSION = 2;
/** Connections that are read from storage. */
const MAX_CONNECTIONS = 20;

const holders: Record<Custody, KeyHolder> = { host: hostHolder, page: pageHolder, worker: workerHolder };

// The next three are not in the store: no component shows them, so a change must not render anything.
/** Ids of connections that this tab no longer has. */
const removed = new Set<string>();
/** Ids of connections whose key was forgotten, here or in another tab. */
const forgotten = new Set<string>();
/** By connection id: settles when a key that its holder lost was given to it again. */
const renewals = new Map<string, Promise<void>>();

const RELOADED = "Reloading removes the key, because Safelight runs here without its own server.";
const OLDER = "Safelight no longer stores keys in the page. Enter the key again.";
const ELSEWHERE = "This key was removed in another tab, or is no longer shared.";

/** On it, tabs report that a key was forgotten. Sends and listens, because a channel does not hear its own messages. */
let forgetChannel: BroadcastChannel | undefined;

// `restore` runs while this module loads, so the constants that it needs are declared above.
const useConnectionStore = create<ConnectionState>(() => ({ ...restore(), pageSandbox: "closed" }));

const currentOf = ({ connections, currentId }: OpenConnections) =>
  connections.find(({ connection }) => connection.id === currentId);

function tellRelay(state: OpenConnections): void {
  const { connection, ticket } = currentOf(state) ?? {};
  const addresses = connection ? [connection.queueBaseUrl, connection.inferenceBaseUrl] : [];
  noteConnected(connection?.custody === "host" ? ticket : undefined, addresses, connection?.fileOrigins);
}

tellRelay(useConnectionStore.getState());
useConnectionStore.subscribe((state, previous) => {
  if (currentOf(state) !== currentOf(previous)) tellRelay(state);
});

/** The current connection, or null. */
export function useConnection(): Connection | null {
  return useConnectionStore((state) => currentOf(state)?.connection ?? null);
}

/** The current connection outside React: for loaders and redirects. */
export function getConnection(): Connection | null {
  return currentOf(useConnectionStore.getState())?.connection ?? null;
}

/** An open connection in its current state: the person may have changed it since it was opened. */
export function findConnection(id: string): Connection | undefined {
  return useConnectionStore.getState().connections.find(({ connection }) => connection.id === id)?.connection;
}

/** All connections that are open here, in the order in which they were made. */
export function useConnections(): readonly Ticketed[] {
  return useConnectionStore((state) => state.connections);
}

/** The connection that ended last without the person's doing, until another one is made. */
export function useEndedConnection(): EndedConnection | undefined {
  return useConnectionStore((state) => state.ended);
}

/** `useEndedConnection` for code outside React. */
export function getEndedConnection(): EndedConnection | undefined {
  return useConnectionStore.getState().ended;
}

/** How a connection ended. */
interface ConnectionEnd {
  /** The key was forgotten, so drafts and the like are deleted. Otherwise it is likely to be entered again. */
  isForgotten: boolean;
  /** No other connection is open in this tab. */
  isLast: boolean;
}

/** Calls back once a connection is no longer open in this tab. Returns the way to stop. */
export function onConnectionEnd(id: string, callback: (end: ConnectionEnd) => void): () => void {
  const isOpen = ({ connections }: OpenConnections) => connections.some(({ connection }) => connection.id === id);
  return useConnectionStore.subscribe((state, previous) => {
    if (isOpen(state) || !isOpen(previous)) return;
    callback({ isForgotten: forgotten.has(id), isLast: state.connections.length === 0 });
  });
}

/** Calls back whenever another connection is current, or none. Returns the way to stop. */
export function onConnectionChange(callback: (connection: Connection | null) => void): () => void {
  return useConnectionStore.subscribe((state, previous) => {
    const connection = currentOf(state)?.connection ?? null;
    if (connection?.id !== currentOf(previous)?.connection.id) callback(connection);
  });
}

/**
 * The `fetch` that sends a connection's requests with its key. Refuses once the key is forgotten. If the same key is
 * entered again, it also serves requests of the earlier connection: otherwise a submit with an open outcome would stay
 * open.
 */
export function getFetch({ id, accountId }: Connection): typeof fetch {
  const find = () => {
    const { connections } = useConnectionStore.getState();
    return (
      connections.find(({ connection }) => connection.id === id) ??
      connections.find(({ connection }) => connection.accountId === accountId)
    );
  };
  const send: typeof fetch = async (...request) => {
    await renewals.get(id);
    const found = find();
    const holder = found && getHolder(found.connection);
    if (!holder) return refuseWithoutKey();
    const answer = await holder.fetchFor(found.ticket)(...request);
    if (answer.headers.get(HOST_ANSWER) !== "no_session") return answer;
    await renewals.get(id);
    const renewed = find();
    // The host refused before it sent anything, so the request is sent now, with the renewed ticket.
    return renewed && renewed.ticket !== found.ticket ? holder.fetchFor(renewed.ticket)(...request) : answer;
  };
  return send;
}

/** Who would hold the key of a new connection. */
export function getCustody({ isSandbox }: { isSandbox: boolean }): Custody {
  const mark = hostMark();
  if (mark === "here") return "host";
  return mark === "none" && !isSandbox ? "worker" : "page";
}

/** The holder of the key of a connection. */
export function getHolder({ custody }: Connection): KeyHolder {
  return holders[custody];
}

export interface ConnectOrder {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
  name?: string | undefined;
  isSandbox?: boolean;
  /** Open in every tab of this browser. */
  isShared?: boolean;
  usesApiKeyHeader?: boolean;
  /** Stores the key on this device, encrypted with this passphrase, where there is no host. */
  passphrase?: string | undefined;
}

/**
 * Gives a key to its holder and resolves with what the page may know of it. Addresses and key must be checked before.
 * The connection is not stored or current yet: see `keepConnection` and `dropConnection`. Rejects with an `ApiError`
 * where the holder refuses.
 */
export async function openConnection(order: ConnectOrder): Promise<Ticketed> {
  const { isSandbox = false, passphrase } = order;
  const queueBaseUrl = normalizeAddress(order.queueBaseUrl);
  const inferenceBaseUrl = normalizeAddress(order.inferenceBaseUrl);
  const name = order.name?.trim() || new URL(queueBaseUrl, location.href).host;
  const keep = passphrase === undefined ? undefined : { passphrase, name };
  const addresses = { queueBaseUrl, inferenceBaseUrl };
  const custody = getCustody({ isSandbox });
  const holder = holders[custody];
  const handle = await holder.hold({ key: order.key.trim(), ...addresses, salt: deviceSalt(), keep });
  // Only the host's sessions can be used from several tabs.
  const isShared = order.isShared === true && custody === "host";
  const header = order.usesApiKeyHeader ? { usesApiKeyHeader: true } : {};
  return createTicketedConnection(handle, { name, ...addresses, ...header, isSandbox, custody, isShared });
}

/** A connection for a key that its holder has taken. It is not stored yet. */
export function createTicketedConnection(
  { ticket, sealed, ...known }: KeyHandle,
  fields: Omit<Connection, "id" | keyof KeyHandle>,
): Ticketed {
  return { ticket, sealed, connection: { id: randomId(), ...fields, ...known } };
}

/** The `fetch` of a connection that is not stored yet, for its checks. */
export function fetchOfOpened({ connection, ticket }: Ticketed): typeof fetch {
  return holders[connection.custody].fetchFor(ticket);
}

/**
 * Has the holder forget the ticket of a connection that is not stored. The same key under another ticket stays. A
 * failure is ignored: the session ends by itself, and nobody else has the ticket.
 */
export function dropConnection({ connection, ticket }: Ticketed): void {
  holders[connection.custody].drop(ticket).catch(() => {});
}

/** The random part of every account's id on this device; empty where it cannot be stored. */
export function deviceSalt(): string {
  const known = readText(KEYS.salt);
  if (known !== null) return known;
  const salt = randomId();
  // A salt that is not stored would give the same key another account with every visit.
  return writeText(KEYS.salt, salt) ? salt : "";
}

/** Stores an opened connection and makes it the current one. Replaces one with the same key for the same service. */
export function keepConnection({ sealed, ticket, connection: opened }: Ticketed): Connection {
  const { connections } = useConnectionStore.getState();
  const replaced = connections.filter(({ connection }) => connection.accountId === opened.accountId);
  const others = connections.filter((open) => !replaced.includes(open));
  for (const { connection } of replaced) removed.add(connection.id);
  // Other tabs that have the replaced connection get this one instead.
  const isShared = opened.isShared || replaced.some(({ connection }) => connection.isShared);
  const connection = { ...opened, isShared };
  setState({ connections: [...others, { connection, ticket }], currentId: connection.id, ended: undefined });
  for (const old of replaced) dropConnection(old);
  if (sealed !== undefined) storeSealed(connection, sealed);
  return connection;
}

/** Opens a connection and makes it the current one, without checks. Rejects as `openConnection` does. */
export async function connect(order: ConnectOrder): Promise<Connection> {
  return keepConnection(await openConnection(order));
}

/** Connects to the sandbox, which needs no key of one's own and charges nothing. */
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
  if (trimmed !== "") changeConnection(id, { name: trimmed });
}

/** Opens a connection in every tab of this browser, or in this tab alone. */
export function shareConnection(id: string, isShared: boolean): void {
  if (!isShared) removed.add(id);
  else removed.delete(id);
  changeConnection(id, { isShared });
}

/** Sends the key of a connection as `x-api-key` on the messages endpoint from now on, or as a bearer token. */
export function chooseApiKeyHeader(id: string, usesApiKeyHeader: boolean): void {
  changeConnection(id, { usesApiKeyHeader });
  const accountId = findConnection(id)?.accountId;
  if (accountId !== undefined) changeSealed(accountId, { usesApiKeyHeader });
}

/** Lets the page use files at an address of this computer, because the person pressed a button that names it. */
export function openFileOrigin(origin: string): void {
  const connection = getConnection();
  if (connection) changeConnection(connection.id, { fileOrigins: [...new Set(connection.fileOrigins).add(origin)] });
}

function changeConnection(id: string, fields: Partial<Connection>): void {
  const state = useConnectionStore.getState();
  const connections = state.connections.map((open) =>
    open.connection.id === id ? { ...open, connection: { ...open.connection, ...fields } } : open,
  );
  setState({ ...state, connections });
}

/** Forgets the current key: at its holder, here, and in every other tab. */
export function disconnect(): void {
  const connection = getConnection();
  if (connection) void forgetConnectionKey(connection);
}

/** Forgets the key of an open connection, as `disconnect` does. Resolves with whether its holder has confirmed it. */
export function forgetConnectionKey({ accountId }: Connection): Promise<boolean> {
  forgetSealed(accountId);
  const isConfirmed = forgetAccount(accountId);
  announceForget(accountId);
  return isConfirmed;
}

/**
 * Forgets every connection of an account in this tab. `reason`: why, where the person did not do it in this tab.
 * Resolves with whether each holder has confirmed it.
 */
async function forgetAccount(accountId: string, reason?: string): Promise<boolean> {
  const { connections, currentId } = useConnectionStore.getState();
  const gone = connections.filter(({ connection }) => connection.accountId === accountId);
  for (const { connection } of gone) {
    removed.add(connection.id);
    forgotten.add(connection.id);
  }
  const others = connections.filter((open) => !gone.includes(open));
  const current = gone.find(({ connection }) => connection.id === currentId)?.connection;
  if (gone.length === 0) return true;
  setState({
    connections: others,
    currentId: current ? undefined : currentId,
    ended: current && reason !== undefined ? { connection: current, reason } : undefined,
  });
  const ends = await Promise.allSettled(gone.map(({ connection, ticket }) => getHolder(connection)?.forget(ticket)));
  return ends.every(({ status }) => status === "fulfilled");
}

/** Ends the connection of a key that its holder no longer has. The screen says why. The sandbox's key is renewed. */
function handleLostKey(ticket: string, reason: string): void {
  const lost = useConnectionStore.getState().connections.find((open) => open.ticket === ticket);
  if (!lost) return;
  const { id, isSandbox } = lost.connection;
  if (!isSandbox) endLost(lost, reason);
  else
    renewals.set(
      id,
      renewSandbox(lost, reason).finally(() => renewals.delete(id)),
    );
}

/** Gives the sandbox's key, which is not secret, to a restarted host again. */
async function renewSandbox(lost: Ticketed, reason: string): Promise<void> {
  const opened = await openConnection({ ...SANDBOX, isSandbox: true }).catch(() => undefined);
  if (!opened) return endLost(lost, reason);
  const state = useConnectionStore.getState();
  const renewed = { ...lost, ticket: opened.ticket };
  setState({ ...state, connections: state.connections.map((open) => (open.ticket === lost.ticket ? renewed : open)) });
}

function endLost(lost: Ticketed, reason: string): void {
  const { connections, currentId } = useConnectionStore.getState();
  removed.add(lost.connection.id);
  const isCurrent = lost.connection.id === currentId;
  setState({
    connections: connections.filter(({ ticket }) => ticket !== lost.ticket),
    currentId: isCurrent ? undefined : currentId,
    ended: isCurrent ? { connection: lost.connection, reason } : undefined,
  });
}

function setState(state: OpenConnections): void {
  saveConnections({ ...state, connections: [...state.connections] }, removed);
  useConnectionStore.setState(state);
}

/**
 * Removes anything that looks like a key from the page's own address, before the router, the history or a referrer sees
 * it. The key is not used: a key in a link is already in logs.
 */
function replacePageAddress(): void {
  const clean = cleanPageAddress(location.href);
  if (clean !== location.href) history.replaceState(history.state, "", clean);
}

function restore(): OpenConnections {
  if (typeof location === "undefined") return { connections: [], currentId: undefined, ended: undefined };
  replacePageAddress();
  // Also what is put behind an open page, by a person, a link or a screen: before the router and whoever else listens.
  for (const type of ["popstate", "hashchange"]) globalThis.addEventListener?.(type, replacePageAddress, true);
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener("currententrychange", replacePageAddress);
  onForget((accountId) => void forgetAccount(accountId, ELSEWHERE));
  onKeyLost(handleLostKey);
  if (typeof window !== "undefined") onStoredChange(KEYS.sharedConnections, syncShared);
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
  const state = { connections, currentId: isCurrent ? currentId : undefined };
  if (stored.currentId === undefined && isCurrent) saveOwn(state);
  return { ...state, ended: reason === undefined ? undefined : { connection: lost?.connection, reason } };
}

/** Takes over what another tab changed of the connections that are open in every tab. */
function syncShared(): void {
  const { connections, currentId, ended } = useConnectionStore.getState();
  const previous = connections.find(({ connection }) => connection.id === currentId)?.connection;
  const shared = loadShared().filter(({ connection }) => !removed.has(connection.id));
  const unshared = connections.filter(({ connection }) => !connection.isShared);
  const all = [...unshared, ...shared];
  // The other tab may have entered the same key again, which has a new id.
  const next =
    all.find(({ connection }) => connection.id === currentId) ??
    all.find(({ connection }) => connection.accountId === previous?.accountId);
  const isGone = previous !== undefined && next === undefined;
  // Those that are no longer shared count as forgotten.
  for (const { connection } of connections) if (connection.isShared) forgotten.add(connection.id);
  for (const { connection } of shared) forgotten.delete(connection.id);
  const state = { connections: all, currentId: next?.connection.id };
  saveOwn(state);
  useConnectionStore.setState({ ...state, ended: isGone ? { connection: previous, reason: ELSEWHERE } : ended });
}

/** The label of the button that ends a connection. */
export function endLabel({ isSandbox }: Connection): string {
  return isSandbox ? "Leave sandbox" : "Disconnect";
}

/** Ends a connection for the person. A toast confirms what is deleted and what stays. */
export async function endConnection(connection: Connection): Promise<void> {
  const { name, keyHint, isSandbox } = connection;
  const isConfirmed = await forgetConnectionKey(connection);
  if (isSandbox) {
    toast({ tone: "success", title: "You left the sandbox", body: "Your drafts stay on this device." });
  } else if (isConfirmed) {
    toast({
      tone: "success",
      title: `Disconnected from ${name}`,
      body: `The key ending in ${keyHint} was removed from all open tabs. Your drafts, jobs and spending stay on this device.`,
    });
  } else {
    toast({
      tone: "warning",
      title: `Disconnected from ${name}`,
      body: `This browser can no longer use the key ending in ${keyHint}. The Safelight server didn’t confirm that it deleted the key. It deletes the key when the session ends.`,
    });
  }
}

/** The state of the sandbox in the page (`openPageSandbox`). */
export function usePageSandbox(): PageSandbox {
  return useConnectionStore(({ pageSandbox }) => pageSandbox);
}

/** Whether the page itself must run the sandbox, because a plain file host served it. */
export function isSandboxByPage(): boolean {
  return hostMark() === "none";
}

/** Whether a connection is to the sandbox in the page while that does not run yet. */
export function needsPageSandbox(connection: Connection | null): boolean {
  return connection?.isSandbox === true && isSandboxByPage() && useConnectionStore.getState().pageSandbox !== "open";
}

/** Starts the sandbox in the page where that is needed. Whether it runs is in `usePageSandbox`. */
export async function openPageSandbox(): Promise<void> {
  if (!isSandboxByPage() || useConnectionStore.getState().pageSandbox !== "closed") return;
  useConnectionStore.setState({ pageSandbox: "opening" });
  const pageSandbox = await import("#sandbox/service-worker-adapter.ts").then(
    ({ startPageSandbox }) => startPageSandbox(),
    () => "failed" as const,
  );
  useConnectionStore.setState({ pageSandbox });
}

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

/**
 * Stores the shared connections for all tabs; the others, and which one is current, for this tab. `removed`: ids that
 * this tab no longer has. Other shared connections that it does not know were added by another tab, and stay.
 */
export function saveConnections({ connections, currentId }: StoredConnections, removed: ReadonlySet<string>): void {
  saveOwn({ connections, currentId });
  const known = new Set(connections.map(({ connection }) => connection.id));
  const fromOthers = loadShared().filter(({ connection: { id } }) => !known.has(id) && !removed.has(id));
  const shared = [...fromOthers, ...connections.filter(({ connection }) => connection.isShared)];
  // A private window may refuse to store them. A reload then loses the connections.
  if (shared.length > 0) writeJson(KEYS.sharedConnections, { v: VERSION, connections: shared.map(toStored) });
  else removeStored(KEYS.sharedConnections);
}

/** Stores the connections of this tab alone, and which one is current. */
export function saveOwn({ connections, currentId }: StoredConnections): void {
  if (connections.length === 0) {
    removeStored(KEYS.connection);
    return;
  }
  const unshared = connections.filter(({ connection }) => !connection.isShared);
  const accountId = connections.find(({ connection }) => connection.id === currentId)?.connection.accountId;
  writeJson(KEYS.connection, { v: VERSION, currentId, accountId, connections: unshared.map(toStored) });
}

function toStored({ connection, ticket }: Ticketed) {
  return { ...connection, ticket };
}

/** The stored connections, read as untrusted data. A record of an older version contained the key: it is deleted. */
export function loadConnections(): StoredConnections & { wasOlder: boolean } {
  const stored = asRecord(readJson(KEYS.connection));
  const wasOlder = stored.key !== undefined;
  if (wasOlder) removeStored(KEYS.connection);
  const connections = [...readConnections(stored), ...loadShared()].slice(0, MAX_CONNECTIONS);
  return { connections, currentId: asText(stored.currentId), wasOlder };
}

/** The connections that are open in every tab of this browser. */
export function loadShared(): Ticketed[] {
  return readConnections(asRecord(readJson(KEYS.sharedConnections)));
}

function readConnections(record: Record<string, unknown>): Ticketed[] {
  return record.v === VERSION ? asRecords(record.connections).flatMap((raw) => readTicketed(raw) ?? []) : [];
}

function readTicketed(raw: Record<string, unknown>): Ticketed | undefined {
  const { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, isSandbox, accountId, ticket, custody, isShared } = raw;
  if (!isText(id) || !isText(name) || !isText(keyHint) || typeof isSandbox !== "boolean") return undefined;
  if (!isText(accountId) || !/^[0-9a-f]{32}$/.test(accountId) || !isText(ticket)) return undefined;
  if (!isText(queueBaseUrl) || !isText(inferenceBaseUrl)) return undefined;
  if (custody !== "host" && custody !== "worker" && custody !== "page") return undefined;
  if (checkAddress(queueBaseUrl) !== undefined || checkAddress(inferenceBaseUrl) !== undefined) return undefined;
  const keyShape = readKeyShape(raw.keyShape);
  if (keyShape === undefined) return undefined;
  const address = { queueBaseUrl, inferenceBaseUrl };
  const ends = { idleMs: asNumber(raw.idleMs), endsAtMs: asNumber(raw.endsAtMs) };
  const connection = { id, name, ...address, keyHint, accountId, isSandbox, custody, keyShape, ...ends } as const;
  const header = raw.usesApiKeyHeader === true ? { usesApiKeyHeader: true } : {};
  const fileOrigins = asTexts(raw.fileOrigins).slice(0, 20);
  const files = fileOrigins.length > 0 ? { fileOrigins } : {};
  return { ticket, connection: { ...connection, ...header, ...files, isShared: isShared === true } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 2000;
}
