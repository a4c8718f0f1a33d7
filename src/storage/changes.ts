import { isRecord } from "#lib/read.ts";
import { wipeArea } from "./browser-store.ts";
import { CHANNELS, STORE_NAMES, type StoreName } from "./keys.ts";

type Listener = () => void;
type WipeListener = (accountId: string) => void;

const listeners = new Map<StoreName, Set<Listener>>();
const wipeListeners = new Set<WipeListener>();
let channel: BroadcastChannel | undefined;

/** Calls back after rows of a store changed, here or in another tab. Returns the way to stop. Never throws. */
export function onChange(store: StoreName, listener: Listener): () => void {
  openChannel();
  const set = listeners.get(store) ?? new Set<Listener>();
  listeners.set(store, set.add(listener));
  return () => void set.delete(listener);
}

/**
 * Calls back after everything of an account was deleted, here or in another tab, so that what memory holds of it is not
 * written again. Returns the way to stop. Never throws.
 */
export function onWipe(listener: WipeListener): () => void {
  openChannel();
  wipeListeners.add(listener);
  return () => void wipeListeners.delete(listener);
}

/** Reports to this page and every other tab that rows of these stores changed. Never throws. */
export function announceChanges(stores: StoreName[]): void {
  for (const store of stores) notify(store);
  openChannel()?.postMessage({ v: 1, stores });
}

/** Reports to this page and every other tab that everything of an account was deleted. Never throws. */
export function announceWipe(accountId: string): void {
  for (const listener of wipeListeners) listener(accountId);
  // The empty list is for tabs of version 0.1, which know of stores alone.
  openChannel()?.postMessage({ v: 1, stores: [], wiped: accountId });
}

function notify(store: StoreName): void {
  for (const listener of listeners.get(store) ?? []) listener();
}

/** The channel is schema-checked: a message from another version of the studio is dropped, never trusted. */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === "undefined" || typeof window === "undefined") return channel;
  channel = new BroadcastChannel(CHANNELS.rows);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data) || data.v !== 1 || !Array.isArray(data.stores)) return;
    for (const name of STORE_NAMES) if (data.stores.includes(name)) notify(name);
    if (typeof data.wiped === "string") hearWipe(data.wiped);
  };
  return channel;
}

/** Another tab deleted an account. It cannot reach this tab's sessionStorage. */
function hearWipe(accountId: string): void {
  wipeArea("session", { accountId, isNamed: () => false });
  for (const listener of wipeListeners) listener(accountId);
}
