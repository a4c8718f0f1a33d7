// What the one POST of an attempt came to, by its answer or by what the host knows of it. Nothing here reads a browser's
// error text: browsers give the same one for everything.
import { RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { definiteRefusal } from "#api/definite-refusal.ts";
import type { Job } from "#api/types.ts";
import type { SubmitEffects } from "./effects.ts";
import { findNamedJob } from "./match-jobs.ts";
import type { BodyKind, OutboxRow, Refusal } from "./submit-state.ts";

export type SendOutcome =
  | { kind: "accepted"; job: Job }
  /** A definite no: of the service, or of the host before anything left it. */
  | { kind: "rejected"; error: RefusedError }
  /** A definite no that may be tried again: spec 7 rule 1, or the attempt never left the host. */
  | { kind: "retry"; error: RefusedError; readListFirst: boolean; mostAttempts: number }
  /** Neither yes nor no. */
  | {
      kind: "unconfirmed";
      surelyCharged: boolean;
      refusal: Refusal | undefined;
      /** The answer named this id without proof that it is a job's. */
      possibleId?: string | undefined;
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
  surelyCharged: false,
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
  if (!(error instanceof UnreadableAnswerError))
    return unconfirmed({ surelyCharged: error instanceof UnusableIdError });
  const { status, unproven, excerpt } = error;
  // A record that was cut is the service's; a page of HTML may be anybody's.
  if (!unproven && excerpt.trimStart().startsWith("{")) return unconfirmed({ surelyCharged: true });
  return unconfirmed({ refusal: { status, message: unproven?.words ?? "" }, possibleId: unproven?.id });
}

function classifyHost(error: RefusedError): SendOutcome {
  const { hostReason = "" } = error;
  if (hostReason === "never_sent") {
    return { kind: "retry", error, readListFirst: false, mostAttempts: MOST_UNAVAILABLE };
  }
  if (HOST_SENT.has(hostReason)) return unconfirmed({ hostSpoke: true });
  return unconfirmed({ refusal: refusalOf(error), hostRefusal: error });
}

/** Classes a readable answer: accepted, with an id that can be used. Never throws. */
export function classifyAnswer(job: Job): SendOutcome {
  return job.requestId === "" ? unconfirmed({ surelyCharged: true }) : { kind: "accepted", job };
}

/** The name of an attempt: the host forwards each name once. */
export const attemptIdOf = ({ intentId, attempt }: OutboxRow) => `${intentId}.${attempt}`;

/**
 * The outcome of an attempt, with what the service knows of an id that its answer named without proof: a record of it makes
 * the attempt accepted. Never rejects.
 */
export async function withNamedJob(fx: SubmitEffects, row: OutboxRow, outcome: SendOutcome): Promise<SendOutcome> {
  const id = outcome.kind === "unconfirmed" ? outcome.possibleId : undefined;
  const job = id === undefined ? undefined : await findNamedJob(fx, row, id);
  return job ? { kind: "accepted", job } : outcome;
}

/**
 * The outcome of an attempt, with what the host knows of it where the answer said neither yes nor no. A browser may have
 * delivered the request twice, so a refusal of the host counts only once its memory has no earlier delivery. Never
 * rejects.
 */
export async function withHostMemory(fx: SubmitEffects, row: OutboxRow, outcome: SendOutcome): Promise<SendOutcome> {
  if (row.bodyKind !== "relay" || outcome.kind !== "unconfirmed" || outcome.hostSpoke) return outcome;
  const asked = await askHost(fx, row);
  if (asked.kind === "unconfirmed") {
    return { ...outcome, possibleId: outcome.possibleId ?? asked.possibleId, hostSpoke: asked.hostSpoke };
  }
  const { hostRefusal } = outcome;
  const isNeverSent = asked.kind === "retry" && asked.error.hostReason === "never_sent";
  return isNeverSent && hostRefusal ? { kind: "rejected", error: hostRefusal } : asked;
}

/**
 * The host remembers an attempt for 24 hours, and says "never sent" of each that it does not know. So its word counts for
 * as long as it surely remembers, with four hours to spare for clocks that differ.
 */
const NEVER_SENT_COUNTS_MS = 20 * 60 * 60 * 1000;

/**
 * What the host knows of an attempt whose answer says neither yes nor no. The host never sends an attempt that it was
 * asked about: what has not left it by then never will. Never rejects: without an answer of the host, and for "never sent"
 * of an attempt that the host may have forgotten, the outcome is unconfirmed as before.
 */
export async function askHost(fx: SubmitEffects, row: OutboxRow): Promise<SendOutcome> {
  try {
    const options = { attemptId: attemptIdOf(row), memory: row.hostMemory };
    const asked = classifyAnswer(await fx.api.withdraw(row.request, options));
    return asked.kind === "unconfirmed" ? { ...asked, hostSpoke: true } : asked;
  } catch (error) {
    const { hostReason } = error instanceof RefusedError ? error : { hostReason: undefined };
    if (error instanceof UnreadableAnswerError && error.unproven) {
      const { id, words } = error.unproven;
      // The first answer again, if it is the one that the row has; otherwise anybody's.
      const hostSpoke = words === row.refusal?.message && id === row.possibleId;
      return unconfirmed({ refusal: { status: error.status, message: words }, possibleId: id, hostSpoke });
    }
    // Something between this page and the host answered, or nobody did.
    if (hostReason === undefined) return unconfirmed();
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
