import type { Api } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import type { OffsetUnit } from "#jobs/offset-unit.ts";
import { abortableDelay } from "#lib/delay.ts";
import { isRecord } from "#lib/read.ts";
import { MAX_PAGE_SIZE } from "../history-search.ts";

/** The pause between two pages, so that the rate limit has room for everything else. */
const REST_MS = 200;
const MOST_FAILURES = 6;

interface ReadAllOptions {
  api: Pick<Api, "listJobs">;
  plan: ReadPlan;
  /** Takes a page, and returns how many of its jobs were new. */
  onPage: (jobs: Job[]) => number;
  /** After each page, with the plan to go on from. */
  onPlan: (plan: ReadPlan) => void;
  signal: AbortSignal;
  /** What an offset counts; asked for only where records carry no times. */
  offsetUnit: () => Promise<OffsetUnit>;
  restMs?: number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Reads every job that is not known, 1,000 at a time (spec 4.1), newest first and by time rather than by offset, so that
 * jobs which arrive meanwhile shift nothing. 429, 502, 503 and no answer are waited out with growing pauses.
 * @throws the ApiError that did not pass, or the signal's reason. The plan given last is where to go on.
 */
export async function readAllJobs(options: ReadAllOptions): Promise<void> {
  const { signal, onPage, onPlan, restMs = REST_MS, wait = abortableDelay } = options;
  let plan = options.plan;
  let next: JobPage["next"];
  while (!isComplete(plan)) {
    const page = await patientPage(options, plan, next, wait);
    next = page.next;
    const fresh = onPage(page.jobs);
    const seconds = page.jobs.flatMap((job) => (job.createdAtSeconds === undefined ? [] : [job.createdAtSeconds]));
    plan = planAfterPage(plan, { seconds, count: page.jobs.length, isLast: isLastPage(page), fresh });
    onPlan(plan);
    if (!isComplete(plan)) await wait(restMs, signal);
  }
}

async function patientPage(
  { api, signal, offsetUnit }: ReadAllOptions,
  plan: ReadPlan,
  next: JobPage["next"],
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<JobPage> {
  const [gap] = plan.gaps;
  for (let failures = 0; ; failures++) {
    try {
      return await api.listJobs(
        {
          limit: MAX_PAGE_SIZE,
          ...(plan.isUntimed && plan.offset > 0 ? await placeOf(plan.offset, next, offsetUnit) : {}),
          ...(!plan.isUntimed && gap?.before !== undefined ? { created_before: gap.before } : {}),
          ...(!plan.isUntimed && gap?.after !== undefined ? { created_after: gap.after } : {}),
        },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || failures >= MOST_FAILURES) throw error;
      await wait(retryDelayMs(failures, error), signal);
    }
  }
}

// Only full pages were read before, so the count of jobs is a whole number of pages. Where an offset counts nothing, a
// later visit begins anew: the place to go on from is known to this one alone.
async function placeOf(jobs: number, next: JobPage["next"], unit: () => Promise<OffsetUnit>): Promise<JobListParams> {
  const counts = await unit();
  if (counts === "cursor") return next === undefined ? {} : { next };
  return { offset: counts === "pages" ? Math.floor(jobs / MAX_PAGE_SIZE) : jobs };
}

/** By the service's word, else by a short page. A total says nothing here: it may be that of all times. */
function isLastPage({ jobs, hasMore, next }: JobPage): boolean {
  if (jobs.length === 0) return true;
  return hasMore === undefined ? next === undefined && jobs.length < MAX_PAGE_SIZE : !hasMore;
}

/** A stretch of time of which the jobs are not all known. Unix seconds; both ends are asked for. */
interface Gap {
  /** Undefined: up to now. */
  before: number | undefined;
  /** Undefined: back to the first job. */
  after: number | undefined;
}

/** How far the index has read: what is still missing. `offset` counts only where records carry no times. */
export interface ReadPlan {
  gaps: Gap[];
  /** Where records carry no times: how many jobs were read from the newest on. */
  offset: number;
  isUntimed: boolean;
  /** The newest job at the last reading from now on: everything newer is not known to be complete. */
  newestSeconds: number | undefined;
}

export const NOTHING_READ: ReadPlan = {
  gaps: [{ before: undefined, after: undefined }],
  offset: 0,
  isUntimed: false,
  newestSeconds: undefined,
};

/** The service's clock and its commits may differ by some seconds. */
const OVERLAP_SECONDS = 60;

/** The plan of a new visit: what came since the last reading is a gap, before all others. */
export function planOfVisit(plan: ReadPlan): ReadPlan {
  const { newestSeconds } = plan;
  if (plan.isUntimed || newestSeconds === undefined) return { ...NOTHING_READ };
  const [first] = plan.gaps;
  // Nothing below the newest was read yet: the one gap from now on covers it.
  if (first && first.before === undefined) return plan;
  return { ...plan, gaps: [{ before: undefined, after: newestSeconds - OVERLAP_SECONDS }, ...plan.gaps] };
}

/** The plan after a page that was the whole list, such as the only one of History. `seconds`: when its jobs were made. */
export function planOfWhole(seconds: readonly (number | undefined)[]): ReadPlan {
  const known = seconds.filter((second) => second !== undefined);
  return planAfterPage(NOTHING_READ, { seconds: known, count: seconds.length, isLast: true, fresh: seconds.length });
}

/** What the plan needs of a page. */
interface ReadPage {
  /** Times of its jobs as far as they carry any. */
  seconds: number[];
  count: number;
  /** No more jobs of the gap follow. */
  isLast: boolean;
  /** Jobs that were not known before. */
  fresh: number;
}

/** The plan after a page of its first gap, newest first. */
function planAfterPage(plan: ReadPlan, page: ReadPage): ReadPlan {
  const [gap, ...rest] = plan.gaps;
  if (!gap) return plan;
  // Nothing new, and newer than what was asked for: the service does not know the bound.
  const isSame = page.fresh === 0 && gap.before !== undefined && Math.max(...page.seconds) > gap.before;
  const isShort = page.isLast || isSame;
  if (page.seconds.length < page.count || plan.isUntimed) {
    // Offsets drift downwards when jobs arrive, so the next page may repeat some and misses none.
    return { ...plan, gaps: isShort ? [] : [gap], offset: plan.offset + page.count, isUntimed: true };
  }
  const newest = gap.before === undefined && page.count > 0 ? Math.max(...page.seconds) : undefined;
  const after = { ...plan, newestSeconds: newest ?? plan.newestSeconds };
  if (isShort) return { ...after, gaps: rest };
  const oldest = Math.min(...page.seconds);
  // The bound may be meant with or without its own second: one more covers both.
  const before = oldest + 1;
  if (gap.after !== undefined && before <= gap.after) return { ...after, gaps: rest };
  // More jobs in one second than a page holds: the same bound again would ask for ever.
  const isStuck = before === gap.before && page.fresh === 0;
  return { ...after, gaps: [{ ...gap, before: isStuck ? oldest : before }, ...rest] };
}

/** Whether every job is known, as of the last page. */
export function isComplete(plan: ReadPlan): boolean {
  return plan.gaps.length === 0;
}

/** A plan read back from the database: untrusted. */
export function readPlan(raw: unknown): ReadPlan | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { gaps, offset, isUntimed, newestSeconds } = raw as Partial<ReadPlan>;
  if (!Array.isArray(gaps) || typeof offset !== "number" || typeof isUntimed !== "boolean" || !isBound(newestSeconds)) {
    return undefined;
  }
  const known = gaps.filter((gap) => isRecord(gap) && isBound(gap.before) && isBound(gap.after));
  if (known.length < gaps.length) return undefined;
  return { gaps: known.map(({ before, after }) => ({ before, after })), offset, isUntimed, newestSeconds };
}

function isBound(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}
