import { isRecord } from "#lib/read.ts";
import { CHANNELS } from "#storage/keys.ts";

let shared: BroadcastChannel | undefined;

/** One channel for speaking and listening: a channel does not hear itself, so this page is told only by other tabs. */
function channel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === "undefined") return undefined;
  shared ??= new BroadcastChannel(CHANNELS.forget);
  return shared;
}

/** Tells the other tabs to forget a key. Only its fingerprint goes over the channel. */
export function announceForget(accountId: string): void {
  channel()?.postMessage({ forget: accountId });
}

/** Calls back with the fingerprint of a key that another tab forgot. Returns the way to stop listening. */
export function onForget(callback: (accountId: string) => void): () => void {
  const listened = channel();
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (isRecord(data) && typeof data.forget === "string") callback(data.forget);
  };
  listened?.addEventListener("message", hear);
  return () => listened?.removeEventListener("message", hear);
}
