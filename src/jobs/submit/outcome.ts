// What the one POST of an attempt came to, by its answer or by what the host knows of it. Nothing here reads a browser's
// error text: browsers give the same one for everything.
import { RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { definiteRefusal } from "#api/definite-refusal.ts";
import { asSentence } from "#api/explain-error.ts";
import type { Job } from "#api/types.ts";
import type { SubmitEffects } from "./effects.ts";
import type { BodyKind, Intent, PossibleJob, Refusal } from "./intent.ts";

export type SendOutcome =
  | { kind: "accepted"; job: Job }
  /** A definite no: of the service, or of the host before anything left it. */
  | { kind: "rejected"; error: RefusedError }
  /** A definite no that may be tried again: spec 7 rule 1, or the attempt never left the host. */
  | { kind: "retry"; error: RefusedError; readListFirst: boolean; mostAttempts: number }
  /** Neither yes nor no. */
  | {
      kind: "unconfirmed";
      refusal: Refusal | undefined;
      possibleJob?: PossibleJob | undefined;
      /** The host has said all that it knows. */
      hostSpoke: boolean;
      /** The host says that it did not send this request. An earlier delivery of it may have been sent all the same. */
      hostRefusal?: RefusedError;
    };

const MOST_RATE_LIMITED = 6;
const MOST_UNAVAILABLE = 5;

/** The host gives the service's first answer again. */
const FIRST_ANSWER = "first_answer";

/** The words of a refusal, as they are stored and shown. Never throws. */
export const refusalOf = ({ status, message, hostReason }: RefusedError): Refusal =>
  hostReason === undefined || hostReason === FIRST_ANSWER ? { status, message } : { status, message, isOfHost: true };

const unconfirmed = (more: Partial<Extract<SendOutcome, { kind: "unconfirmed" }>> = {}): SendOutcome => ({
  kind: "unconfirmed",
  refusal: undefined,
  hostSpoke: false,
  ...more,
});

/** The host's answers that say: an attempt of this name was sent. */
const HOST_SENT = new Set(["outcome_unknown", "redirect", "intent_reused"]);

/** Classes an error of the submit POST. Whatever is not surely a refusal is unconfirmed. Never throws. */
export function classifyError(error: unknown, body: BodyKind): SendOutcome {
  if (error instanceof RefusedError) {
    const { hostReason } = error;
    // Without a host, a header of that name is the service's, and means nothing.
    if (body === "relay" && hostReason !== undefined && hostReason !== FIRST_ANSWER) return classifyHost(error);
    const definite = definiteRefusal(error);
    if (definite === "final") return { kind: "rejected", error };
    if (definite === undefined) return unconfirmed({ refusal: refusalOf(error) });
    const isRateLimit = error.status === 429;
    return {
      kind: "retry",
      error,
      // A browser may deliver a plain body twice, and this may be the answer to the second delivery alone.
      readListFirst: !isRateLimit || body === "plain",
      mostAttempts: isRateLimit ? MOST_RATE_LIMITED : MOST_UNAVAILABLE,
    };
  }
  if (!(error instanceof UnreadableAnswerError)) return unconfirmed();
  const { id, words = "", needsEcho = true } = error.unproven ?? {};
  const possibleJob = id === undefined ? undefined : { id, needsEcho };
  return unconfirmed({ refusal: { status: error.status, message: words }, possibleJob });
}

function classifyHost(error: RefusedError): SendOutcome {
  const { hostReason = "" } = error;
  if (hostReason === "never_sent") {
    return { kind: "retry", error, readListFirst: false, mostAttempts: MOST_UNAVAILABLE };
  }
  if (HOST_SENT.has(hostReason)) return unconfirmed({ hostSpoke: true });
  return unconfirmed({ refusal: refusalOf(error), hostRefusal: error });
}

/** The name of an attempt: the host forwards each name once. */
export const attemptIdOf = ({ intentId, attempt }: Intent) => `${intentId}.${attempt}`;

/**
 * The outcome of an attempt, with what the host knows of it where the answer said neither yes nor no. A browser may have
 * delivered the request twice, so a refusal of the host counts only once its memory has no earlier delivery. Never
 * rejects.
 */
export async function withHostMemory(fx: SubmitEffects, row: Intent, outcome: SendOutcome): Promise<SendOutcome> {
  if (row.bodyKind !== "relay" || outcome.kind !== "unconfirmed" || outcome.hostSpoke) return outcome;
  const asked = await askHost(fx, row);
  if (asked.kind === "unconfirmed") {
    const { hostSpoke, refusal = outcome.refusal, possibleJob = outcome.possibleJob } = asked;
    return { ...outcome, refusal, possibleJob, hostSpoke };
  }
  const { hostRefusal, refusal } = outcome;
  if (asked.kind !== "retry" || asked.error.hostReason !== "never_sent") return asked;
  if (hostRefusal) return { kind: "rejected", error: hostRefusal };
  // Something between the page and the host refused it, and would refuse the next attempt as well, unless it was only busy.
  const isRefused = refusal !== undefined && refusal.status < 500;
  return isRefused ? { kind: "rejected", error: neverSentBecause(asked.error, refusal) } : asked;
}

/** The host's word that nothing was sent, with the words of what kept it from the host. */
function neverSentBecause({ status, message, hostReason }: RefusedError, answer: Refusal): RefusedError {
  const words = answer.message === "" ? "" : ` ${asSentence(answer.message)}`;
  return new RefusedError({ status, hostReason, message: `${message} The reply was ${answer.status}.${words}` });
}

/**
 * After 24 hours the host forgets an attempt, and then says "never sent" though it sent it. So that word counts for 20 hours
 * only; four hours allow for clocks that differ.
 */
const NEVER_SENT_COUNTS_MS = 20 * 60 * 60 * 1000;

/**
 * What the host knows of an attempt whose answer says neither yes nor no. The host never sends an attempt that it was
 * asked about: what has not left it by then never will. Never rejects: without an answer of the host, and for "never sent"
 * of an attempt that the host may have forgotten, the outcome is unconfirmed as before.
 */
export async function askHost(fx: SubmitEffects, row: Intent): Promise<SendOutcome> {
  try {
    const options = { attemptId: attemptIdOf(row), memory: row.hostMemory };
    return { kind: "accepted", job: await fx.api.withdraw(row.request, options) };
  } catch (error) {
    const isAnswer = error instanceof RefusedError || error instanceof UnreadableAnswerError;
    const { hostReason } = isAnswer ? error : { hostReason: undefined };
    // Something between this page and the host answered, or nobody did.
    if (hostReason === undefined) return unconfirmed();
    // A row from the future was written by a clock that was wrong.
    const isRemembered = Math.abs(fx.nowMs() - row.sentAtMs) < NEVER_SENT_COUNTS_MS;
    if (hostReason === "never_sent" && !isRemembered) return unconfirmed({ hostSpoke: true });
    if (hostReason === FIRST_ANSWER || hostReason === "never_sent" || HOST_SENT.has(hostReason)) {
      const asked = classifyError(error, "relay");
      return asked.kind === "unconfirmed" ? { ...asked, hostSpoke: true } : asked;
    }
    // The host cannot look it up now.
    return unconfirmed();
  }
}
