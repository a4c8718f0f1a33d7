// The word and the color of every state of a job, and of a run that has no job.
import { GONE, hasNoResult } from "#api/jobs.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { StatusTone } from "#ui/indicators.tsx";

export interface WordAndTone {
  word: string;
  tone: StatusTone;
}

/** A status is untrusted text. A longer word would not fit into a badge. */
const MAX_STATUS_CHARS = 40;

const JOB_WORDS: Record<string, WordAndTone> = {
  queued: { word: "Queued", tone: "queued" },
  in_queue: { word: "Queued", tone: "queued" },
  success: { word: "Done", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  cancelled: { word: "Cancelled", tone: "cancelled" },
  unknown: { word: "Status unknown", tone: "queued" },
  nsfw: { word: "Blocked (NSFW)", tone: "failed" },
  [GONE]: { word: "Not found", tone: "unconfirmed" },
};

/**
 * The word and the color of a job's status. A status that is not listed is shown in the service's own word: "Warming up" for
 * `warming_up`. It means that the job still runs, or that it ended without a result (spec 3).
 */
export function statusWords(status: string): WordAndTone {
  const known = Object.hasOwn(JOB_WORDS, status) ? JOB_WORDS[status] : undefined;
  if (known) return known;
  const words = visibleLine(status.replace(/[_-]+/g, " "), MAX_STATUS_CHARS).toLowerCase();
  const tone = hasNoResult(status) ? "failed" : "queued";
  return { word: words.charAt(0).toUpperCase() + words.slice(1), tone };
}

const RUN_WORDS = {
  draft: { word: "Draft", tone: "cancelled" },
  waiting: { word: "Waiting", tone: "cancelled" },
  "input-deleted": { word: "Input deleted", tone: "failed" },
  sending: { word: "Submitting", tone: "queued" },
  retrying: { word: "Retrying", tone: "queued" },
  unconfirmed: { word: "Unconfirmed", tone: "unconfirmed" },
  absent: { word: "No job found", tone: "unconfirmed" },
  refused: { word: "Rejected", tone: "failed" },
} as const satisfies Record<string, WordAndTone>;

/** The words of a run: those of its job, or of its state while it has none. */
export function runWords(state: { kind: "sent"; status: string } | { kind: keyof typeof RUN_WORDS }): WordAndTone {
  return state.kind === "sent" ? statusWords(state.status) : RUN_WORDS[state.kind];
}
