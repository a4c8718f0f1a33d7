import { queryOptions } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/final-status.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { type JobRecord, laterOf } from "#storage/job-records.ts";
import { getPollControl, SHORTEST_POLL_MS } from "./poll-control.ts";

/** How often a job that succeeded without any file is polled again, in case the files follow. */
const MAX_EMPTY_POLLS = 3;

/** The query key of one job's detail. */
export const jobKey = (requestId: string) => ["jobs", "detail", requestId] as const;

/** The part of a query's state that the interval follows from. */
interface PolledQuery {
  state: { data: unknown; error: unknown };
}

/**
 * Whether a job needs no further poll: it is final, and a success has files or was polled often enough without any.
 */
export function isPollingDone(job: Job | undefined, pollsSinceFinal: number): boolean {
  if (!job || !isFinal(job.status)) return false;
  return job.status !== "success" || job.media.length > 0 || pollsSinceFinal >= MAX_EMPTY_POLLS;
}

/** Milliseconds until the next poll of a job; false where this tab does not poll it, or no longer. */
export function nextPollMs(api: Api, requestId: string, query: PolledQuery): number | false {
  const control = getPollControl(api);
  if (!control.isPolled(requestId)) return false;
  const job = query.state.data as Job | undefined;
  if (isPollingDone(job, control.pollsSinceFinal(requestId))) return false;
  if (query.state.error instanceof RefusedError && control.isGone(requestId)) return false;
  return control.waitMs(requestId, control.pace({ requestId, createdAtSeconds: job?.createdAtSeconds }));
}

/**
 * What the service reports of jobs. `detail` polls by itself, at an interval that follows from the job's own state, until
 * the job is final (spec 4.1 rule 2). A failed poll keeps the last known state, and a final status never goes back. Both
 * fail with an `ApiError`; `detail` also with `UnusableIdError`, before anything is sent.
 */
export const jobQueries = (api: Api) => ({
  detail: (requestId: string) =>
    queryOptions({
      queryKey: jobKey(requestId),
      queryFn: async ({ signal, client }) => {
        const reported = await getPollControl(api).poll(requestId, () => api.getJob(requestId, signal));
        const record: JobRecord = { ...reported, reportedAtMs: Date.now() };
        const job = laterOf(client.getQueryData<JobRecord>(jobKey(requestId)), record);
        getPollControl(api).noteJob(job);
        return job;
      },
      refetchInterval: (query) => nextPollMs(api, requestId, query),
      refetchIntervalInBackground: true,
      retry: false,
      networkMode: "always",
      structuralSharing: false,
      staleTime: (query) =>
        isPollingDone(query.state.data, getPollControl(api).pollsSinceFinal(requestId))
          ? Number.POSITIVE_INFINITY
          : SHORTEST_POLL_MS,
    }),
  list: (params: JobListParams) =>
    queryOptions({
      queryKey: ["jobs", "list", params] as const,
      queryFn: ({ signal }) => api.listJobs(params, signal),
      structuralSharing: false,
    }),
});
