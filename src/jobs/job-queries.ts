import { queryOptions } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/job-status.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { laterOf } from "./track-job.ts";
import { watchControlOf } from "./watch/watch-control.ts";
import { spreadOf, watchIntervalMs } from "./watch/watch-interval.ts";

/** How often a finished job without any file is looked at again, in case the outcome follows. */
const MOST_EMPTY_LOOKS = 3;

export const jobKey = (requestId: string) => ["jobs", "detail", requestId] as const;

/** The part of a query's state that the pace follows from. */
interface LookedAt {
  state: { data: unknown; error: unknown; dataUpdateCount: number; errorUpdateCount: number };
}

/** Whether nothing more is to be learned of a job by asking. */
export function isWatchOver(job: Job | undefined, looksSinceFinal: number): boolean {
  if (!job || !isFinal(job.status)) return false;
  return job.status !== "success" || job.media.length > 0 || looksSinceFinal >= MOST_EMPTY_LOOKS;
}

/** How long after its last look a job is looked at again, ms; false when this tab does not ask, or nothing is left to ask. */
export function nextLookMs(api: Api, requestId: string, query: LookedAt): number | false {
  const control = watchControlOf(api);
  if (!control.asksFor(requestId)) return false;
  const job = query.state.data as Job | undefined;
  if (isWatchOver(job, control.looksSinceFinal(requestId))) return false;
  if (query.state.error instanceof RefusedError && control.isGone(requestId)) return false;
  return watchIntervalMs({
    ageMs: control.ageMs(requestId, job?.createdAtSeconds),
    failures: control.failures(requestId),
    spread: spreadOf(`${requestId}${query.state.dataUpdateCount}${query.state.errorUpdateCount}`),
    slow: control.slow(),
  });
}

/**
 * What the service says of jobs. `detail` asks again by itself, at a pace that follows from the job's own state, until
 * the job is final (spec 4.1 rule 2). A missed look keeps the last known state, and a final status never goes back.
 */
export const jobQueries = (api: Api) => ({
  detail: (requestId: string) =>
    queryOptions({
      queryKey: jobKey(requestId),
      queryFn: async ({ signal, client }) => {
        const told = await watchControlOf(api).look(requestId, () => api.getJob(requestId, signal));
        const job = laterOf(client.getQueryData<Job>(jobKey(requestId)), told);
        watchControlOf(api).noteJob(job);
        return job;
      },
      refetchInterval: (query) => nextLookMs(api, requestId, query),
      refetchIntervalInBackground: true,
      retry: false,
      networkMode: "always",
      structuralSharing: false,
      staleTime: (query) =>
        isWatchOver(query.state.data, watchControlOf(api).looksSinceFinal(requestId))
          ? Number.POSITIVE_INFINITY
          : 2_000,
    }),
  list: (params: JobListParams) =>
    queryOptions({
      queryKey: ["jobs", "list", params] as const,
      queryFn: ({ signal }) => api.listJobs(params, signal),
      structuralSharing: false,
    }),
});
