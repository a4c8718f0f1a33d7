import type { Job, JobListParams, JobRequest } from "#api/types.ts";
import { type FaultKind, PRICE, type SimSettings } from "./sim-settings.ts";
import type { Random } from "./virtual-time.ts";

/** When every schedule begins, by the service's clock. The device's clock is off from it by `skewMs`. */
export const EPOCH_MS = Date.UTC(2026, 4, 1);

interface ServedJob {
  job: Job;
  /** The consent that it was made for; undefined for a job of another client. */
  intentId: string | undefined;
  /** Which attempt of it; 0 for a job of another client. */
  attempt: number;
  createdAtMs: number;
  /** When the list of each replica first shows it. */
  visibleAtMs: number[];
  chargedMicroUsd: number;
}

export interface ListAnswer {
  jobs: Job[];
  total: number | undefined;
  /** The `Date` of the answer, in Unix seconds; undefined where the page cannot read it. */
  dateSeconds: number | undefined;
}

/** The service's side: what it made and charged. Its counters are the truth that everything is held against. */
export interface SimService {
  jobs: ServedJob[];
  create(request: JobRequest, intentId: string | undefined, attempt?: number): Job;
  list(params: JobListParams): ListAnswer;
  /** The job of an id, whether the list shows it yet or not. */
  find(requestId: string): Job | undefined;
}

const OLDER_JOB = "older-";
const OLDER_EVERY_SECONDS = 300;

/** Whether a job was made before the schedule began. */
export const isOlderJob = (requestId: string) => requestId.startsWith(OLDER_JOB);

function makeJob(requestId: string, model: string, payload: Job["payload"], createdAtSeconds: number): Job {
  return {
    requestId,
    model,
    status: "queued",
    media: [],
    payload,
    createdAtSeconds,
    updatedAtSeconds: undefined,
    failureReason: undefined,
    raw: {},
  };
}

const olderJobs = new Map<string, Job[]>();

/** The same for every schedule. Their payloads are those that will be sent again: people repeat themselves. */
function olderJobsOf(model: string, count: number, echoesPayload: boolean): Job[] {
  const key = `${model} ${count} ${echoesPayload}`;
  const known = olderJobs.get(key);
  if (known) return known;
  const jobs = Array.from({ length: count }, (_, index) => {
    const payload = echoesPayload ? { prompt: `prompt number ${index % 5}` } : undefined;
    const createdAt = EPOCH_MS / 1000 - (count - index) * OLDER_EVERY_SECONDS;
    return makeJob(`${OLDER_JOB}${model}-${index}`, model, payload, createdAt);
  });
  olderJobs.set(key, jobs);
  return jobs;
}

/** A place in a list that has nothing to do with time, and is always the same. */
function placeOf(requestId: string, length: number): number {
  let hash = 7;
  for (let index = 0; index < requestId.length; index += 1) {
    hash = (Math.imul(hash, 31) + requestId.charCodeAt(index)) >>> 0;
  }
  return Math.imul(hash, 0x9e3779b1) >>> 0 ? (Math.imul(hash, 0x9e3779b1) >>> 0) % (length + 1) : 0;
}

export function createSimService({
  nowMs,
  random,
  settings,
  note,
  trace,
}: {
  nowMs: () => number;
  random: Random;
  settings: SimSettings;
  note: (fault: FaultKind) => void;
  trace?: ((text: string) => void) | undefined;
}): SimService {
  const { mostLagMs, replicas, echoesPayload, listOrder, olderJobs: count, dateOffsetSeconds } = settings;
  const jobs: ServedJob[] = [];
  const lagMs = () => (mostLagMs === 0 ? 0 : random.between(0, mostLagMs));
  const nowSeconds = () => Math.floor((EPOCH_MS + nowMs()) / 1000);

  function ordered(older: Job[], own: Job[]): Job[] {
    if (listOrder !== "arbitrary") return [...older, ...own];
    const all = [...older];
    for (const job of own) all.splice(placeOf(job.requestId, all.length), 0, job);
    return all;
  }

  return {
    jobs,
    create: (request, intentId, attempt = intentId === undefined ? 0 : 1) => {
      const now = nowMs();
      const payload = echoesPayload ? request.payload : undefined;
      const job = makeJob(`job-${jobs.length + 1}`, request.model, payload, nowSeconds());
      const visibleAtMs = Array.from({ length: replicas }, () => now + lagMs());
      trace?.(`MADE ${job.requestId} for ${intentId}, listed ${visibleAtMs.map((at) => (at / 1000).toFixed(1))}`);
      jobs.push({ job, intentId, attempt, createdAtMs: now, visibleAtMs, chargedMicroUsd: PRICE });
      return job;
    },
    find: (requestId) => {
      const [, model = ""] = /^older-(.*)-\d+$/.exec(requestId) ?? [];
      const older = model === "" ? [] : olderJobsOf(model, count, echoesPayload);
      return [...jobs.map(({ job }) => job), ...older].find((job) => job.requestId === requestId);
    },
    list: ({ model_id: model = "", created_after: after, limit = 20, offset = 0 }) => {
      const now = nowMs();
      const replica = replicas === 1 ? 0 : random.whole(0, replicas);
      const ofModel = jobs.filter(({ job }) => job.model === model);
      const seen = ofModel.filter(({ visibleAtMs }) => (visibleAtMs[replica] ?? 0) <= now);
      if (
        ofModel.some(({ visibleAtMs }) => visibleAtMs.some((at) => at <= now) && visibleAtMs.some((at) => at > now))
      ) {
        note("replicas-differ");
      }
      const own = seen.map(({ job }) => job);
      let listed = count === 0 ? own : ordered(olderJobsOf(model, count, echoesPayload), own);
      if (after !== undefined) listed = listed.filter(({ createdAtSeconds = 0 }) => createdAtSeconds > after);
      if (listOrder === "newest-first") listed = listed === own ? own.reverse() : listed.toReversed();
      return {
        jobs: listed.length <= limit && offset === 0 ? listed : listed.slice(offset, offset + Math.min(limit, 1000)),
        total: settings.seed % 3 === 0 ? listed.length : undefined,
        dateSeconds: dateOffsetSeconds === undefined ? undefined : nowSeconds() + dateOffsetSeconds,
      };
    },
  };
}
