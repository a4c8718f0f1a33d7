import { isRecord } from "#lib/json.ts";
import { STORE_NAMES, type StoreName } from "./row.ts";

type Listener = () => void;

const listeners = new Map<StoreName, Set<Listener>>();
let channel: BroadcastChannel | undefined;

function notify(store: StoreName): void {
  for (const listener of listeners.get(store) ?? []) listener();
}

/** The channel is schema-checked: a message from another version of the studio is dropped, never trusted. */
function openChannel(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === "undefined" || typeof window === "undefined") return channel;
  channel = new BroadcastChannel("safelight-rows");
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isRecord(data) || data.v !== 1 || !Array.isArray(data.stores)) return;
    for (const name of STORE_NAMES) if (data.stores.includes(name)) notify(name);
  };
  return channel;
}

/** Tells this page and every other tab that rows of these stores changed. */
export function announceChanges(stores: StoreName[]): void {
  for (const store of stores) notify(store);
  openChannel()?.postMessage({ v: 1, stores });
}

/** Calls back after rows of a store changed, here or in another tab. Returns the way to stop. */
export function onChange(store: StoreName, listener: Listener): () => void {
  openChannel();
  const set = listeners.get(store) ?? new Set<Listener>();
  listeners.set(store, set.add(listener));
  return () => void set.delete(listener);
}
