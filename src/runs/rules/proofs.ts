// From what is seen to what is known: which event follows from an answer and from what the host remembers of an attempt, which
// listed jobs can be those of an intent. Nothing here reads a browser's error text: browsers give the same one for everything.
import type { ApiError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { ABSENT_AFTER_MS } from "./absence.ts";
import { definiteRefusal } from "./answers.ts";
import type { BodyKind, Intent, PossibleJob, Refusal } from "./intent.ts";

/**
 * The event that follows from the answer to an attempt, or from what the host remembers of it. Beside what the table reads it
 * has what `run.ts` needs for its next step.
 */
export type AnswerEvent =
  | { kind: "job-known"; jobs: [Job]; how: "answered" }
  /**
   * `blockedBy`: the answer of something between page and host that stopped the attempt. `askHostIfOpen` adds its words to the
   * message.
   */
  | { kind: "refused"; refusal: Refusal; error: RefusedError; blockedBy?: Refusal }
  | { kind: "refused-for-now"; refusal: Refusal; error: RefusedError; readListFirst: boolean; maxAttempts: number }
  | AnswerLost;

/** The answer said neither yes nor no, or there was none. */
export interface AnswerLost {
  kind: "answer-lost";
  refusal: Refusal | undefined;
  possibleJob: PossibleJob | undefined;
  /** The host has said all that it knows of the attempt: it need not be asked again. */
  isHostDone: boolean;
  /** The host says that it did not send this request. An earlier delivery of it may have been sent all the same. */
  hostRefusal?: RefusedError;
}

/** How many attempts one press makes at most, by what refused them. */
const MAX_ATTEMPTS_RATE_LIMITED = 6;
const MAX_ATTEMPTS_UNAVAILABLE = 5;

/** The host gives the service's first answer again. */
const FIRST_ANSWER = "first_answer";

/** The words of a refusal, as they are stored and shown. */
const refusalOf = ({ status, message, hostReason }: RefusedError): Refusal =>
  hostReason === undefined || hostReason === FIRST_ANSWER ? { status, message } : { status, message, isOfHost: true };

const refused = (error: RefusedError): Extract<AnswerEvent, { kind: "refused" }> => ({
  kind: "refused",
  refusal: refusalOf(error),
  error,
});

const answerLost = (more: Partial<AnswerLost> = {}): AnswerLost => ({
  kind: "answer-lost",
  refusal: undefined,
  possibleJob: undefined,
  isHostDone: false,
  ...more,
});

/** The event for an answer that names its job. */
export const jobKnown = (job: Job): Extract<AnswerEvent, { kind: "job-known" }> => ({
  kind: "job-known",
  jobs: [job],
  how: "answered",
});

/** The host's answers that say that it has sent the attempt. */
const HOST_SENT = new Set(["outcome_unknown", "redirect", "intent_reused"]);

/**
 * The event of a submit that ended with an error. What is not surely a refusal leaves the outcome open. `error` is undefined
 * for whatever else may have been thrown.
 */
export function eventOfError(error: ApiError | undefined, body: BodyKind): AnswerEvent {
  if (error?.name === "RefusedError") {
    const { hostReason } = error;
    // Without a host, the header that gives the host's reason is the service's, and means nothing.
    if (body === "relay" && hostReason !== undefined && hostReason !== FIRST_ANSWER) return eventOfHostRefusal(error);
    const definite = definiteRefusal(error);
    if (definite === "final") return refused(error);
    if (definite === undefined) return answerLost({ refusal: refusalOf(error) });
    const isRateLimit = error.status === 429;
    return {
      ...refused(error),
      kind: "refused-for-now",
      // A browser may deliver a plain body twice, and this may be the answer to the second delivery alone.
      readListFirst: !isRateLimit || body === "plain",
      maxAttempts: isRateLimit ? MAX_ATTEMPTS_RATE_LIMITED : MAX_ATTEMPTS_UNAVAILABLE,
    };
  }
  if (error?.name !== "UnreadableAnswerError") return answerLost();
  const { id, words = "", needsEcho = true } = error.unproven ?? {};
  const possibleJob = id === undefined ? undefined : { id, needsEcho };
  return answerLost({ refusal: { status: error.status, message: words }, possibleJob });
}

function eventOfHostRefusal(error: RefusedError): AnswerEvent {
  const { hostReason = "" } = error;
  if (hostReason === NEVER_SENT)
    return {
      ...refused(error),
      kind: "refused-for-now",
      readListFirst: false,
      maxAttempts: MAX_ATTEMPTS_UNAVAILABLE,
    };
  if (HOST_SENT.has(hostReason)) return answerLost({ isHostDone: true });
  return answerLost({ refusal: refusalOf(error), hostRefusal: error });
}

/** The host's promise that the attempt never left it and never will. */
const NEVER_SENT = "never_sent";

/** Whether a refusal says that the attempt never left the host, and never will. */
export const isNeverSent = ({ error }: { error: RefusedError }) => error.hostReason === NEVER_SENT;

/**
 * After 24 hours the host forgets an attempt, and then says "never sent" though it sent it. So that word counts for 20 hours
 * only; four hours allow for clocks that differ.
 */
const NEVER_SENT_COUNTS_MS = 20 * 60 * 60 * 1000;

/**
 * The event of an error with which the host was asked what became of an attempt. Without an answer of the host, and for "never
 * sent" of an attempt that the host may have forgotten, the outcome is open as before.
 */
export function eventOfHostMemory(
  error: ApiError | undefined,
  { sentAtMs }: Pick<Intent, "sentAtMs">,
  nowMs: number,
): AnswerEvent {
  const isAnswer = error?.name === "RefusedError" || error?.name === "UnreadableAnswerError";
  const hostReason = isAnswer ? error.hostReason : undefined;
  // Something between this page and the host answered, or nobody did.
  if (hostReason === undefined) return answerLost();
  // A row with a time in the future was written while the clock was wrong.
  const isRemembered = Math.abs(nowMs - sentAtMs) < NEVER_SENT_COUNTS_MS;
  if (hostReason === NEVER_SENT && !isRemembered) return answerLost({ isHostDone: true });
  if (hostReason === FIRST_ANSWER || hostReason === NEVER_SENT || HOST_SENT.has(hostReason)) {
    const event = eventOfError(error, "relay");
    return event.kind === "answer-lost" ? { ...event, isHostDone: true } : event;
  }
  // The host cannot look it up now.
  return answerLost();
}

/**
 * The event of an answer that said neither yes nor no, with what the host knows of the attempt. A browser may have delivered the
 * request twice, so a refusal of the host counts only if its memory holds no earlier delivery.
 */
export function withHostMemory(lost: AnswerLost, known: AnswerEvent): AnswerEvent {
  if (known.kind === "answer-lost") {
    const { isHostDone, refusal = lost.refusal, possibleJob = lost.possibleJob } = known;
    return { ...lost, refusal, possibleJob, isHostDone };
  }
  const { hostRefusal, refusal } = lost;
  if (known.kind !== "refused-for-now" || !isNeverSent(known)) return known;
  if (hostRefusal) return refused(hostRefusal);
  // Something between the page and the host refused it. Below 500 it would refuse the next attempt as well; above, it was busy.
  const isRefused = refusal !== undefined && refusal.status < 500;
  return isRefused ? { ...refused(known.error), blockedBy: refusal } : known;
}

/** What the job list showed of a model before the first attempt of an intent. */
export interface Baseline {
  ids: ReadonlySet<string>;
  /** It holds the jobs that were made after this, by the service's clock in Unix seconds. */
  afterSeconds: number;
}

/** For an intent whose baseline is missing: any listed job may have been there before, so none is proven to be new. */
export const NO_BASELINE: Baseline = { ids: new Set(), afterSeconds: Number.POSITIVE_INFINITY };

/** How far the window reaches back before the newest job: the clocks of one service's machines differ by less than a day. */
const WINDOW_SECONDS = 24 * 3600;

/**
 * List calls for one intent ask only for jobs since this moment, to read less. In Unix seconds: one day before the newest of the
 * listed jobs, or before the service's own time if that is earlier. The device's clock has no part in it. 0 where no job has a
 * time: then all are asked for.
 */
export function windowFrom(jobs: readonly Job[], serviceSeconds = Number.POSITIVE_INFINITY): number {
  const times = jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);
  if (times.length === 0) return 0;
  return Math.max(0, Math.floor(Math.min(Math.max(...times), serviceSeconds)) - WINDOW_SECONDS);
}

/**
 * How a job's echoed payload relates to what was sent. `silent`: the service did not echo it. `foreign`: it has another prompt.
 * `unlike`: the prompt is the same or not there, and other values differ.
 */
type PayloadFit = "same" | "silent" | "unlike" | "foreign";

/** Whether an echoed value is what was sent. Keys and defaults that the service added do not count. */
function sameValue(sent: unknown, echoed: unknown): boolean {
  if (Object.is(sent, echoed)) return true;
  if (Array.isArray(sent) && Array.isArray(echoed)) {
    return sent.length === echoed.length && sent.every((item, index) => sameValue(item, echoed[index]));
  }
  if (isRecord(sent) && isRecord(echoed)) return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key]));
  // Servers turn "5" into 5 and back.
  return typeof sent !== "object" && typeof echoed !== "object" && String(sent) === String(echoed);
}

/** The key of the longest text that was sent: the prompt, under whatever name. */
function longestTextKey(payload: JsonRecord): string | undefined {
  const texts = Object.entries(payload).filter(([, value]) => typeof value === "string") as [string, string][];
  return texts.sort((a, b) => b[1].length - a[1].length)[0]?.[0];
}

/** Compares a payload with the echo of it. Only another prompt proves that the job is somebody else's. */
function payloadFit(sent: JsonRecord, echoed: JsonRecord | undefined): PayloadFit {
  if (!echoed || Object.keys(echoed).length === 0) return "silent";
  const promptKey = longestTextKey(sent);
  const prompt = promptKey === undefined ? undefined : echoed[promptKey];
  if (promptKey !== undefined && typeof prompt === "string" && prompt !== sent[promptKey]) return "foreign";
  return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key])) ? "same" : "unlike";
}

/** The jobs of a list that can be those of an intent. */
export interface Matches {
  /** Jobs that may be this intent's, the likeliest first. */
  ours: Job[];
  /** They echo exactly what was sent. */
  certain: boolean;
  /** Other new jobs of the model came from elsewhere. */
  foreignSeen: boolean;
  /** The baseline does not cover `ours`, so it may have been there before: it is taken only where nothing else appears. */
  isGuess: boolean;
}

/** The clocks of a service's machines, which give jobs their times, may differ by this much. */
const SAME_SERVICE_SECONDS = 3600;

/**
 * Whether a job was surely made before the newest of the baseline, by the service's own times. A list may show jobs that
 * the baseline did not reach.
 */
function olderThanBaseline(listed: Job[], baseline: ReadonlySet<string>): (job: Job) => boolean {
  const times = listed.flatMap((job) => (baseline.has(job.requestId) ? (job.createdAtSeconds ?? []) : []));
  const newest = times.reduce((latest, time) => Math.max(latest, time), 0);
  return ({ createdAtSeconds }) => createdAtSeconds !== undefined && createdAtSeconds < newest - SAME_SERVICE_SECONDS;
}

/** Whether the baseline would have the job if it had been made before the attempt. */
function isCovered(
  { listedAfterSeconds }: Pick<Intent, "listedAfterSeconds">,
  { afterSeconds }: Baseline,
  { createdAtSeconds }: Job,
): boolean {
  if (afterSeconds <= listedAfterSeconds) return true;
  return createdAtSeconds !== undefined && createdAtSeconds > afterSeconds;
}

/** A network delivers one request a few times at most: more jobs than that are not this intent's. */
const MAX_DELIVERIES = 10;

/**
 * New jobs of the model: listed now, not in the intent's baseline, not claimed by another intent. Identity comes from this
 * set difference and never from the device's clock. Of jobs that the baseline did not cover, the newest is taken where
 * there is no other, and never for certain.
 */
export function matchJobs(listed: Job[], row: Intent, baseline: Baseline, claimed: ReadonlySet<string>): Matches {
  const { ids } = baseline;
  const isOlder = olderThanBaseline(listed, ids);
  const fresh = listed.filter((job) => !ids.has(job.requestId) && !claimed.has(job.requestId) && !isOlder(job));
  const isNew = (job: Job) => isCovered(row, baseline, job);
  const covered = matchPayloads(fresh.filter(isNew), row);
  if (covered.ours.length > 0 || fresh.every(isNew)) return covered;
  const { ours } = matchPayloads(fresh, row);
  const [newest] = ours.sort((a, b) => (b.createdAtSeconds ?? 0) - (a.createdAtSeconds ?? 0));
  return { ours: newest ? [newest] : [], certain: false, foreignSeen: true, isGuess: true };
}

/** Those of some new jobs that can be an intent's by their payloads: exact echoes, else all but those of another prompt. */
function matchPayloads(fresh: Job[], { request }: Intent): Matches {
  const fits = fresh.map((job) => ({ job, fit: payloadFit(request.payload, job.payload) }));
  const same = fits.filter(({ fit }) => fit === "same");
  const ours = same.length > 0 ? same : fits.filter(({ fit }) => fit !== "foreign");
  return {
    ours: ours.map(({ job }) => job).slice(0, MAX_DELIVERIES),
    certain: same.length > 0,
    foreignSeen: fits.length > ours.length,
    isGuess: false,
  };
}

/**
 * The jobs that an intent may take after a poll, its own first, and whether that is certain; undefined: none yet. A job that is
 * only likely is not taken while the attempt may still leave its host: that attempt may make a job later, and this one may be
 * somebody else's.
 */
export function findClaim(
  { ours, certain, foreignSeen, isGuess }: Matches,
  { shared }: Intent,
  { waitedMs, mayArrive }: { waitedMs: number; mayArrive: boolean },
): { jobs: [Job, ...Job[]]; isSure: boolean } | undefined {
  const [job, ...others] = ours;
  if (!job || (!certain && mayArrive) || (isGuess && waitedMs < ABSENT_AFTER_MS)) return undefined;
  return { jobs: [job, ...others], isSure: certain || (others.length === 0 && !foreignSeen && !shared) };
}

/**
 * Whether the record of an id that an unproven answer named can be the intent's job. It cannot where it was made before the
 * baseline, or has another model and another prompt; nor, where the answer needs an echo, unless it repeats what was sent.
 */
export function fitsNamedJob(job: Job, { request, listedAfterSeconds }: Intent, { needsEcho }: PossibleJob): boolean {
  const fit = payloadFit(request.payload, job.payload);
  const isForeign = fit === "foreign" && job.model !== undefined && job.model !== request.model;
  // The baseline has no jobs from before that moment, so it cannot say whether this one was there.
  const isOlder = job.createdAtSeconds !== undefined && job.createdAtSeconds <= listedAfterSeconds;
  return !isForeign && !isOlder && (!needsEcho || fit === "same");
}

/** A network that sends a request twice does so within the life of the request, which is shorter than this. */
const DUPLICATE_WITHIN_SECONDS = 200;

/**
 * Jobs that appeared beside an intent's own: claimed by no intent, made in its time, and not proven to be another
 * client's.
 */
export function jobsBeside(row: Intent, baseline: Baseline, listed: Job[], known: ReadonlySet<string>): Job[] {
  const ownJob = listed.find(({ requestId }) => row.requestIds.includes(requestId));
  // The time of the intent's own job counts only where that job is certain and there was only one attempt.
  const isInTime = (job: Job) =>
    row.how !== "answered" ||
    row.attempt > 1 ||
    ownJob?.createdAtSeconds === undefined ||
    job.createdAtSeconds === undefined ||
    Math.abs(job.createdAtSeconds - ownJob.createdAtSeconds) <= DUPLICATE_WITHIN_SECONDS;
  const fresh = listed.filter(
    (job) =>
      !baseline.ids.has(job.requestId) &&
      !known.has(job.requestId) &&
      isCovered(row, baseline, job) &&
      !row.requestIds.includes(job.requestId) &&
      isInTime(job),
  );
  const fits = fresh.map((job) => ({ job, fit: payloadFit(row.request.payload, job.payload) }));
  const extraJobs = fits.filter(({ fit }) => fit === "same" || fit === "silent").map(({ job }) => job);
  return extraJobs.slice(0, MAX_DELIVERIES);
}
