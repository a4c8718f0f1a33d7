import type { Job } from "#api/types.ts";
import type { SubmitEffects } from "./submit-effects.ts";

const PAGE = 1000;
const MOST_PAGES = 10;
/** The service's clock cannot be read and ours may be a day off, so the window reaches back two days. */
const WINDOW_SECONDS = 2 * 24 * 3600;

/** Lower bound for the list calls of an intent that starts now, in Unix seconds. */
export function listWindowStart(nowMs: number): number {
  return Math.max(0, Math.floor(nowMs / 1000) - WINDOW_SECONDS);
}

/** Every job of a model since a moment, each once (spec 4.1: limit at most 1000). Rejects when a page cannot be read. */
export async function listModelJobs(
  { api }: Pick<SubmitEffects, "api">,
  model: string,
  createdAfterSeconds: number,
): Promise<Job[]> {
  const jobs = new Map<string, Job>();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { jobs: found } = await api.listJobs({
      model_id: model,
      created_after: createdAfterSeconds,
      limit: PAGE,
      offset: page * PAGE,
    });
    for (const job of found) jobs.set(job.requestId, job);
    if (found.length < PAGE) break;
  }
  return [...jobs.values()];
}
