// Which jobs of the list can be the job of an intent.
import { RefusedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { isRecordOf } from "#api/jobs.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { isClaim, trackedRows } from "#storage/job-records.ts";
import { readAll } from "#storage/typed-rows.ts";
import { MAX_PAGE_JOBS } from "../list/job-pages.ts";
import { mayHaveMore } from "../list/reading-place.ts";
import type { SubmitEffects } from "./effects.ts";
import type { Baseline, Intent, PossibleJob } from "./intent.ts";
import { readBaseline } from "./outbox.ts";

const MOST_PAGES = 10;
/** Up to this many jobs of a model are read without a window. */
const FEW = 200;
/** Clocks of one service may differ a little among each other. */
const WINDOW_SECONDS = 24 * 3600;

/**
 * What the list shows before anything is sent. Without it the job of a lost answer could not be recognized, so nothing is
 * sent: rejects when the list or the store cannot be read.
 *
 * The window that later polls of the list use comes from the service alone, never from the device's clock: from the
 * newest of its jobs, or its own time if that is earlier. Where neither is known, and where the model has few jobs, there
 * is no window.
 */
export async function listBaseline(fx: SubmitEffects, model: string) {
  const first = await readPages(fx, { model_id: model }, { page: FEW, mostPages: 1 });
  const listedAfterSeconds = first.isWhole ? 0 : windowFrom(first.jobs, fx.api.serviceSeconds());
  const more = first.isWhole ? [] : await listModelJobs(fx, model, listedAfterSeconds);
  const claimed = await claimedJobs(fx);
  const ids = new Set([...first.jobs, ...more].map(({ requestId }) => requestId));
  return { ids, listedAfterSeconds, shared: [...ids].some((id) => !claimed.has(id)) };
}

function windowFrom(jobs: readonly Job[], serviceSeconds = Number.POSITIVE_INFINITY): number {
  const times = jobs.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);
  if (times.length === 0) return 0;
  return Math.max(0, Math.floor(Math.min(Math.max(...times), serviceSeconds)) - WINDOW_SECONDS);
}

/**
 * Every job of a model since a moment of the service's clock, each once; all of them with 0 (spec 4.1: limit at most
 * 1000). Rejects with an `ApiError` when a page cannot be read.
 */
export async function listModelJobs(
  fx: Pick<SubmitEffects, "api">,
  model: string,
  createdAfterSeconds: number,
): Promise<Job[]> {
  const query = { model_id: model, ...(createdAfterSeconds > 0 ? { created_after: createdAfterSeconds } : {}) };
  return (await readPages(fx, query, { page: MAX_PAGE_JOBS, mostPages: MOST_PAGES })).jobs;
}

// Not `readJobPage`: what is compared is one model's newest jobs, within a bound, and it must be read before anything is sent.
async function readPages(
  { api }: Pick<SubmitEffects, "api">,
  query: JobListParams,
  { page, mostPages }: { page: number; mostPages: number },
): Promise<{ jobs: Job[]; isWhole: boolean }> {
  const jobs = new Map<string, Job>();
  let read = 0;
  let place: JobListParams = { offset: 0 };
  let before: JobPage | undefined;
  for (let count = 0; count < mostPages; count += 1) {
    const found = await api.listJobs({ ...query, limit: page, ...place });
    const known = jobs.size;
    for (const job of found.jobs) jobs.set(job.requestId, job);
    read += found.jobs.length;
    const isRepeated = jobs.size === known;
    // A page without a new job is the end, or the service counts no offset and names another place to go on from.
    if (isRepeated && place.next === undefined && before?.next !== undefined) place = { next: before.next };
    else if (isRepeated || !mayHaveMore(found, page, read)) return { jobs: [...jobs.values()], isWhole: true };
    else place = placeAfter(place, found, read);
    before = found;
  }
  return { jobs: [...jobs.values()], isWhole: false };
}

function placeAfter(place: JobListParams, { next }: JobPage, read: number): JobListParams {
  if (next?.offset !== undefined && /^\d+$/.test(next.offset)) return { offset: Number(next.offset) };
  return place.next !== undefined && next !== undefined ? { next } : { offset: read };
}

/** Ids of jobs that belong to an intent. Rejects when the store cannot be read. */
export async function claimedJobs({
  rows,
  accountId,
}: Pick<SubmitEffects, "rows" | "accountId">): Promise<Set<string>> {
  const tracked = await readAll(rows, trackedRows, accountId);
  const belongs = tracked.filter(({ origin }) => isClaim(origin));
  return new Set(belongs.map(({ requestId }) => requestId));
}

/**
 * The job that an unproven answer named. `none`: the service has no record of it, or it is the job of somebody else, because
 * it was there before, belongs to another intent, or has another model and another prompt; where the answer needs an echo,
 * because it does not repeat what was sent. `unknown`: the service could not be asked. Never rejects.
 */
export async function findNamedJob(
  fx: SubmitEffects,
  row: Intent,
  { id, needsEcho }: PossibleJob,
): Promise<Job | "none" | "unknown"> {
  const { request, listedAfterSeconds } = row;
  try {
    if ((await readBaseline(fx, row)).ids.has(id)) return "none";
    const job = await fx.api.getJob(id);
    if (!isRecordOf(job.raw, id)) return "none";
    const fit = payloadFit(request.payload, job.payload);
    const isForeign = fit === "foreign" && job.model !== undefined && job.model !== request.model;
    // The baseline reaches no further back.
    const isOlder = job.createdAtSeconds !== undefined && job.createdAtSeconds <= listedAfterSeconds;
    if (isForeign || isOlder || (needsEcho && fit !== "same")) return "none";
    return (await claimedJobs(fx)).has(id) ? "none" : job;
  } catch (error) {
    if (error instanceof UnreadableAnswerError || error instanceof UnusableIdError) return "none";
    return error instanceof RefusedError && NO_SUCH_JOB.has(error.status) ? "none" : "unknown";
  }
}

/** Of whatever body: it is asked for again with each poll. */
const NO_SUCH_JOB = new Set([400, 404, 410, 422]);

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

/** Compares a payload with the echo of it. Only another prompt proves that the job is somebody else's. Never throws. */
export function payloadFit(sent: JsonRecord, echoed: JsonRecord | undefined): PayloadFit {
  if (!echoed || Object.keys(echoed).length === 0) return "silent";
  const promptKey = longestTextKey(sent);
  const prompt = promptKey === undefined ? undefined : echoed[promptKey];
  if (promptKey !== undefined && typeof prompt === "string" && prompt !== sent[promptKey]) return "foreign";
  return Object.keys(sent).every((key) => sameValue(sent[key], echoed[key])) ? "same" : "unlike";
}

interface Matches {
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
export function isCovered(
  { listedAfterSeconds }: Pick<Intent, "listedAfterSeconds">,
  { afterSeconds }: Baseline,
  { createdAtSeconds }: Job,
): boolean {
  if (afterSeconds <= listedAfterSeconds) return true;
  return createdAtSeconds !== undefined && createdAtSeconds > afterSeconds;
}

/** One consent cannot have made more jobs than a network delivers. */
const MOST_CLAIMED = 10;

/**
 * New jobs of the model: listed now, not in the intent's baseline, not claimed by another intent. Identity comes from this
 * set difference and never from the device's clock. Of jobs that the baseline did not cover, the newest is taken where
 * there is no other, and never for certain. Never throws.
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
    ours: ours.map(({ job }) => job).slice(0, MOST_CLAIMED),
    certain: same.length > 0,
    foreignSeen: fits.length > ours.length,
    isGuess: false,
  };
}
