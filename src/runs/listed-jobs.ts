import type { Job } from "#api/types.ts";

const MAX_JOBS = 2000;

const byAccount = new Map<string, Map<string, Job>>();

/**
 * Notes jobs of an account that the service listed for another purpose, such as before a submit. They show how long a
 * model usually takes, also before anything ran in this browser. It is in memory only.
 */
export function noteListedJobs(accountId: string, jobs: readonly Job[]): void {
  const known = byAccount.get(accountId) ?? new Map<string, Job>();
  byAccount.set(accountId, known);
  for (const job of jobs) if (known.size < MAX_JOBS || known.has(job.requestId)) known.set(job.requestId, job);
}

/** What was noted of an account. */
export function listedJobs(accountId: string): readonly Job[] {
  return [...(byAccount.get(accountId)?.values() ?? [])];
}
