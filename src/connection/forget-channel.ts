import { isRecord } from "#lib/read.ts";
import { CHANNELS } from "#storage/keys.ts";

/** The channel on which tabs report that a key was forgotten. */
let forgetChannel: BroadcastChannel | undefined;

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
