import type { Api } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import type { OffsetUnit } from "#jobs/offset-unit.ts";
import { abortableDelay } from "#lib/delay.ts";
import { MAX_PAGE_SIZE } from "../history-search.ts";
import { isComplete, planAfterPage, type ReadPage, type ReadPlan } from "./read-plan.ts";

/** The pause between two pages, so that the rate limit has room for everything else. */
const REST_MS = 200;
const MOST_FAILURES = 6;

interface PageOptions {
  api: Pick<Api, "listJobs">;
  plan: ReadPlan;
  /** Where the page before said that its list goes on. */
  next: JobPage["next"];
  limit: number;
  signal: AbortSignal;
  /** What an offset counts; asked for only where records carry no times. */
  offsetUnit: () => Promise<OffsetUnit>;
}

/**
 * The next page of a plan: its first gap by time rather than by offset, so that jobs which arrive meanwhile shift
 * nothing, and by number where records carry no times.
 * @throws ApiError
 */
export async function readPage({ api, plan, next, limit, signal, offsetUnit }: PageOptions): Promise<JobPage> {
  const [gap] = plan.gaps;
  const byTime = {
    ...(gap?.before === undefined ? {} : { created_before: gap.before }),
    ...(gap?.after === undefined ? {} : { created_after: gap.after }),
  };
  const byPlace = plan.offset > 0 ? await placeOf(plan.offset, next, limit, offsetUnit) : {};
  return api.listJobs({ limit, ...(plan.isUntimed ? byPlace : byTime) }, signal);
}

// Only full pages were read before, so the count of jobs is a whole number of pages. Where an offset counts nothing, a
// later visit begins anew: the place to go on from is known to this one alone.
async function placeOf(
  jobs: number,
  next: JobPage["next"],
  limit: number,
  unit: () => Promise<OffsetUnit>,
): Promise<JobListParams> {
  const counts = await unit();
  if (counts === "cursor") return next === undefined ? {} : { next };
  return { offset: counts === "pages" ? Math.floor(jobs / limit) : jobs };
}

/** What a page tells of the plan. `fresh`: how many of its jobs were not known before. */
export function readOf(page: JobPage, limit: number, fresh: number): ReadPage {
  const { jobs, total, hasMore, next } = page;
  const seconds = jobs.flatMap((job) => (job.createdAtSeconds === undefined ? [] : [job.createdAtSeconds]));
  // By the service's word, else by a short page; but a service may give fewer than it was asked for. Its total may be that
  // of all times, so it counts only as long as there is anything new.
  const mayBeCut = total !== undefined && total > jobs.length && fresh > 0;
  const isLast = hasMore === undefined ? next === undefined && jobs.length < limit && !mayBeCut : !hasMore;
  return { seconds, count: jobs.length, isLast: jobs.length === 0 || isLast, fresh };
}

interface ReadAllOptions extends Pick<PageOptions, "api" | "plan" | "signal" | "offsetUnit"> {
  /** Takes a page, and returns how many of its jobs were new. */
  onPage: (jobs: Job[]) => number;
  /** After each page, with the plan to go on from. It may give another one back, which leaves something out. */
  onPlan: (plan: ReadPlan) => ReadPlan | undefined;
  /** Hears of each page that has to be asked for again, and how often it was. */
  onFailure?: (error: unknown, failures: number) => void;
  /** How often one page is asked for again. */
  mostFailures?: number;
  restMs?: number;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Reads every job that is not known, 1,000 at a time (spec 4.1), newest first. 429, 502, 503 and no answer are waited out
 * with growing pauses.
 * @throws the ApiError that did not pass, or the signal's reason. The plan given last is where to go on.
 */
export async function readAllJobs(options: ReadAllOptions): Promise<void> {
  const { signal, onPage, onPlan, restMs = REST_MS, wait = abortableDelay } = options;
  let plan = options.plan;
  let next: JobPage["next"];
  while (!isComplete(plan)) {
    const page = await patientPage(options, plan, next, wait);
    next = page.next;
    plan = planAfterPage(plan, readOf(page, MAX_PAGE_SIZE, onPage(page.jobs)));
    plan = onPlan(plan) ?? plan;
    if (!isComplete(plan)) await wait(restMs, signal);
  }
}

async function patientPage(
  { api, signal, offsetUnit, onFailure, mostFailures = MOST_FAILURES }: ReadAllOptions,
  plan: ReadPlan,
  next: JobPage["next"],
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<JobPage> {
  for (let failures = 0; ; failures++) {
    try {
      return await readPage({ api, plan, next, limit: MAX_PAGE_SIZE, signal, offsetUnit });
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || failures >= mostFailures) throw error;
      onFailure?.(error, failures + 1);
      await wait(retryDelayMs(failures, error), signal);
    }
  }
}
