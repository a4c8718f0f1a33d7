import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { Job } from "#api/types.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { jobKey } from "../job-queries.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import { pollIntervalMs, spreadOf } from "../poll/poll-interval.ts";
import { laterOf, withReported } from "../track-job.ts";
import { isNews, recordReported } from "./record-reported.ts";

/** Up to this many jobs are polled one by one; more are read with one list call (spec 4.1: limit at most 1000). */
export const MOST_SINGLE = 4;
/** Jobs that the list does not show are polled one by one, this many at a time. */
const MOST_MISSING = 2;
const LIST_LIMIT = 1000;
/** At most twelve requests a minute, whatever the spread: the list is never read more often. */
const SHORTEST_LIST_MS = 7_000;
const DAY_SECONDS = 86_400;
const NAME = "list";

interface ListReport {
  /** Ids that are watched and that the list did not show. */
  missing: string[];
}

/** The lower bound of the list: a day before the oldest watched job, because two clocks disagree. */
function createdAfter(active: readonly TrackedJob[]): number {
  const times = active.map(({ job, submittedAtMs }) => job?.createdAtSeconds ?? Math.floor(submittedAtMs / 1000));
  return Math.max(0, Math.min(...times) - DAY_SECONDS);
}

/**
 * One list call for all watched jobs. What it reports goes where a poll of each job would have put it. Rejects with an
 * `ApiError`.
 */
export function watchListQuery({
  api,
  accountId,
  queryClient,
  active,
  onReported,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
  active: readonly TrackedJob[];
  onReported: (job: Job) => void;
}) {
  const control = pollControlOf(api);
  return queryOptions({
    queryKey: ["jobs", "watch", accountId] as const,
    queryFn: async ({ signal }): Promise<ListReport> => {
      const params = { created_after: createdAfter(active), limit: LIST_LIMIT };
      const page = await control.poll(NAME, () => api.listJobs(params, signal));
      const listed = new Map(page.jobs.map((job) => [job.requestId, job]));
      const missing: string[] = [];
      const news: Job[] = [];
      for (const tracked of active) {
        const reported = listed.get(tracked.requestId);
        // A finished job without a file is polled by itself: its files may follow.
        if (!reported || (reported.status === "success" && reported.media.length === 0))
          missing.push(tracked.requestId);
        if (!reported) continue;
        const job = laterOf(queryClient.getQueryData<Job>(jobKey(tracked.requestId)), reported);
        queryClient.setQueryData(jobKey(tracked.requestId), job);
        if (!isNews(tracked, withReported(tracked, job, Date.now()))) continue;
        news.push(job);
        onReported(job);
      }
      await recordReported(accountId, news);
      return { missing };
    },
    refetchInterval: (query) =>
      control.isPaused()
        ? false
        : Math.max(
            SHORTEST_LIST_MS,
            pollIntervalMs({
              ageMs: Math.min(...active.map(({ requestId }) => control.ageMs(requestId, undefined))),
              failures: control.failures(NAME),
              spread: spreadOf(`${accountId}${query.state.dataUpdateCount}${query.state.errorUpdateCount}`),
              slow: control.slow(),
            }),
          ),
    refetchIntervalInBackground: true,
    retry: false,
    networkMode: "always",
    structuralSharing: false,
  });
}

/** Which of the jobs that the list did not show are polled now. They take turns with every list call. Never throws. */
export function nextMissing(report: ListReport | undefined, turn: number): string[] {
  const missing = report?.missing ?? [];
  return missing
    .slice()
    .sort((a, b) => spreadOf(`${a}${turn}`) - spreadOf(`${b}${turn}`))
    .slice(0, MOST_MISSING);
}
