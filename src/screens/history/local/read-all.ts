import type { Api } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import type { Job, JobPage } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { MAX_PAGE_SIZE } from "../history-search.ts";
import type { OffsetUnit } from "../offset-unit.ts";
import { isComplete, planAfterPage, type ReadPlan } from "./read-plan.ts";

/** Between two pages, so that reading everything leaves room in the rate limit for everything else. */
export const REST_MS = 200;
const MOST_FAILURES = 6;

export interface ReadAllOptions {
  api: Pick<Api, "listJobs">;
  plan: ReadPlan;
  /** Takes a page in, and tells how many of its jobs were new. */
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
  while (!isComplete(plan)) {
    const page = await patientPage(options, plan, wait);
    const fresh = onPage(page.jobs);
    const seconds = page.jobs.flatMap((job) => (job.createdAtSeconds === undefined ? [] : [job.createdAtSeconds]));
    plan = planAfterPage(plan, { seconds, count: page.jobs.length, limit: MAX_PAGE_SIZE, fresh });
    onPlan(plan);
    if (!isComplete(plan)) await wait(restMs, signal);
  }
}

async function patientPage(
  { api, signal, offsetUnit }: ReadAllOptions,
  plan: ReadPlan,
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
): Promise<JobPage> {
  const [gap] = plan.gaps;
  for (let failures = 0; ; failures++) {
    try {
      return await api.listJobs(
        {
          limit: MAX_PAGE_SIZE,
          ...(plan.isUntimed && plan.offset > 0 ? { offset: await offsetOf(plan.offset, offsetUnit) } : {}),
          ...(!plan.isUntimed && gap?.before !== undefined ? { created_before: gap.before } : {}),
          ...(!plan.isUntimed && gap?.after !== undefined ? { created_after: gap.after } : {}),
        },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error) || failures >= MOST_FAILURES) throw error;
      await wait(retryDelayMs(failures), signal);
    }
  }
}

// Only full pages were read before, so the count of jobs is a whole number of pages.
async function offsetOf(jobs: number, unit: () => Promise<OffsetUnit>): Promise<number> {
  return (await unit()) === "pages" ? Math.floor(jobs / MAX_PAGE_SIZE) : jobs;
}
