import { asSentence } from "#api/explain-error.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { NotSentReason } from "#runs/rules/intent.ts";
import { jobPrompt } from "../job-prompt.ts";
import { statusWords } from "../status-words.ts";
import type { Batch } from "../stored-batches.ts";
import type { PauseReason } from "./batch-effects.ts";
import type { ItemState, ItemView } from "./item-states.ts";
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
  stale: "Paused because this page slept while it was submitting a run. That run was not submitted.",
  "already-sent": "Paused because another version of Safelight has submitted the next run. Reload the page.",
};

function ruleText(reason: Extract<PauseReason, { phase: "rule" }>): string {
  switch (reason.rule) {
    case "failures":
      return reason.count === 1 ? "Paused after a failure." : `Paused after ${reason.count} failures in a row.`;
    case "limit":
      return `Paused: the next run would take this batch above your limit of ${formatMicroUsd(reason.limitMicroUsd)}.`;
    case "star":
      return "Paused because one of its results has a star.";
  }
}

function reasonText(reason: PauseReason): string {
  if (reason.phase === "rule") return ruleText(reason);
  if (reason.phase === "rejected") {
    const { isOfHost, status, message } = reason.refusal;
    return isOfHost
      ? `Paused because the studio's server did not submit a run. ${message}`
      : `Paused because the service refused a run with ${status}. ${message}`;
  }
  if (reason.phase === "unconfirmed" && reason.refusal) {
    const { status, message } = reason.refusal;
    return `Paused because the reply to a run was ${status}. ${asSentence(message)} It is not known yet whether that run was charged.`;
  }
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
  if (run.phase === "running" || sums.waiting + sums.retried === 0) return undefined;
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

/**
 * What holds up a model of a batch that is run, in a sentence: the outcome of one of its runs is open. Undefined where
 * nothing does. Model names are untrusted text. Never throws.
 */
export function waitReason({ run, items }: Pick<BatchView, "run" | "items">): string | undefined {
  if (run.phase !== "running") return undefined;
  const open = new Set(items.flatMap(({ item, state }) => (state.kind === "unconfirmed" ? [item.request.model] : [])));
  const models = new Set(items.flatMap(({ item, state }) => (state.kind === "waiting" ? [item.request.model] : [])));
  const held = [...open].filter((model) => models.has(model));
  const [model] = held;
  if (model === undefined) return undefined;
  return held.length === 1
    ? `The next run of ${visibleLine(model)} waits until its unconfirmed run is settled.`
    : `The next runs of ${held.length} models wait until their unconfirmed runs are settled.`;
}

/** What a batch is called: by its name, else by the prompt or the model of its first run. Untrusted text. Never throws. */
export function batchTitle({ name, items: [first] }: Batch): string {
  return name || (jobPrompt(first?.request.payload) ?? first?.request.model ?? "no runs");
}

/** The state of a run in a word or two. Never throws. */
export function itemWord(state: ItemState): string {
  return state.kind === "sent" ? statusWords(state.status).word : STATE_WORDS[state.kind];
}

/** The state of a run with what its earlier attempts came to, in a few words. Never throws. */
export function itemWords({ item, state, money }: ItemView): string {
  const word = itemWord(state);
  const earlier = item.earlierIntentIds?.length ?? 0;
  const refund = money && money.refunded > 0 ? `, ${formatMicroUsd(money.refunded)} refunded` : "";
  return earlier === 0 ? `${word}${refund}` : `${word}, attempt ${earlier + 1}${refund}`;
}

/**
 * What a batch came to, as in the ledger: "6 runs, $0.261 charged, $0.035 refunded". Runs that nobody agreed to are not
 * counted. Never throws.
 */
export function chargedWords({ items, sums }: Pick<BatchView, "items" | "sums">): string {
  const count = items.length - sums.drafts;
  const amounts = [
    [sums.chargedMicroUsd, "charged"],
    [sums.refundedMicroUsd, "refunded"],
    [sums.unconfirmedMicroUsd, "unconfirmed"],
    [sums.duplicateMicroUsd, "possibly charged twice"],
  ] as const;
  const told = amounts.filter(([amount], index) => index === 0 || amount > 0);
  return [
    count === 1 ? "1 run" : `${count} runs`,
    ...told.map(([amount, word]) => `${formatMicroUsd(amount)} ${word}`),
  ].join(", ");
}
