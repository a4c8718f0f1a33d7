import { asText, isRecord, ownString } from "#lib/read.ts";

/**
 * The words of other services that plainly mean one of the three final statuses (spec 3). A word that says so less
 * plainly, such as "ready" or "stopped", is not among them: it means still running.
 */
const SAME_AS: Readonly<Record<string, string>> = {
  success: "success",
  successful: "success",
  succeeded: "success",
  succeed: "success",
  complete: "success",
  completed: "success",
  done: "success",
  finished: "success",
  failed: "failed",
  failure: "failed",
  fail: "failed",
  error: "failed",
  errored: "failed",
  rejected: "failed",
  cancelled: "cancelled",
  canceled: "cancelled",
  aborted: "cancelled",
};

/**
 * Words for an end without a result of which the specification does not say that they count as failed. They are final,
 * and stay as they are: a refund is promised for `failed` alone.
 */
const OTHER_END = /^(timed_?out|timeout|expired|nsfw|moderated|(content|request|prompt|input|output)_moderated)$/;

/**
 * Whether polling stops at a status as `readStatus` gives it (spec 3, spec 4.1 rule 2). Any word that is not final
 * means: still running.
 */
export function isFinal(status: string): boolean {
  return status === "success" || hasNoResult(status);
}

/** Whether a status is final and is not success. */
export function hasNoResult(status: string): boolean {
  return status === "failed" || status === "cancelled" || OTHER_END.test(status);
}

/** The studio's own status of a job that the service did not know any more, three times over a minute. It is polled no more. */
export const GONE = "gone";

/** Whether a job may still end in some way, as far as the service says. */
export const isJobRunning = ({ status }: { status: string }): boolean => !isFinal(status) && status !== GONE;

/** Whether a job ended in a way of which nobody knows whether its charge came back: a refund is promised for `failed` alone. */
export const isRefundUnknown = (status: string): boolean =>
  status === GONE || (hasNoResult(status) && status !== "failed");

const LONGEST_WORD = 60;
const STATUS_NAMES = ["state", "status", "phase", "value", "name", "code", "label", "text"];
/** The word before a colon or a bracket: `failed: moderation`, `Failed (moderation)`. It is the status, the rest its reason. */
const headOf = (word: string) =>
  /^\s*(failed|cancell?ed|error)\s*[:(]/i.exec(word.slice(0, LONGEST_WORD))?.[1]?.toLowerCase() ?? "";
/** What some services put before each of their statuses: `JOB_STATE_`, `TASK_STATUS_`. */
const PREFIX = /^(?:[a-z]+_)?(?:state|status)_(?=[a-z])/;
/** `task_failed`, `JobCompleted`, `status.success`: the word after the noun decides. */
const NOUN = /^(?:job|task|request|run|prediction|generation|status|state)_/;

/**
 * A status in one spelling: small letters with underscores between words, whatever it was sent in, and one word for each
 * final status of the specification. A missing one is `unknown`, which is not final.
 */
export function readStatus(value: unknown): string {
  const word = (isRecord(value) ? ownString(value, ...STATUS_NAMES) : asText(value)) ?? "";
  const plain = word
    .slice(0, LONGEST_WORD)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .replace(PREFIX, "");
  if (plain === "") return "unknown";
  return meaning(plain) ?? meaning(plain.replace(NOUN, "")) ?? meaning(headOf(word)) ?? plain;
}

function meaning(word: string): string | undefined {
  return Object.hasOwn(SAME_AS, word) ? SAME_AS[word] : undefined;
}
