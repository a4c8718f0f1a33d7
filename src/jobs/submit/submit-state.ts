// The vocabulary of a submit: the row that survives the page, and what is shown of it.
import type { ApiError } from "#api/api-error.ts";
import type { Job, JobRequest } from "#api/types.ts";
import type { Cap } from "#ledger/spend-limits.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JobOrigin } from "#storage/job-records.ts";

/** How the job of a submit is known to be ours. */
export type AcceptedOrigin = Exclude<JobOrigin, "duplicate" | "imported">;

/** The words of an answer that was no job, a 2xx among them. They are shown in every state that follows from it. */
export interface Refusal {
  status: number;
  message: string;
  /** They are the words of the studio's own host. */
  isOfHost?: boolean;
}

/** An id in an answer that may be the job's. */
export interface PossibleJob {
  id: string;
  /** The answer spoke of an error, so the job may be another one's: only one that repeats what was sent is ours. */
  needsEcho: boolean;
}

/**
 * How the body of a submit travels. `relay`: through the studio's own host, which forwards each attempt once and
 * remembers that it did. Without a host: `stream`, over HTTP/2, which the browser cannot send twice, or `plain`, text,
 * which a browser's network stack may deliver twice when the connection dies, so an audit follows.
 */
export type BodyKind = "stream" | "relay" | "plain";

/** The states of an intent, as stored. What each of them promises is in `transitions.ts` and in the README. */
export const OUTBOX_STATES = [
  "sending",
  "retrying",
  "unconfirmed",
  "absent",
  "accepted",
  "rejected",
  "not-sent",
] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** One consent to spend. Its key is the intent id, so that a second tab with the same draft cannot send it again. */
export interface OutboxRow {
  intentId: string;
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  state: OutboxState;
  attempt: number;
  bodyKind: BodyKind;
  /** With `relay`: the host's memory that the attempt was given to. Another memory can promise nothing about it. */
  hostMemory: string | undefined;
  /** Wall clock of the last attempt. Shown, and used to tell whether the host can still remember the attempt (`askHost`). */
  sentAtMs: number;
  /**
   * Fixed lower bound of every list call of this intent, in Unix seconds of the service's own clock, so that the set
   * difference is exact. 0: no bound.
   */
  listedAfterSeconds: number;
  /** Job ids of the model that the list showed before anything was sent. */
  baseline: string[];
  /**
   * The baseline holds the jobs that were made after this, by the service's clock in Unix seconds. As `listedAfterSeconds`,
   * but for rows of version 0.2, whose window came from the device's clock.
   */
  baselineAfterSeconds: number;
  /** Some job in the baseline was not ours: other clients use this key too. */
  shared: boolean;
  /** Polls of the job list that could be read and showed no job of this intent. */
  goodLooks: number;
  /** Time spent polling since the attempt ended, by clocks that never go back, over all pages. */
  waitedMs: number;
  /** What the answer named without proof: the service is asked for it before the list. */
  possibleJob: PossibleJob | undefined;
  /** The person has read that no job was found. The polling goes on for a while all the same. */
  dismissed: boolean;
  requestIds: string[];
  how: AcceptedOrigin | undefined;
  refusal: Refusal | undefined;
  /** With `not-sent`: the host promised that the attempt never left it and never will. */
  neverLeft: boolean;
  /** When the audit for jobs that the network made twice is due; undefined once it is done or was never needed. */
  auditDueAtMs: number | undefined;
  settledAtMs: number | undefined;
  /** What it is spent on, as it was chosen when Run was pressed. */
  projectId?: string;
}

/** Whether the outcome is open in a state: then the row holds the model's slot and the price. Never throws. */
export function isUnsettled(state: OutboxState): boolean {
  return state === "sending" || state === "retrying" || state === "unconfirmed";
}

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

/** What a model's last run asked for, at which price. */
export interface LastRun {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  projectId?: string | undefined;
}

/** The state of each model's submit, in this tab. */
export type SubmitStates = Readonly<Record<string, SubmitState>>;

export const IDLE: SubmitState = { phase: "idle" };
