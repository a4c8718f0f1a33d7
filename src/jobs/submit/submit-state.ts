// What a page shows of a submit: computed from the row of its intent, and from what this page alone knows.
import type { ApiError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import type { Cap } from "#ledger/spend-limits.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { AcceptedOrigin, Intent, IntentState, Refusal } from "./intent.ts";
import { ABSENT_AFTER_MS, NO_WORDS } from "./transitions.ts";

/** Why nothing left this page. Nothing was charged in any of these cases. */
export type NotSentReason =
  | "offline"
  | "price-unknown"
  | "price-rose"
  | "over-cap"
  | "needs-confirmation"
  | "list-unread"
  | "other-tab"
  | "already-sent"
  | "unsettled"
  | "storage"
  | "storage-memory"
  | "stale"
  | "never-left"
  | "host-unavailable"
  | "newer-version";

/**
 * What is shown of the submit of one model. `unconfirmed` means that the service may hold a charged job; only
 * `canSendAgain` means that enough polls found none.
 */
export type SubmitState =
  | { phase: "idle" }
  | { phase: "sending"; startedAtMs: number; step: "checking" | "sent" }
  | {
      phase: "accepted";
      intentId: string;
      requestId: string;
      job: Job | undefined;
      how: AcceptedOrigin;
      /** Further jobs that appeared with it: possible duplicate charges. */
      alsoFound: string[];
      priceMicroUsd: MicroUsd;
      /** The record of it could not be written; the service still has the job. */
      unsaved?: boolean;
    }
  | {
      phase: "rejected";
      refusal: Refusal;
      error: ApiError | undefined;
      attempts: number;
      /** The browser may have delivered the request twice, so that the refusal is about the second one alone. */
      isAudited: boolean;
    }
  | {
      phase: "not-sent";
      reason: NotSentReason;
      error?: unknown;
      /** With `price-rose` and `needs-confirmation`: what it costs now. */
      priceMicroUsd?: MicroUsd;
      /** With `over-cap`: which limit, and by how much it would be broken. */
      cap?: Cap;
      overByMicroUsd?: MicroUsd;
    }
  | { phase: "retrying"; attempt: number; nextAtMs: number; refusal: Refusal }
  | {
      phase: "unconfirmed";
      intentId: string;
      sinceMs: number;
      priceMicroUsd: MicroUsd;
      goodPolls: number;
      /** The last poll of the job list failed. */
      pollFailed: boolean;
      /** The words of the answer, where one came that says neither yes nor no. */
      refusal: Refusal | undefined;
      /** For how much longer the job list is polled at least before the outcome can be "not found", in ms. */
      waitLeftMs: number;
      canSendAgain: boolean;
    };

export const IDLE: SubmitState = { phase: "idle" };

/** What only the page knows that made the step; other tabs and later pages do without it. */
interface Known {
  job?: Job;
  error?: ApiError;
  nextAtMs?: number;
  pollFailed?: boolean;
  unsaved?: boolean;
}

const openState = (row: Intent, { pollFailed = false }: Known): SubmitState => ({
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
const SHOWN: Record<IntentState, (row: Intent, known: Known) => SubmitState> = {
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
export function shownState(row: Intent, known: Known = {}): SubmitState {
  return SHOWN[row.state](row, known);
}
