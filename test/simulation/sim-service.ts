import type { Job, JobRequest } from "#api/types.ts";
import { PRICE } from "./sim-settings.ts";

export interface ServedJob {
  job: Job;
  /** The consent that it was made for; undefined for a job of another client. */
  intentId: string | undefined;
  createdAtMs: number;
  /** When the job list first shows it. */
  visibleAtMs: number;
  chargedMicroUsd: number;
}

/** The service's side: what it made and charged. Its counters are the truth that everything is held against. */
export interface SimService {
  jobs: ServedJob[];
  create(request: JobRequest, intentId: string | undefined): Job;
  list(model: string): Job[];
}

export function createSimService({
  nowMs,
  lagMs,
  echoesPayload,
}: {
  nowMs: () => number;
  /** How long until the list shows a new job. */
  lagMs: () => number;
  echoesPayload: boolean;
}): SimService {
  const jobs: ServedJob[] = [];
  return {
    jobs,
    create: (request, intentId) => {
      const now = nowMs();
      const job: Job = {
        requestId: `job-${jobs.length + 1}`,
        model: request.model,
        status: "queued",
        media: [],
        payload: echoesPayload ? request.payload : undefined,
        createdAtSeconds: Math.floor(now / 1000),
        updatedAtSeconds: undefined,
        failureReason: undefined,
        raw: {},
      };
      jobs.push({ job, intentId, createdAtMs: now, visibleAtMs: now + lagMs(), chargedMicroUsd: PRICE });
      return job;
    },
    list: (model) => {
      const now = nowMs();
      return jobs.filter(({ job, visibleAtMs }) => job.model === model && visibleAtMs <= now).map(({ job }) => job);
    },
  };
}
