// What became of a run that has no job, in words: on Create, and where a batch pauses because of it.
import { RefusedError } from "#api/api-error.ts";
import { NO_SECOND_CHARGE, NOT_CHARGED, type RunProgress, rejectedRunCharge } from "#api/charge-words.ts";
import { asSentence, explainError } from "#api/explain-error.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { CAP_WORDS } from "#runs/ledger/spend-limits.ts";
import { STOPS_ALL } from "#runs/rules/answers.ts";
import type { NotSentReason, Refusal, SubmitState } from "#runs/rules/intent.ts";

/** Shown with a refusal of a plain body, which a browser may have sent twice: it may answer the second request alone. */
export const AUDITED = "Safelight will check for a duplicate job in 2 minutes.";

type Unconfirmed = Extract<SubmitState, { phase: "unconfirmed" }>;
type NotSent = Extract<SubmitState, { phase: "not-sent" }>;

/** What the response to a submit was, where it named no job, with its own words where it had some. */
export function whatCame({ refusal }: Pick<Unconfirmed, "refusal">): string {
  if (refusal === undefined) return "No response from the service.";
  const { isOfHost, status } = refusal;
  const words = asSentence(refusal.message);
  const withWords = (lead: string) => (words === "" ? `${lead}.` : `${lead}: ${words}`);
  if (isOfHost) return withWords("The Safelight server responded");
  if (status < 300) return words === "" ? NO_JOB_NAMED : `${NO_JOB_NAMED} It says: ${words}`;
  return `${withWords(`The response was ${status}`)} It may come from a gateway in front of the service.`;
}

const NO_JOB_NAMED = "The response doesn’t confirm a job.";

/** What is known of the charge of a run that was rejected. */
export const refusalChargeText = ({ isOfHost, status }: Refusal): string =>
  isOfHost ? NOT_CHARGED.unsent : rejectedRunCharge(status);

/** Who rejected a run. */
export function refusedTitle({ isOfHost, status }: Refusal): string {
  if (isOfHost) return "The Safelight server didn’t submit the run";
  return status === 0 ? "The service rejected the run" : `The service rejected the run (${status})`;
}

/** How far a run without a job is: on its way, waiting for another attempt, unconfirmed, or not found. */
export function openKind(state: SubmitState): Exclude<RunProgress, "accepted"> {
  if (state.phase === "unconfirmed") return state.canSendAgain ? "absent" : "unconfirmed";
  return state.phase === "retrying" ? "retrying" : "sending";
}

/** Why another attempt follows. */
export function retryWords(refusal: Refusal): { title: string; body: string } {
  const charge = refusalChargeText(refusal);
  return refusal.isOfHost
    ? { title: "Lost connection to the Safelight server", body: charge }
    : {
        title: "The service is busy",
        body: `It responded with ${refusal.status}. ${charge}`,
      };
}

/** The button that a notice offers. */
type NextAct = "run" | "confirm" | "limits" | "check" | "reload" | "history" | "memory";

/** Why nothing left this tab. */
const REASONS: Record<NotSentReason, { title: string; body: string; act: NextAct }> = {
  offline: {
    title: "You’re offline",
    body: "Run again when you’re back online.",
    act: "run",
  },
  "price-unknown": {
    title: "Couldn’t load the price",
    body: "Run again in a moment.",
    act: "run",
  },
  "price-rose": {
    title: "The price is higher now",
    body: "Confirm the new price to run.",
    act: "confirm",
  },
  "over-cap": {
    title: "Above your spending limit",
    body: "Change the limit, or choose less expensive settings.",
    act: "limits",
  },
  "needs-confirmation": {
    title: "Above your confirmation limit",
    body: "Confirm the price to run.",
    act: "confirm",
  },
  "list-unread": {
    title: "Couldn’t load the job list",
    body: "Safelight needs the job list to prevent duplicate charges. Run again in a moment.",
    act: "run",
  },
  "other-tab": {
    title: "Another tab is submitting a run of this model",
    body: "Run again when the other tab is done.",
    act: "run",
  },
  "already-sent": {
    title: "This run was already submitted",
    body: "See its job in History. To create another job, press Run.",
    act: "history",
  },
  unsettled: {
    title: "An earlier run of this model is unconfirmed",
    body: "Run again when that run is confirmed.",
    act: "check",
  },
  storage: {
    title: "This browser couldn’t save the run",
    body: "Each run is saved on this device before it is submitted. Free some disk space, then run again.",
    act: "run",
  },
  "storage-memory": {
    title: "This browser isn’t saving data",
    body: "If you run, this tab won’t remember the job after you close it. The service still runs it and charges you; find it in History.",
    act: "memory",
  },
  "never-left": {
    title: "Lost connection to the Safelight server",
    body: "Run again.",
    act: "run",
  },
  "host-unavailable": {
    title: "The Safelight server couldn’t record the run",
    body: "Try again in a moment, or contact your administrator.",
    act: "run",
  },
  "newer-version": {
    title: "A newer version of Safelight has an unconfirmed run of this model",
    body: "This version can’t read it. Reload this tab to get the newer version.",
    act: "reload",
  },
  stale: {
    title: "This tab was inactive",
    body: "The run wasn’t submitted because too much time passed. Run again if you still want to.",
    act: "run",
  },
};

/** Why nothing was submitted, that nothing was charged, and what to do. */
export function notSentWords(state: NotSent): { title: string; body: string; act: NextAct } {
  const { title, body, act } = REASONS[state.reason];
  // An earlier submit of this run may well be charged.
  const isSent = state.reason === "already-sent";
  const charge = isSent ? `The run wasn’t submitted again. ${NO_SECOND_CHARGE}` : NOT_CHARGED.unsent;
  return { title, body: [charge, ...amountSentences(state), getRemedy(state) ?? body].join(" "), act };
}

/** Why the next run of a batch was not submitted, without a full stop: the batch pauses because of it. */
export function notSentCause(state: NotSent): string {
  const { reason, priceMicroUsd, overByMicroUsd, cap = "run", error } = state;
  if (reason === "already-sent") return "Another version of Safelight has submitted the next run. Reload this tab";
  if (reason === "price-rose" && priceMicroUsd !== undefined)
    return `The price of the next run rose to ${formatMicroUsd(priceMicroUsd)}`;
  if (overByMicroUsd !== undefined)
    return `The next run is ${formatMicroUsd(overByMicroUsd)} above your ${CAP_WORDS[cap]}`;
  const { title, act } = REASONS[reason];
  // A batch has no form in which its request could be edited, so a remedy is named only for what stops all requests.
  const stopsAll = error instanceof RefusedError && (STOPS_ALL.has(error.status) || error.hostReason !== undefined);
  const remedy = stopsAll ? getRemedy(state)?.replace(/\.$/, "") : act === "reload" ? "Reload this tab" : undefined;
  return [title, "The next run wasn’t submitted", remedy].filter(Boolean).join(". ");
}

function amountSentences({ priceMicroUsd, overByMicroUsd, cap = "run" }: NotSent): string[] {
  return [
    ...(priceMicroUsd === undefined ? [] : [`The price is now ${formatMicroUsd(priceMicroUsd)}.`]),
    ...(overByMicroUsd === undefined
      ? []
      : [`This run is ${formatMicroUsd(overByMicroUsd)} above your ${CAP_WORDS[cap]}.`]),
  ];
}

/** What to do where waiting does not help, such as after a rejected key. Undefined where the words of the reason say it. */
function getRemedy({ reason, error }: NotSent): string | undefined {
  if (error === undefined) return undefined;
  const { title, nextStep, retryable } = explainError(error, reason === "price-unknown" ? "estimate" : "read");
  return retryable ? undefined : `${title}. ${nextStep}`;
}

/** What is done about an unconfirmed run. */
export const CHECKING = "Checking whether it was accepted";

/** A wait of `ms` as a person would say it: "about 40 s", "about 3 min". */
export function roughly(ms: number): string {
  const seconds = Math.ceil(ms / 10_000) * 10;
  return seconds <= 90 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}

/** Why Run has to wait for the last run of this model; undefined where it need not. */
export function openRunText(state: SubmitState): string | undefined {
  if (state.phase === "retrying") return "Retrying the last run";
  if (state.phase !== "unconfirmed" || state.canSendAgain) return undefined;
  return `Waiting for the last run to be confirmed${state.waitLeftMs > 0 ? ` (${roughly(state.waitLeftMs)})` : ""}`;
}
