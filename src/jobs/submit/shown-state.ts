// What the screen shows of an intent, by the state of its row.
import type { ApiError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import type { OutboxRow, OutboxState, SubmitState } from "./submit-state.ts";
import { ABSENT_AFTER_MS, NO_WORDS } from "./transitions.ts";

/** What only the page knows that made the step; other tabs and later pages do without it. */
interface Known {
  job?: Job;
  error?: ApiError;
  nextAtMs?: number;
  pollFailed?: boolean;
  unsaved?: boolean;
}

const openState = (row: OutboxRow, { pollFailed = false }: Known): SubmitState => ({
  phase: "unconfirmed",
  intentId: row.intentId,
  sinceMs: row.sentAtMs,
  priceMicroUsd: row.priceMicroUsd,
  goodPolls: row.goodLooks,
  pollFailed,
  refusal: row.refusal,
  waitLeftMs: Math.max(0, ABSENT_AFTER_MS - row.waitedMs),
  canSendAgain: row.state === "absent",
});

/** What is shown in each state, with what the state promises. */
const SHOWN: Record<OutboxState, (row: OutboxRow, known: Known) => SubmitState> = {
  // The row was committed before the first byte of this attempt. What became of it is not known.
  sending: (row) => ({ phase: "sending", startedAtMs: row.sentAtMs, step: "sent" }),
  // This attempt was refused for certain, and may be repeated by the page that made it. Nothing is under way.
  retrying: (row, { nextAtMs = 0 }) => ({
    phase: "retrying",
    attempt: row.attempt,
    nextAtMs,
    refusal: row.refusal ?? NO_WORDS,
  }),
  // An attempt may have reached the service. Nothing is sent again by the machine.
  unconfirmed: openState,
  // Polled for long enough in lists that could be read. The person may consent anew, as a new intent.
  absent: openState,
  // Final: one job is ours, and others that appeared beside it are reported as possible duplicates.
  accepted: (row, { job, unsaved }) => {
    const [requestId = "", ...alsoFound] = row.requestIds;
    const { intentId, how = "answered", priceMicroUsd } = row;
    const state = { phase: "accepted", intentId, requestId, job, how, alsoFound, priceMicroUsd } as const;
    return unsaved ? { ...state, unsaved } : state;
  },
  // Final: the service itself refused, and nothing was charged.
  rejected: (row, { error }) => ({
    phase: "rejected",
    refusal: row.refusal ?? NO_WORDS,
    error,
    attempts: row.attempt,
    isAudited: row.bodyKind === "plain",
  }),
  // Final: the request was never made, or never left the host.
  "not-sent": ({ neverLeft }) => ({ phase: "not-sent", reason: neverLeft ? "never-left" : "stale" }),
};

/** The state to show for a row: from the record, and from what only this page knows. Never throws. */
export function shownState(row: OutboxRow, known: Known = {}): SubmitState {
  return SHOWN[row.state](row, known);
}
