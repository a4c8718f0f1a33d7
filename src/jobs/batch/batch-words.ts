import { formatMicroUsd } from "#lib/money.ts";
import type { NotSentReason, SubmitState } from "../submit/submit-state.ts";
import type { RunState } from "./batch-runner.ts";

/** Why a line stopped, by what stood in the way of its next run. Nothing of it was sent. */
const NOT_SENT: Partial<Record<NotSentReason, string>> = {
  offline: "Paused: the browser is offline.",
  "price-unknown": "Paused: the price of the next run could not be read.",
  "list-unread": "Paused: the job list could not be read.",
  "other-tab": "Another tab is sending this line.",
  storage: "Paused: this browser could not write the record.",
  "storage-memory": "Paused: nothing can be kept in this window.",
};

function reasonText(reason: SubmitState): string {
  if (reason.phase === "rejected")
    return `Paused: the service refused with ${reason.refusal.status}. ${reason.refusal.message}`;
  if (reason.phase !== "not-sent") return "Paused.";
  if (reason.reason === "over-cap") {
    return `Paused: the next run would be ${formatMicroUsd(reason.overByMicroUsd ?? 0)} over your limit.`;
  }
  if (reason.reason === "price-rose") {
    return `Paused: the price rose to ${formatMicroUsd(reason.priceMicroUsd ?? 0)} since it was lined up.`;
  }
  return NOT_SENT[reason.reason] ?? "Paused.";
}

/** How a line stands, in a sentence. After a reload it is paused until somebody presses on. */
export function pauseReason(run: RunState, waiting: number): string {
  if (run.phase === "running") return "Sending.";
  if (waiting === 0) return "Nothing waits.";
  return run.reason ? reasonText(run.reason) : "Paused. Nothing is sent until you say so.";
}
