// When polls of the job list that show no job prove that no job exists, and how often the list is polled.

/** The list shows a job at most this long after it was made. This is an assumption: after a longer lag a job is called absent. */
export const ABSENT_AFTER_MS = 120_000;
/** After this much polling in vain, the polling for an intent that is called absent ends. */
export const GIVE_UP_MS = 15 * 60_000;
/** However slow a list once was, "not found" is said after this long. */
const MAX_ABSENT_MS = 8 * 60_000;
/** This many polls must have shown no job, so that no single answer decides. */
const MIN_GOOD_POLLS = 5;
/** A list that was once slow may be slower the next time: it is polled for this many times its longest lag. */
const LAG_FACTOR = 3;

/** Whether an attempt may still reach the service: the host has not said what became of it, and eight minutes have not passed. */
export const mayStillArrive = (isHostDone: boolean, waitedMs: number) => !isHostDone && waitedMs < MAX_ABSENT_MS;

/**
 * Whether polls that showed no job may be taken to say that no job exists: enough good ones over enough time, which is
 * two minutes, and longer where the list was once slow.
 */
export function provesAbsence({
  goodPolls,
  waitedMs,
  mayArrive,
  wasIdAsked,
  longestLagMs,
}: {
  /** Polls that could be read, at least `MIN_BETWEEN_POLLS_MS` apart, the last of them included. */
  goodPolls: number;
  waitedMs: number;
  /** See `mayStillArrive`. */
  mayArrive: boolean;
  /** Whether the service could be asked for the id that the answer named. True where it named none. */
  wasIdAsked: boolean;
  /** The longest time by which this account's list once lagged. */
  longestLagMs: number;
}): boolean {
  if (goodPolls < MIN_GOOD_POLLS || mayArrive) return false;
  // The next poll asks for that id again, for eight minutes at most.
  if (!wasIdAsked && waitedMs < MAX_ABSENT_MS) return false;
  return waitedMs >= Math.min(MAX_ABSENT_MS, Math.max(ABSENT_AFTER_MS, LAG_FACTOR * longestLagMs));
}

/** Two polls of the list for one intent are at least this far apart: closer ones would see the same list. */
export const MIN_BETWEEN_POLLS_MS = 5_000;
/** The polls are close until a list is usually up to date (`ABSENT_AFTER_MS`) and a minute longer, then once a minute. */
const FIRST_POLL_MS = 2_000;
const CLOSE_POLL_MS = 10_000;
const CLOSE_UNTIL_MS = 180_000;
const FAR_POLL_MS = 60_000;

/** How long to wait before the next poll, in ms. The first polls, and those after a failure, follow each other more closely. */
export function nextPollMs(
  { waitedMs, goodPolls }: { waitedMs: number; goodPolls: number },
  hasFailed: boolean,
): number {
  if (waitedMs === 0) return FIRST_POLL_MS;
  if (waitedMs >= CLOSE_UNTIL_MS) return FAR_POLL_MS;
  return hasFailed || goodPolls < 2 ? MIN_BETWEEN_POLLS_MS : CLOSE_POLL_MS;
}
