// Which event an answer to a submit is, and which one the host's memory makes of it; which jobs of the list can be those of an
// intent; when a list that does not show one may be taken to say that there is none. Nothing here reads a browser's error
// text: browsers give the same one for everything.
import type { ApiError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { definiteRefusal } from "./answers.ts";
import { ABSENT_AFTER_MS, type BodyKind, type Intent, type PossibleJob, type Refusal } from "./intent.ts";

/**
 * What the answer to an attempt, or the host's memory of it, comes to: an event of the machine, with what whoever made the
 * attempt needs to go on.
 */
export type AnswerEvent =
  | { kind: "job-known"; jobs: [Job]; how: "answered" }
  /**
   * `keptBy`: the answer of what stands between page and host, and kept the attempt from it. Whoever asked the host adds its
   * words to what is shown.
   */
  | { kind: "refused"; refusal: Refusal; error: RefusedError; keptBy?: Refusal }
  | { kind: "refused-for-now"; refusal: Refusal; error: RefusedError; readListFirst: boolean; maxAttempts: number }
  | AnswerLost;

/** Neither yes nor no. */
export interface AnswerLost {
  kind: "answer-lost";
  refusal: Refusal | undefined;
  possibleJob: PossibleJob | undefined;
  /** The host has said all that it knows. */
  hostSpoke: boolean;
  /** The host says that it did not send this request. An earlier delivery of it may have been sent all the same. */
  hostRefusal?: RefusedError;
}

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
  hostSpoke: false,
  ...more,
});

/** The answer named the job. */
export const jobKnown = (job: Job): Extract<AnswerEvent, { kind: "job-known" }> => ({
  kind: "job-known",
  jobs: [job],
  how: "answered",
});

/** The host's answers that say: an attempt of this name was sent. */
const HOST_SENT = new Set(["outcome_unknown", "redirect", "intent_reused"]);

/**
 * The event of a submit that ended with an error. What is not surely a refusal leaves the outcome open. `error` is undefined
 * for whatever else may have been thrown.
 */
export function eventOfError(error: ApiError | undefined, body: BodyKind): AnswerEvent {
  if (error?.name === "RefusedError") {
    const { hostReason } = error;
    // Without a host, a header of that name is the service's, and means nothing.
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
  if (HOST_SENT.has(hostReason)) return answerLost({ hostSpoke: true });
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
  // A row from the future was written by a clock that was wrong.
  const isRemembered = Math.abs(nowMs - sentAtMs) < NEVER_SENT_COUNTS_MS;
  if (hostReason === NEVER_SENT && !isRemembered) return answerLost({ hostSpoke: true });
  if (hostReason === FIRST_ANSWER || hostReason === NEVER_SENT || HOST_SENT.has(hostReason)) {
    const event = eventOfError(error, "relay");
    return event.kind === "answer-lost" ? { ...event, hostSpoke: true } : event;
  }
  // The host cannot look it up now.
  return answerLost();
}

/**
 * What an open outcome comes to with what the host knows of the attempt. A browser may have delivered the request twice, so a
 * refusal of the host counts only once its memory has no earlier delivery.
 */
export function withHostMemory(lost: AnswerLost, known: AnswerEvent): AnswerEvent {
  if (known.kind === "answer-lost") {
    const { hostSpoke, refusal = lost.refusal, possibleJob = lost.possibleJob } = known;
    return { ...lost, refusal, possibleJob, hostSpoke };
  }
  const { hostRefusal, refusal } = lost;
  if (known.kind !== "refused-for-now" || !isNeverSent(known)) return known;
  if (hostRefusal) return refused(hostRefusal);
  // Something between the page and the host refused it, and would refuse the next attempt as well, unless it was only busy.
  const isRefused = refusal !== undefined && refusal.status < 500;
  return isRefused ? { ...refused(known.error), keptBy: refusal } : known;
}

/** What the job list showed of a model before the first attempt of an intent. */
export interface Baseline {
  ids: ReadonlySet<string>;
  /** It holds the jobs that were made after this, by the service's clock in Unix seconds. */
  afterSeconds: number;
}

/** For an intent whose list is not there: any job may have been there before, so that the list proves none to be new. */
export const NO_BASELINE: Baseline = { ids: new Set(), afterSeconds: Number.POSITIVE_INFINITY };

/** Clocks of one service may differ a little among each other. */
const WINDOW_SECONDS = 24 * 3600;

/**
 * Where the window of list calls begins that only saves reading, in Unix seconds: before the newest of the listed jobs, or
 * before the service's own time if that is earlier. The device's clock has no part in it. 0 where no job has a time: no window.
 */
export function windowFrom(jobs: readonly Job[], serviceSeconds = Number.POSITIVE_INFINITY): number {
  const times = jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);
  if (times.length === 0) return 0;
  return Math.max(0, Math.floor(Math.min(Math.max(...times), serviceSeconds)) - WINDOW_SECONDS);
}

/** How a job's echoed payload relates to what was sent. `silent`: the service did not echo it. */
type PayloadFit = "same" | "silent" | "unlike" | "foreign";

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
  /** The first one echoes exactly what was sent. */
  certain: boolean;
  /** Other new jobs of the model came from elsewhere. */
  foreignSeen: boolean;
  /** They may as well have been there before: to be taken only when nothing else turns up. */
  isGuess: boolean;
}

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

/** Whether the baseline would hold the job, had it been there before. */
function isCovered(
  { listedAfterSeconds }: Pick<Intent, "listedAfterSeconds">,
  { afterSeconds }: Baseline,
  { createdAtSeconds }: Job,
): boolean {
  if (afterSeconds <= listedAfterSeconds) return true;
  return createdAtSeconds !== undefined && createdAtSeconds > afterSeconds;
}

/** One consent cannot have made more jobs than a network delivers. */
const MAX_CLAIMED = 10;

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
  const covered = fitting(fresh.filter(isNew), row);
  if (covered.ours.length > 0 || fresh.every(isNew)) return covered;
  const { ours } = fitting(fresh, row);
  const [newest] = ours.sort((a, b) => (b.createdAtSeconds ?? 0) - (a.createdAtSeconds ?? 0));
  return { ours: newest ? [newest] : [], certain: false, foreignSeen: true, isGuess: true };
}

function fitting(fresh: Job[], { request }: Intent): Matches {
  const fits = fresh.map((job) => ({ job, fit: payloadFit(request.payload, job.payload) }));
  const same = fits.filter(({ fit }) => fit === "same");
  const ours = same.length > 0 ? same : fits.filter(({ fit }) => fit !== "foreign");
  return {
    ours: ours.map(({ job }) => job).slice(0, MAX_CLAIMED),
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
export function claimOf(
  { ours, certain, foreignSeen, isGuess }: Matches,
  { shared }: Intent,
  { waitedMs, mayLeave }: { waitedMs: number; mayLeave: boolean },
): { jobs: [Job, ...Job[]]; isSure: boolean } | undefined {
  const [job, ...others] = ours;
  if (!job || (!certain && mayLeave) || (isGuess && waitedMs < ABSENT_AFTER_MS)) return undefined;
  return { jobs: [job, ...others], isSure: certain || (others.length === 0 && !foreignSeen && !shared) };
}

/**
 * Whether the record of an id that an unproven answer named can be the intent's job. It cannot where it was made before the
 * baseline, or has another model and another prompt; nor, where the answer needs an echo, unless it repeats what was sent.
 */
export function fitsNamedJob(job: Job, { request, listedAfterSeconds }: Intent, { needsEcho }: PossibleJob): boolean {
  const fit = payloadFit(request.payload, job.payload);
  const isForeign = fit === "foreign" && job.model !== undefined && job.model !== request.model;
  // The baseline reaches no further back.
  const isOlder = job.createdAtSeconds !== undefined && job.createdAtSeconds <= listedAfterSeconds;
  return !isForeign && !isOlder && (!needsEcho || fit === "same");
}

/** A network that sends a request twice does so within the life of the request. */
const DUPLICATE_WITHIN_SECONDS = 200;
/** A network delivers a request twice, hardly ever more often. */
const MAX_BESIDE = 10;

/**
 * Jobs that appeared beside an intent's own: claimed by no intent, made in its time, and not proven to be another
 * client's.
 */
export function jobsBeside(row: Intent, baseline: Baseline, listed: Job[], named: ReadonlySet<string>): Job[] {
  const own = listed.find(({ requestId }) => row.requestIds.includes(requestId));
  // A job that was found in the list may itself be the wrong one, and an earlier attempt has a time of its own.
  const isInTime = (job: Job) =>
    row.how !== "answered" ||
    row.attempt > 1 ||
    own?.createdAtSeconds === undefined ||
    job.createdAtSeconds === undefined ||
    Math.abs(job.createdAtSeconds - own.createdAtSeconds) <= DUPLICATE_WITHIN_SECONDS;
  const fresh = listed.filter(
    (job) =>
      !baseline.ids.has(job.requestId) &&
      !named.has(job.requestId) &&
      isCovered(row, baseline, job) &&
      !row.requestIds.includes(job.requestId) &&
      isInTime(job),
  );
  const fits = fresh.map((job) => ({ job, fit: payloadFit(row.request.payload, job.payload) }));
  const besides = fits.filter(({ fit }) => fit === "same" || fit === "silent").map(({ job }) => job);
  return besides.slice(0, MAX_BESIDE);
}

/** After this much polling in vain, the polling for an intent that is called absent ends. */
export const GIVE_UP_MS = 15 * 60_000;
/** However slow a list once was, "not found" is said after this long. */
const MAX_ABSENT_MS = 8 * 60_000;
const MIN_GOOD_POLLS = 5;
const LAG_FACTOR = 3;

/** An attempt that the host has not accounted for may still be on its way to it, but not for so long. */
export const mayStillLeave = (hostSpoke: boolean, waitedMs: number) => !hostSpoke && waitedMs < MAX_ABSENT_MS;

/**
 * Whether polls that showed no job may be taken to say that there is none: enough good ones over enough time, which is two
 * minutes, and longer where the list was once slow.
 */
export function provesAbsence({
  goodPolls,
  waitedMs,
  mayLeave,
  wasIdAsked,
  longestLagMs,
}: {
  /** Polls that could be read, at least `SHORTEST_POLL_MS` apart, the last of them included. */
  goodPolls: number;
  waitedMs: number;
  /** See `mayStillLeave`. */
  mayLeave: boolean;
  /** The service could be asked for the id that the answer named, if it named one. */
  wasIdAsked: boolean;
  /** The longest time for which this account's list was once behind. */
  longestLagMs: number;
}): boolean {
  if (goodPolls < MIN_GOOD_POLLS || mayLeave) return false;
  // The next poll may tell whether there is a record of that id, but it is not waited for without end.
  if (!wasIdAsked && waitedMs < MAX_ABSENT_MS) return false;
  return waitedMs >= Math.min(MAX_ABSENT_MS, Math.max(ABSENT_AFTER_MS, LAG_FACTOR * longestLagMs));
}

/** Two polls of the list for one intent are at least this far apart: closer ones would see the same list. */
export const SHORTEST_POLL_MS = 5_000;
const FIRST_POLL_MS = 2_000;
const CLOSE_POLL_MS = 10_000;
const CLOSE_UNTIL_MS = 180_000;
const FAR_POLL_MS = 60_000;

/** How long to wait before the next poll, given how long was waited already. */
export function nextPollMs({ waitedMs, goodLooks }: Intent, hasFailed: boolean): number {
  if (waitedMs === 0) return FIRST_POLL_MS;
  if (waitedMs >= CLOSE_UNTIL_MS) return FAR_POLL_MS;
  return hasFailed || goodLooks < 2 ? SHORTEST_POLL_MS : CLOSE_POLL_MS;
}
