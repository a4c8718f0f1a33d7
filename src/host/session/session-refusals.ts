import { counted } from "#lib/numbers.ts";
import { RelayRefusal } from "../relay/relay-refusal.ts";

/** The refusal for a browser that already has all the sessions that it may have. */
export function tooManySessions(count: number): RelayRefusal {
  const message = `This browser has ${counted(count, "open connection")}. Disconnect one of them in Settings first.`;
  return new RelayRefusal(409, "too_many_sessions", message);
}

/** Why there is no session, where nothing else is known. */
export const REASON_UNKNOWN = "The server was restarted, or the key was removed.";

/** There is no session for a request. `why` is a sentence. */
export function noSession(why: string): RelayRefusal {
  return new RelayRefusal(
    401,
    "no_session",
    `The Safelight server no longer has a key for this page. ${why} Nothing was sent.`,
  );
}

/** A time in the largest unit that suits it. */
export function formatDuration(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours >= 48) return counted(Math.round(hours / 24), "day");
  if (hours >= 2) return counted(hours, "hour");
  return counted(Math.max(1, Math.round(ms / 60_000)), "minute");
}

/** The key was removed, and that could not be saved everywhere. */
export function endNotWritten(): RelayRefusal {
  const message =
    "The key was removed from this browser and the Safelight server. The server could not save this for its next start, or for other servers that share its sessions.";
  return new RelayRefusal(503, "store_unavailable", message);
}
