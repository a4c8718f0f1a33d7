import { sandboxFull } from "../capacity.ts";
import type { JobFilter } from "./history-pages.ts";
import type { JobHistory } from "./job-history.ts";
import { jobStatus, type SandboxJob } from "./sandbox-job.ts";

export interface JobStore {
  /** Takes a job. `payloadCharacters`: the length of its payload as JSON. */
  add(job: SandboxJob, payloadCharacters?: number): void;
  /** Throws 403 when the payloads of all jobs and another of this size are more than `maxCharacters`. */
  requireRoom(payloadCharacters: number, maxCharacters: number): void;
  find(requestId: string): SandboxJob | undefined;
  /** Jobs of this run, oldest first; seeded history is not among them. */
  all(): readonly SandboxJob[];
  /** A user's jobs, newest first: one page and the number of all that match. */
  page(
    user: string,
    filter: JobFilter,
    nowMs: number,
    limit: number,
    offset: number,
  ): { jobs: SandboxJob[]; total: number };
}

export function createJobStore(history: JobHistory): JobStore {
  const jobs: SandboxJob[] = [];
  let characters = 0;
  const byId = new Map<string, SandboxJob>();
  const find = (requestId: string): SandboxJob | undefined => {
    const known = byId.get(requestId) ?? history.find(requestId);
    if (known !== undefined) byId.set(requestId, known);
    return known;
  };
  return {
    requireRoom(payloadCharacters, maxCharacters) {
      if (characters + payloadCharacters > maxCharacters)
        throw sandboxFull(`${maxCharacters.toLocaleString("en-US")} characters of job settings`);
    },
    add(job, payloadCharacters = 0) {
      characters += payloadCharacters;
      jobs.push(job);
      byId.set(job.requestId, job);
    },
    find,
    all: () => jobs,
    page(user, filter, nowMs, limit, offset) {
      const found: SandboxJob[] = [];
      let total = 0;
      const addMatch = (make: () => SandboxJob) => {
        if (total >= offset && found.length < limit) found.push(make());
        total += 1;
      };
      for (let index = jobs.length - 1; index >= 0; index -= 1) {
        const job = jobs[index];
        if (job === undefined || job.user !== user) continue;
        if (matches(job, jobStatus(job, nowMs), filter)) addMatch(() => job);
      }
      if (user === history.user) {
        // Jobs that were found by id are in memory, perhaps changed. The others are made anew each time, to save memory.
        const fromHistory = history.page(filter, limit - found.length, Math.max(0, offset - total));
        for (const place of fromHistory.positions) found.push(byId.get(history.requestId(place)) ?? history.job(place));
        total += fromHistory.total;
      }
      return { jobs: found, total };
    },
  };
}

function matches(job: SandboxJob, status: string, filter: JobFilter): boolean {
  const createdAt = Math.floor(job.createdAtMs / 1000);
  if (filter.modelId !== undefined && job.model.id !== filter.modelId) return false;
  if (filter.modelTypes !== undefined && !filter.modelTypes.includes(job.model.type)) return false;
  if (filter.statuses !== undefined && !filter.statuses.includes(status)) return false;
  if (filter.createdAfter !== undefined && createdAt <= filter.createdAfter) return false;
  return filter.createdBefore === undefined || createdAt < filter.createdBefore;
}
