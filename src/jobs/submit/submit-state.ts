import type { ApiError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { Cap } from "../ledger/reservations.ts";

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
  | "stale";

/** How an accepted job is known to be ours. */
export type AcceptedHow = "answered" | "recovered" | "probable";

export interface Refusal {
  status: number;
  message: string;
}

/**
 * Where the submit of one model stands.
 * `unconfirmed` means that the service may hold a charged job; only `canSendAgain` says that enough looks found none.
 */
export type SubmitState =
  | { phase: "idle" }
  | { phase: "sending"; startedAtMs: number; step: "checking" | "sent" }
  | {
      phase: "accepted";
      intentId: string;
      requestId: string;
      job: Job | undefined;
      how: AcceptedHow;
      /** Further jobs that appeared with it: possible duplicate charges. */
      alsoFound: string[];
      priceMicroUsd: MicroUsd;
      /** The record of it could not be written; the service still has the job. */
      unsaved?: boolean;
    }
  | { phase: "rejected"; refusal: Refusal; error: ApiError | undefined; attempts: number }
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
      goodLooks: number;
      /** The last look could not be made. */
      lookFailed: boolean;
      /** The service answered that it took the job, and the answer could not be read. */
      surelyCharged: boolean;
      canSendAgain: boolean;
    };

export const IDLE: SubmitState = { phase: "idle" };
