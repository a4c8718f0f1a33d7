import { REQUEST_CHARGE } from "#api/charge-words.ts";
import { asSentence } from "#api/explain-error.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { runWords, type WordAndTone } from "#runs/status-words.ts";
import { AUDITED, notSentCause, refusalChargeText, refusedTitle, whatCame } from "#runs/submit/submit-words.ts";
import type { Batch } from "#storage/stored-batches.ts";
import type { PauseReason } from "./batch-runner.ts";
import type { ItemView } from "./batch-views.ts";
import type { BatchView } from "./use-batches.ts";

function ruleText(reason: Extract<PauseReason, { phase: "rule" }>): string {
  switch (reason.rule) {
    case "failures":
      return reason.count === 1
        ? "Paused after a failure."
        : `Paused after ${formatNumber(reason.count)} failures in a row.`;
    case "limit":
      return `Paused: the next run would exceed this batch’s limit of ${formatMicroUsd(reason.limitMicroUsd)}.`;
    case "star":
      return "Paused: a result was starred.";
  }
}

const pausedBy = (cause: string) => `Paused: ${cause.charAt(0).toLowerCase()}${cause.slice(1)}.`;

function reasonText(reason: PauseReason): string {
  switch (reason.phase) {
    case "rule":
      return ruleText(reason);
    case "rejected":
      return [
        pausedBy(refusedTitle(reason.refusal)),
        asSentence(reason.refusal.message),
        reason.isAudited ? `${REQUEST_CHARGE.unknown} ${AUDITED}` : refusalChargeText(reason.refusal),
      ]
        .filter(Boolean)
        .join(" ");
    case "unconfirmed":
      return `Paused. ${whatCame(reason)} ${REQUEST_CHARGE.unknown}`;
    case "not-sent":
      return pausedBy(notSentCause(reason));
    case "storage-failed":
      return "Paused: Safelight couldn’t use this browser’s storage.";
  }
}

/** Why a batch is paused, in a sentence. Undefined while it runs, and once nothing is left to submit. */
export function pauseReason({ run, sums }: Pick<BatchView, "run" | "sums">): string | undefined {
  if (run.phase === "running" || sums.waiting + sums.retried === 0) return undefined;
  if (run.phase === "elsewhere") return "Another tab is submitting this batch. You can pause it there.";
  return run.reason ? reasonText(run.reason) : "Paused. Nothing is submitted until you resume.";
}

/** The state of a batch as a whole, for one with agreed runs. */
export function batchState(view: Pick<BatchView, "run" | "sums">): WordAndTone {
  const { isOver, failed } = view.sums;
  if (isOver) {
    return failed > 0 ? { word: `${formatNumber(failed)} failed`, tone: "failed" } : { word: "Done", tone: "success" };
  }
  if (view.run.phase === "elsewhere") return { word: "Running in another tab", tone: "queued" };
  return isPaused(view) ? { word: "Paused", tone: "unconfirmed" } : { word: "Running", tone: "queued" };
}

/** Whether a batch waits for Resume: it has runs left, and no tab submits them. */
export const isPaused = ({ run, sums }: Pick<BatchView, "run" | "sums">): boolean =>
  run.phase === "paused" && sums.waiting + sums.retried > 0;

/**
 * Why a running batch does not submit the next run of a model, in a sentence: an earlier run of the model is unconfirmed.
 * Undefined where no model waits.
 */
export function waitReason({ run, items }: Pick<BatchView, "run" | "items">): string | undefined {
  if (run.phase !== "running") return undefined;
  const open = new Set(items.flatMap(({ item, state }) => (state.kind === "unconfirmed" ? [item.request.model] : [])));
  const models = new Set(items.flatMap(({ item, state }) => (state.kind === "waiting" ? [item.request.model] : [])));
  const blocked = [...open].filter((model) => models.has(model));
  const [model] = blocked;
  if (model === undefined) return undefined;
  return blocked.length === 1
    ? `Waiting: a run of ${visibleLine(model)} is unconfirmed.`
    : `Waiting: runs of ${blocked.length} models are unconfirmed.`;
}

/** The name of a batch, else the prompt or the model of its first run. Untrusted text: show it through `visibleLine`. */
export function batchTitle({ name, items: [first] }: Batch): string {
  return name || (jobPrompt(first?.request.payload) ?? first?.request.model ?? "No runs");
}

/** The state of a run in a few words, with its number of attempts and refunds. */
export function itemWords({ item, state, money }: ItemView): string {
  const { word } = runWords(state);
  const earlier = item.earlierIntentIds?.length ?? 0;
  const refund = money && money.refunded > 0 ? `, ${formatMicroUsd(money.refunded)} refunded` : "";
  return earlier === 0 ? `${word}${refund}` : `${word}, attempt ${earlier + 1}${refund}`;
}

/**
 * What a batch cost, as in the ledger: "6 runs, $0.261 charged, $0.035 refunded". Drafts are not counted.
 */
export function chargedWords({ items, sums }: Pick<BatchView, "items" | "sums">): string {
  const count = items.length - sums.drafts;
  const amounts = [
    [sums.chargedMicroUsd, "charged"],
    [sums.refundedMicroUsd, "refunded"],
    [sums.unconfirmedMicroUsd, "unconfirmed"],
    [sums.duplicateMicroUsd, "possibly charged twice"],
  ] as const;
  const shown = amounts.filter(([amount], index) => index === 0 || amount > 0);
  return [counted(count, "run"), ...shown.map(([amount, word]) => `${formatMicroUsd(amount)} ${word}`)].join(", ");
}
