// Every text about a charge, in one place, so that nothing more is said than is known: a charge is denied only where something
// proves that there was none, and the sentence names the proof. Elsewhere stand only the names of columns, kinds and filters
// (`src/spend/ledger-words.ts`), and two hints about text models beside their fields: from here, Create would load them and never
// show them.
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { isRefundUnknown } from "./jobs.ts";

/** What is known of the charge of a request that brought no job: `explainError` says which, and by what it is proven. */
export type RequestCharge = "no" | "unknown" | "refunded";

/** Comes after its subject: who may have been charged, or how much. */
export const MAY_HAVE_BEEN_CHARGED = "may have been charged";

/** What proves that there was no charge. */
export type NoChargeProof = "rejected" | "unsent";

/** That a run was not charged, with the proof: the service itself rejected it, or it never left. */
export const NOT_CHARGED: Record<NoChargeProof, string> = {
  rejected: "Not charged: the service rejected this job.",
  unsent: "Not charged: the job was never sent.",
};

/** The same of a message to a text model. */
export const MESSAGE_NOT_CHARGED: Record<NoChargeProof, string> = {
  rejected: "Not charged: the service rejected this message.",
  unsent: "Not charged: the message was never sent.",
};

/** What is said where no proof denies a charge. */
export const REQUEST_CHARGE: Record<Exclude<RequestCharge, "no">, string> = {
  unknown: `You ${MAY_HAVE_BEEN_CHARGED}.`,
  refunded: "Any charge is refunded in full.",
};

/**
 * What is known of the charge after the service rejected a request with this status. Spec 7 rule 4: where providers were tried
 * (502), a charge was made and is refunded.
 */
export const chargeAfterRefusal = (status: number) => (status === 502 ? "refunded" : "no");

/** The same of a run, as a sentence. */
export const rejectedRunCharge = (status: number): string =>
  chargeAfterRefusal(status) === "refunded" ? REQUEST_CHARGE.refunded : NOT_CHARGED.rejected;

/** No promise to find it: the search ends after a while (`GIVE_UP_MS` of `runs/rules/absence.ts`). History lists every job. */
const JOB_MAY_APPEAR = "If the job appears, it will be in History";

/** For a run whose job was searched for and not found, which proves nothing. */
export const NO_JOB_SO_FAR = `No job found so far. You ${MAY_HAVE_BEEN_CHARGED}. ${JOB_MAY_APPEAR}.`;

/** For a request that was not sent again, while its first one may well be charged. */
export const NO_SECOND_CHARGE = "Not charged again.";

/** Before a request is sent again whose first one may be charged. */
export const SEND_AGAIN_TWICE = "If you send this again, you may be charged twice.";

/** Before a run whose job was not found is submitted once more. */
export const RUN_AGAIN_TWICE = "If you run this again, you may be charged twice.";

/** Shown before a response is asked for once more. */
export const ANSWER_AGAIN = "Trying again is charged separately.";

/** Beside code that makes a job again. */
export const CODE_CHARGED = "Running this code creates a new job, which is charged.";

/** Where Safelight cannot check the JSON by itself. */
export const PRICE_BEFORE_CHARGE = "The service checks the JSON and gives its price before anything is charged.";

/** The name of a sum of charges. */
export const TOTAL_CHARGED = "Total charged";

/** For a response that broke off, was stopped, or holds nothing of use: the service may charge all of it. */
export const ANSWER_MAY_BE_CHARGED = "You may be charged for the full response.";

/** The charge for jobs that appeared beside the one that was submitted. `priceMicroUsd`: the price of each. */
export function duplicateCharge(count: number, priceMicroUsd: MicroUsd): string {
  return `You ${MAY_HAVE_BEEN_CHARGED} ${formatMicroUsd(priceMicroUsd)} for ${count === 1 ? "it" : "each"}.`;
}

/** A job as far as its charge goes. `priceMicroUsd`: undefined where this browser did not submit it and knows no price. */
interface PricedJob {
  status: string;
  priceMicroUsd?: MicroUsd | undefined;
}

/**
 * What is known of the charge of a job, in a few words. Spec 3: a submit that is accepted is charged at once, and a failed
 * job is refunded in full. Of other ends without a result nothing is promised. Undefined where nothing is known.
 */
export function jobCharge({ status, priceMicroUsd }: PricedJob): string | undefined {
  if (status === "failed")
    return priceMicroUsd === undefined ? "Refunded in full" : `Refunded ${formatMicroUsd(priceMicroUsd)}`;
  if (priceMicroUsd === undefined) return isRefundUnknown(status) ? "Refund unknown" : undefined;
  return chargedText(priceMicroUsd, isRefundUnknown(status));
}

const chargedText = (priceMicroUsd: MicroUsd, isUnknown = false) =>
  `Charged ${formatMicroUsd(priceMicroUsd)}${isUnknown ? " · refund unknown" : ""}`;

/** What the attempts of a run came to, in whole micro-USD. */
export interface AttemptsMoney {
  /** What was charged for the jobs that were made. */
  charged: MicroUsd;
  /** What came back for those of them that failed (spec 3). */
  refunded: MicroUsd;
  /** The charges for jobs that ended without a result, of which nobody knows whether they came back. */
  refundUnknown: MicroUsd;
  /** What may have been charged in addition: for attempts without a job, and for jobs that appeared beside another. */
  possible: MicroUsd;
}

/** What is known of the charge of a run, over all of its attempts. Undefined where nothing was charged, or may have been. */
export function attemptsCharge({ charged, refunded, refundUnknown, possible }: AttemptsMoney): string | undefined {
  const left = charged - refunded;
  if (left > 0) {
    const more = possible > 0 ? ` · ${formatMicroUsd(possible)} more unconfirmed` : "";
    return `${chargedText(left, refundUnknown > 0)}${more}`;
  }
  if (possible > 0) return `You ${MAY_HAVE_BEEN_CHARGED} ${formatMicroUsd(possible)}.`;
  return refunded > 0 ? `Refunded ${formatMicroUsd(refunded)}` : undefined;
}

/**
 * What is known of the charge of a job without a result, in sentences. Undefined for a job that has one, or may still get
 * one.
 */
export function endCharge(job: PricedJob): string | undefined {
  if (job.status === "failed") return `${jobCharge(job)}.`;
  if (!isRefundUnknown(job.status)) return undefined;
  const unknown = "The service doesn’t say whether this job was refunded.";
  return job.priceMicroUsd === undefined
    ? unknown
    : `${unknown} Assume you were charged ${formatMicroUsd(job.priceMicroUsd)}.`;
}

/** What spec 3 promises for every job. */
export const REFUND_RULE = "Refunded in full if the job fails";

/** How far a run is that has not ended. `absent`: searched for, and no job was found. */
export type RunProgress = "sending" | "retrying" | "unconfirmed" | "absent" | "accepted";

/** What a run costs before it has ended, with the rule or the doubt that its charge is under. */
export function runCharge(priceMicroUsd: MicroUsd, progress: RunProgress): { amount: string; rule: string } {
  const price = formatMicroUsd(priceMicroUsd);
  switch (progress) {
    case "sending":
    case "retrying":
      return { amount: `${price} if accepted`, rule: "You’re charged when the service accepts the run" };
    case "unconfirmed":
      return { amount: `You ${MAY_HAVE_BEEN_CHARGED} ${price}`, rule: "Checking with the service…" };
    case "absent":
      return { amount: `You ${MAY_HAVE_BEEN_CHARGED} ${price}`, rule: JOB_MAY_APPEAR };
    case "accepted":
      return { amount: chargedText(priceMicroUsd), rule: REFUND_RULE };
  }
}
