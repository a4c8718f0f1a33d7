import { asRecord, asTexts, isRecord } from "#lib/read.ts";
import { wipeArea } from "./browser-store.ts";
import { CHANNELS, STORE_NAMES, type StoreName } from "./keys.ts";

/** The keys of the rows of a store that were written or deleted; `all`: any of them may have been. */
export type ChangedKeys = readonly string[] | "all";

/** Which rows changed, by store. */
export type RowChanges = Partial<Record<StoreName, ChangedKeys>>;

type Listener = (keys: ChangedKeys) => void;
type WipeListener = (accountId: string) => void;

/** The changes of a store, numbered in the order in which this page heard of them. */
interface ChangeLog {
  /** The number of the last change. */
  last: number;
  /** The last change whose keys are not known any more; nor are those of the changes before it. */
  forgotten: number;
  /** The last change that named each key, the oldest first. */
  keys: Map<string, number>;
}

/** The most rows that are named: with more, to read all of a store is faster. */
const MAX_NAMED_KEYS = 200;

const logs = new Map<StoreName, ChangeLog>(
  STORE_NAMES.map((store) => [store, { last: 0, forgotten: 0, keys: new Map() }]),
);
// Not zustand stores: a change and a deletion are events, and each listener gets every one with its keys.
const listeners = new Map<StoreName, Set<Listener>>();
const wipeListeners = new Set<WipeListener>();
let channel: BroadcastChannel | undefined;

/** Calls back after rows of a store changed, here or in another tab. Returns the way to stop. */
export function onChange(store: StoreName, listener: Listener): () => void {
  openChannel();
  const set = listeners.get(store) ?? new Set<Listener>();
  listeners.set(store, set.add(listener));
  return () => void set.delete(listener);
}

/**
 * Which rows of a store changed after the change of the number `since`, and the number of the last change now (`upTo`).
 * Whoever takes that number before reading the rows, and asks with it the next time, misses none. Without a number: `all`.
 */
export function changesSince(store: StoreName, since?: number): { upTo: number; keys: ChangedKeys } {
  openChannel();
  const log = logOf(store);
  if (since === undefined || since < log.forgotten) return { upTo: log.last, keys: "all" };
  const keys = [...log.keys].filter(([, change]) => change > since).map(([key]) => key);
  return { upTo: log.last, keys };
}

/** Whether any row of a store, or the one of a key, may have changed after the change of the number `since`. */
export function hasChangedSince(store: StoreName, since: number | undefined, key?: string): boolean {
  const log = logOf(store);
  if (since === undefined || since < log.forgotten) return true;
  return (key === undefined ? log.last : (log.keys.get(key) ?? 0)) > since;
}

/**
 * Calls back after everything of an account was deleted, here or in another tab, so that what memory holds of it is not
 * written again. Returns the way to stop.
 */
export function onWipe(listener: WipeListener): () => void {
  openChannel();
  wipeListeners.add(listener);
  return () => void wipeListeners.delete(listener);
}

/** Reports changed rows to this page and every other tab. */
export function announceChanges(changes: RowChanges): void {
  const stores = STORE_NAMES.filter((store) => changes[store] !== undefined);
  if (stores.length === 0) return;
  const named = stores.flatMap((store) => {
    const keys = changes[store];
    return keys === undefined || keys === "all" || keys.length > MAX_NAMED_KEYS ? [] : [[store, keys] as const];
  });
  const keys: Partial<Record<StoreName, readonly string[]>> = Object.fromEntries(named);
  notify(stores, keys);
  // `stores` alone is what tabs of version 0.1 read.
  openChannel()?.postMessage({ v: 1, stores, keys });
}

/**
 * Reports to this page alone that these rows may have changed, or any row: for a page that may not have heard what other tabs
 * reported.
 */
export function noteMissedChanges(keys?: Partial<Record<StoreName, readonly string[]>>): void {
  notify(keys === undefined ? STORE_NAMES : STORE_NAMES.filter((store) => keys[store] !== undefined), keys ?? {});
}

/** Reports to this page and every other tab that everything of an account was deleted. */
export function announceWipe(accountId: string): void {
  for (const listener of wipeListeners) listener(accountId);
  // The empty list is for tabs of version 0.1, which know of stores alone.
  openChannel()?.postMessage({ v: 1, stores: [], wiped: accountId });
}

function logOf(store: StoreName): ChangeLog {
  return logs.get(store) as ChangeLog;
}

/** Logs all changes before the first listener runs, since a listener may ask `changesSince` about any store. */
function notify(stores: readonly StoreName[], named: Partial<Record<StoreName, readonly string[]>>): void {
  for (const store of stores) logChange(logOf(store), named[store] ?? "all");
  for (const store of stores) for (const listener of listeners.get(store) ?? []) listener(named[store] ?? "all");
}

function logChange(log: ChangeLog, keys: ChangedKeys): void {
  log.last += 1;
  if (keys === "all") {
    log.keys.clear();
    log.forgotten = log.last;
    return;
  }
  for (const key of keys) {
    // Deleted first, so that the latest change is at the end.
    log.keys.delete(key);
    log.keys.set(key, log.last);
  }
  for (const [key, change] of log.keys) {
    if (log.keys.size <= MAX_NAMED_KEYS) break;
    log.keys.delete(key);
    log.forgotten = change;
  }
}

/** The channel is schema-checked: a message from another version of Safelight is dropped, never trusted. */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === "undefined" || typeof window === "undefined") return channel;
  channel = new BroadcastChannel(CHANNELS.rows);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data) || data.v !== 1 || !Array.isArray(data.stores)) return;
    const { stores, wiped } = data;
    const keys = asRecord(data.keys);
    const changed = STORE_NAMES.filter((name) => stores.includes(name));
    notify(changed, Object.fromEntries(changed.flatMap((name) => readKeys(name, keys[name]))));
    if (typeof wiped === "string") hearWipe(wiped);
  };
  // A page that comes back out of the browser's memory may not have got what was sent meanwhile.
  window.addEventListener("pageshow", ({ persisted }) => persisted && noteMissedChanges());
  return channel;
}

/** The keys of a message; none where it names no keys: then any may have changed. */
function readKeys(store: StoreName, raw: unknown): [StoreName, string[]][] {
  return Array.isArray(raw) && raw.length <= MAX_NAMED_KEYS ? [[store, asTexts(raw)]] : [];
}

/** Another tab deleted an account. It cannot reach this tab's sessionStorage. */
function hearWipe(accountId: string): void {
  wipeArea("session", { accountId, isNamed: () => false });
  for (const listener of wipeListeners) listener(accountId);
}
