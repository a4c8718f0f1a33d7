import type { Job } from "#api/types.ts";

const MAX_IN_MEMORY = 2000;

const held = new Map<string, Map<string, Job>>();

/**
 * Notes jobs of an account that the service listed for another purpose, such as before a submit. They tell how long a
 * model usually takes, also before anything ran in this browser. Held in memory alone.
 */
export function noteListedJobs(accountId: string, jobs: readonly Job[]): void {
  const known = held.get(accountId) ?? new Map<string, Job>();
  held.set(accountId, known);
  for (const job of jobs) if (known.size < MAX_IN_MEMORY || known.has(job.requestId)) known.set(job.requestId, job);
}

/** What was noted of an account. */
export function listedJobs(accountId: string): readonly Job[] {
  return [...(held.get(accountId)?.values() ?? [])];
}
