// The query of one job and the one list call for many, and what is written of what they report.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { MAX_PAGE_JOBS } from "#api/job-list.ts";
import { GONE, isFinal, isJobRunning } from "#api/jobs.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { trackedChanges } from "#runs/ledger/ledger.ts";
import { readReservations, reservationsChange, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { withoutJob } from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import {
  getLaterReport,
  isNews,
  type JobRecord,
  type TrackedJob,
  trackedKey,
  trackedRows,
  withoutBulk,
  withReported,
} from "#storage/job-records.ts";
import type { RowChange } from "#storage/rows.ts";
import { isNewer } from "#storage/typed-rows.ts";
import { getPollControl, getPollSpread, LIST, type PacedJob, SHORTEST_POLL_MS } from "./poll-control.ts";

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
function nextPollMs(api: Api, requestId: string, query: PolledQuery): number | false {
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
        const job = getLaterReport(client.getQueryData<JobRecord>(jobKey(requestId)), record);
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

/** The key of the newest jobs of each model. These entries of the cache are set by hand: no query fetches them. */
const NEWEST = ["jobs", "newest-of-model"] as const;

/**
 * Notes the newest jobs of a model that a submit has listed: they tell how long it usually takes, also before anything ran in
 * this browser. A list that begins at some time is not noted, because it may be very long or empty, and neither is a later
 * page: its jobs are older.
 */
export function noteNewestJobs(client: QueryClient, params: JobListParams, jobs: readonly Job[]) {
  const { model_id, created_after, offset = 0, next } = params;
  if (model_id === undefined || created_after !== undefined || offset > 0 || next !== undefined) return;
  client.setQueryDefaults(NEWEST, { gcTime: Number.POSITIVE_INFINITY, structuralSharing: false });
  // Without what is large, for it stays in memory as long as the connection is open.
  const lean = jobs.map((job): Job => {
    const media = job.media.slice(0, 1).map((file) => ({ ...file, url: "" }));
    return { ...job, media, payload: undefined, raw: {} };
  });
  client.setQueryData([...NEWEST, model_id], lean);
}

/**
 * The newest jobs that were noted of all models since the connection was opened: their status, times, and the kind of their
 * first file, without its address.
 */
export function getNewestJobs(client: QueryClient): readonly Job[] {
  return client.getQueriesData<readonly Job[]>({ queryKey: NEWEST }).flatMap(([, jobs]) => jobs ?? []);
}

/** Up to this many jobs are polled one by one; more are read with one list call (spec 4.1: limit at most 1000). */
export const MAX_SINGLE = 4;
/** Jobs that the list does not show are polled one by one, this many at a time. */
const MAX_MISSING = 2;
/** The list is never read more often than this, whatever its pace and spread: each call may return a thousand jobs. */
const SHORTEST_LIST_MS = 7_000;
/** How far the lower bound of the list lies before the oldest job: a service may filter by another time than it shows. */
const MARGIN_SECONDS = 600;

interface ListReport {
  /** The ids of watched jobs that are still to be polled one by one. */
  missing: string[];
}

/**
 * The lower bound of the list: when the oldest watched job was made, by the service's own time. There is no bound while that is
 * unknown of one of them. This device's clock may be days off, and the newest jobs are listed all the same.
 */
function createdAfter(active: readonly PacedJob[]): { created_after?: number } {
  const times = active.flatMap(({ createdAtSeconds }) => createdAtSeconds ?? []);
  if (times.length < active.length) return {};
  return { created_after: Math.max(0, Math.min(...times) - MARGIN_SECONDS) };
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
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
  active: readonly TrackedJob[];
}) {
  const control = getPollControl(api);
  const paced = (): PacedJob[] =>
    active.map(({ requestId, createdAtSeconds }) => ({
      requestId,
      createdAtSeconds: createdAtSeconds ?? queryClient.getQueryData<Job>(jobKey(requestId))?.createdAtSeconds,
    }));
  return queryOptions({
    queryKey: ["jobs", "watch", accountId] as const,
    queryFn: async ({ signal }): Promise<ListReport> => {
      const params = { ...createdAfter(paced()), limit: MAX_PAGE_JOBS };
      const page = await control.poll(LIST, () => api.listJobs(params, signal));
      const listed = new Map(page.jobs.map((job) => [job.requestId, job]));
      const missing: string[] = [];
      const news: Job[] = [];
      for (const tracked of active) {
        const reported = listed.get(tracked.requestId);
        // A finished job without a file is polled by itself: its files may follow.
        if (!reported || (reported.status === "success" && reported.media.length === 0))
          missing.push(tracked.requestId);
        if (!reported) continue;
        const key = jobKey(tracked.requestId);
        const job = getLaterReport(queryClient.getQueryData<JobRecord>(key), { ...reported, reportedAtMs: Date.now() });
        // Into the cache as well as into its row: the row holds no file that came inline.
        queryClient.setQueryData(key, job);
        if (!isNews(tracked, withoutBulk(withReported(tracked, job, Date.now())))) continue;
        news.push(job);
      }
      await recordReported(accountId, news);
      return { missing };
    },
    refetchInterval: () =>
      control.isPaused() ? false : Math.max(SHORTEST_LIST_MS, control.waitMs(LIST, control.listPace(paced()))),
    refetchIntervalInBackground: true,
    retry: false,
    networkMode: "always",
    structuralSharing: false,
    // Jobs that were polled one by one a moment ago are not asked for again at once.
    initialData: { missing: [] },
    initialDataUpdatedAt: () =>
      Math.max(0, ...active.map(({ requestId }) => queryClient.getQueryState(jobKey(requestId))?.dataUpdatedAt ?? 0)),
    staleTime: SHORTEST_POLL_MS,
  });
}

/** Which of the jobs that the list left over are polled now. With every list call (`turn`) others may have their turn. */
export function nextMissing(report: ListReport | undefined, turn: number): string[] {
  const missing = report?.missing ?? [];
  return missing
    .slice()
    .sort((a, b) => getPollSpread(`${a}${turn}`) - getPollSpread(`${b}${turn}`))
    .slice(0, MAX_MISSING);
}

/** A success without a file is polled for this long, in case its files follow. */
const OUTCOME_MAY_FOLLOW_MS = 60_000;

/** Whether a tracked job is still polled. A success without any file is, for a minute. */
export function isActive(tracked: TrackedJob, nowMs: number): boolean {
  if (isJobRunning(tracked)) return true;
  const isEmpty = tracked.status === "success" && tracked.media.length === 0;
  return isEmpty && nowMs - (tracked.finishedAtMs ?? 0) < OUTCOME_MAY_FOLLOW_MS;
}

/**
 * Changes tracked jobs, all in one transaction: rows, the refunds of failed ones, and their reservations under the limit of the day.
 * A failed job is refunded exactly (spec 3), so it no longer counts.
 */
async function editTracked(
  accountId: string,
  requestIds: readonly string[],
  next: (tracked: TrackedJob) => TrackedJob,
): Promise<void> {
  const [first, ...others] = requestIds.map((id) => ({ store: "jobs" as const, key: trackedKey(accountId, id) }));
  if (!first) return;
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }, ...others];
  await (await openRows()).edit({ ...first, also: ["ledger"], reads }, (row, [reservations, ...more]) => {
    const before = readReservations(reservations);
    let remaining = before;
    const changes: RowChange[] = [];
    for (const stored of [row, ...more]) {
      const tracked = isNewer(trackedRows, stored) ? undefined : stored && trackedRows.read(stored.body, stored);
      const after = tracked && next(tracked);
      // Nothing is written without news, because after a write every tab builds its lists anew.
      if (!tracked || !after || !isNews(tracked, withoutBulk(after))) continue;
      changes.push(...trackedChanges(accountId, after));
      if (after.status === "failed") remaining = withoutJob(remaining, after.requestId);
    }
    if (remaining.length !== before.length) changes.push(reservationsChange(accountId, remaining));
    return { changes, result: undefined };
  });
}

/** Stores what the service reported of tracked jobs, where it is news, with the refunds of failed ones. Never rejects. */
async function recordReported(accountId: string, jobs: readonly JobRecord[], nowMs = Date.now()): Promise<void> {
  const reported = new Map(jobs.map((job) => [job.requestId, job]));
  await editTracked(accountId, [...reported.keys()], (tracked) => {
    const job = reported.get(tracked.requestId);
    const known = tracked.status === GONE ? { ...tracked, status: "queued" } : tracked;
    return job ? withReported(known, job, nowMs) : tracked;
  }).catch(() => {});
}

/** Marks a job that the service does not know any more. Its row stays, and so does a final status. Never rejects. */
async function recordGone(accountId: string, requestId: string): Promise<void> {
  await editTracked(accountId, [requestId], (tracked) =>
    isFinal(tracked.status) ? tracked : { ...tracked, status: GONE, reportedAtMs: Date.now() },
  ).catch(() => {});
}

/** The job id of a detail query's key, or undefined for any other key. */
function detailId(queryKey: readonly unknown[]): string | undefined {
  const [family, kind, id] = queryKey;
  return family === "jobs" && kind === "detail" && typeof id === "string" ? id : undefined;
}

/**
 * Stores whatever the cache of this tab receives about tracked jobs. The other tabs read it from their rows. Returns a function
 * that stops it. What cannot be stored is stored after the next poll.
 */
export function recordFromCache({
  api,
  accountId,
  queryClient,
}: {
  api: Api;
  accountId: string;
  queryClient: QueryClient;
}): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const requestId = detailId(event.query.queryKey);
    if (requestId === undefined) return;
    // `manual`: the list call set this entry, and stores it itself.
    if (event.action.type === "success" && !event.action.manual) {
      void recordReported(accountId, [event.query.state.data as JobRecord]);
    }
    const { error } = event.query.state;
    const isGone = error instanceof RefusedError && error.status === 404 && getPollControl(api).isGone(requestId);
    if (event.action.type === "error" && isGone) void recordGone(accountId, requestId);
  });
}
