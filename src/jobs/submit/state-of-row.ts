import type { Job } from "#api/types.ts";
import type { OutboxRow } from "./outbox-row.ts";
import type { SubmitState } from "./submit-state.ts";

type Unconfirmed = Extract<SubmitState, { phase: "unconfirmed" }>;
type Accepted = Extract<SubmitState, { phase: "accepted" }>;

/** What the screen says of an attempt whose outcome is open. */
export function unconfirmedState(row: OutboxRow, lookFailed = false): Unconfirmed {
  return {
    phase: "unconfirmed",
    intentId: row.intentId,
    sinceMs: row.sentAtMs,
    priceMicroUsd: row.priceMicroUsd,
    goodLooks: row.goodLooks,
    lookFailed,
    surelyCharged: row.surelyCharged,
    canSendAgain: row.state === "absent",
  };
}

/** What the screen says once the job is known. */
export function acceptedState(row: OutboxRow, job: Job | undefined): Accepted {
  const [requestId = "", ...alsoFound] = row.requestIds;
  return {
    phase: "accepted",
    intentId: row.intentId,
    requestId,
    job,
    how: row.how ?? "answered",
    alsoFound,
    priceMicroUsd: row.priceMicroUsd,
  };
}

/** Where an attempt stands, told from its record alone: for other tabs, and after a reload. */
export function stateOfRow(row: OutboxRow): SubmitState {
  switch (row.state) {
    case "sending":
      return { phase: "sending", startedAtMs: row.sentAtMs, step: "sent" };
    case "unconfirmed":
    case "absent":
      return unconfirmedState(row);
    case "accepted":
      return acceptedState(row, undefined);
    case "retrying":
      return {
        phase: "retrying",
        attempt: row.attempt,
        nextAtMs: 0,
        refusal: row.refusal ?? { status: 0, message: "" },
      };
    case "rejected": {
      const refusal = row.refusal ?? { status: 0, message: "" };
      return { phase: "rejected", refusal, error: undefined, attempts: row.attempt };
    }
    case "not-sent":
      return { phase: "not-sent", reason: "stale" };
  }
}
