import { formatMicroUsd } from "#lib/money.ts";
import { jobPrompt } from "../job-prompt.ts";
import { statusWords } from "../job-status.tsx";
import type { Batch } from "../stored-batches.ts";
import type { NotSentReason, SubmitState } from "../submit/submit-state.ts";
import type { ItemState } from "./item-states.ts";
import type { BatchView } from "./use-batches.ts";

const ELSEWHERE = "Another tab is submitting this batch. You can pause it there.";

/** Why a batch stopped, by the reason why its next run was not sent. */
const NOT_SENT: Partial<Record<NotSentReason, string>> = {
  offline: "Paused because this browser is offline.",
  "price-unknown": "Paused because the price of the next run could not be loaded.",
  "list-unread": "Paused because the job list could not be loaded.",
  "other-tab": ELSEWHERE,
  storage: "Paused because this browser could not save the next run.",
  "never-left": "Paused because the studio's server could not be reached. The next run was not submitted.",
  "host-unavailable": "Paused because the studio's server does not respond or cannot save what it submits.",
  "newer-version": "Paused because a newer version of Safelight has an unconfirmed run of this model. Reload the page.",
  "storage-memory": "Paused because this window cannot save anything.",
};

function reasonText(reason: SubmitState): string {
  if (reason.phase === "rejected")
    return `Paused because the service refused a run with ${reason.refusal.status}. ${reason.refusal.message}`;
  if (reason.phase !== "not-sent") return "Paused.";
  if (reason.reason === "over-cap") {
    return `Paused because the next run would exceed your limit by ${formatMicroUsd(reason.overByMicroUsd ?? 0)}.`;
  }
  if (reason.reason === "price-rose") {
    return `Paused because the price of the next run rose to ${formatMicroUsd(reason.priceMicroUsd ?? 0)}.`;
  }
  return NOT_SENT[reason.reason] ?? "Paused.";
}

/** Why a batch does not go on, in a sentence; after a reload it waits for the person. Undefined while it runs or is over. */
export function pauseReason({ run, sums }: Pick<BatchView, "run" | "sums">): string | undefined {
  if (run.phase === "running" || sums.waiting === 0) return undefined;
  if (run.phase === "elsewhere") return ELSEWHERE;
  return run.reason ? reasonText(run.reason) : "Paused. Nothing is submitted until you resume.";
}

const STATE_WORDS: Record<Exclude<ItemState["kind"], "sent">, string> = {
  draft: "Draft",
  waiting: "Not submitted",
  "input-deleted": "Not submitted, its input was deleted",
  sending: "Submitting",
  unconfirmed: "Unconfirmed",
  absent: "No job found",
  refused: "Refused, not charged",
};

/** What a batch is called: by its name, else by the prompt or the model of its first run. Untrusted text. Never throws. */
export function batchTitle({ name, items: [first] }: Batch): string {
  return name || (jobPrompt(first?.request.payload) ?? first?.request.model ?? "no runs");
}

/** The state of a run in a word or two. Never throws. */
export function itemWord(state: ItemState): string {
  return state.kind === "sent" ? statusWords(state.status).word : STATE_WORDS[state.kind];
}
