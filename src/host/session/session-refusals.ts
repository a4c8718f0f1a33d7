import { RelayRefusal } from "../relay/relay-refusal.ts";

/** The refusal for a browser that already has all the sessions that it may have. */
export function tooManySessions(count: number): RelayRefusal {
  const message = `This browser has ${count} open connections to this studio. Forget the key of one of them first.`;
  return new RelayRefusal(409, "too_many_sessions", message);
}

/** Why there is no session, where nothing else is known. */
export const REASON_UNKNOWN = "The server was restarted, or the key was forgotten.";

/** There is no session for a request. `why` is a sentence. */
export function noSession(why: string): RelayRefusal {
  return new RelayRefusal(
    401,
    "no_session",
    `The studio's server no longer has a key for this page. ${why} Nothing was sent.`,
  );
}

/** A time in the largest unit that suits it. */
export function formatDuration(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  if (hours >= 2) return `${hours} hours`;
  return `${Math.max(1, Math.round(ms / 60_000))} minutes`;
}

/** The key was forgotten, and that could not be written down everywhere. */
export function endNotWritten(): RelayRefusal {
  const message =
    "This browser and the studio's server have forgotten the key. The server could not save this for its next start, or for other servers that share its sessions.";
  return new RelayRefusal(503, "store_unavailable", message);
}
