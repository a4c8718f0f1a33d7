import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Api } from "#api/create-api.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { MarksById } from "#results/marks/marks-store.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import { filterCount, type HistorySearch, listKey } from "./history-search.ts";
import type { IndexState, JobIndex } from "./job-index/job-index.ts";
import { type IndexReading, useIndexReading, useSearched } from "./job-index/use-job-index.ts";
import { joinRow, mergeJobs } from "./merge-jobs.ts";
import { serviceQuestion } from "./service-question.ts";
import { type OlderJobs, PAGE_JOBS, useOlderJobs } from "./use-older-jobs.ts";

export interface KnownJobs {
  marks: MarksById;
  /** Those that this browser follows. */
  tracked: ReadonlyMap<string, TrackedJob>;
  /** What jobs from elsewhere would cost today. */
  estimates: ReadonlyMap<string, MicroUsd>;
  nowMs: number;
}

interface Listing {
  entries: readonly JobRecord[];
  /** Nothing can be shown yet. */
  isPending: boolean;
  /** The list before is still shown, while this one loads. */
  isStale: boolean;
  error: Error | null;
  refresh: () => void;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
  /** The service answers all of the question; otherwise older jobs are searched on request. */
  isExact: boolean;
  older: OlderJobs;
  reading: IndexReading;
}

/** The newest page of the service's list under some filters. */
export const newestPageQuery = (api: Api, params: JobListParams) =>
  jobQueries(api).list({ ...params, limit: PAGE_JOBS });

/** So long the service's list is waited for, so that its new jobs do not move those that are shown. */
const WAIT_MS = 700;

/**
 * The jobs that a search asks for, as one list, newest first. It is put together from three sources:
 *
 * 1. the index, which fills itself in the background and holds the newest jobs, down to `reachSeconds`;
 * 2. the newest page of the service's own list under the same filters: what is new or has changed since;
 * 3. older pages of that list, from where the index ends, one by one as the list is scrolled to its end.
 *
 * What only the index knows (words, stars, tags, costs, several models) is searched in it, and in older pages where a press
 * asks for them. The index and the pages overlap and each job is shown once, so that it does not matter how far the index
 * has come: older jobs are added at the end, and only new ones move those below them.
 */
export function useListing(search: HistorySearch, index: JobIndex, state: IndexState, known: KnownJobs): Listing {
  const api = useApi();
  const { params, isExact } = useMemo(() => serviceQuestion(search), [search]);
  const head = useQuery(newestPageQuery(api, params));
  const reachSeconds = state.isOpen ? state.reachSeconds : Number.POSITIVE_INFINITY;
  const older = useOlderJobs({ params, head: head.data, reachSeconds, isSearched: !isExact });
  const reading = useIndexReading(index, state, !head.isPending);

  const isUnfiltered = filterCount(search) === 0 && Object.keys(params).length === 0;
  const newest = useEntries(head.data?.jobs ?? NO_JOBS, known);
  const before = useEntries(older.jobs, known);
  const page = isUnfiltered ? head.data : undefined;
  useEffect(() => {
    if (page) index.noteHead(newest, page, PAGE_JOBS);
    else index.note(newest);
  }, [index, newest, page]);
  useEffect(() => index.note(before), [index, before]);

  const asked = { search, marks: known.marks, nowMs: known.nowMs };
  const found = useSearched(state.entries, state.texts, asked);
  const all = useMemo(() => [...newest, ...before], [newest, before]);
  const searched = useSearched(isExact ? NO_ENTRIES : all, undefined, asked);
  const listed = isExact ? all : searched;
  // Where only the index knows, everything that it found is shown. A list that failed is better than none.
  const reach = isExact && !head.isError ? reachSeconds : Number.NEGATIVE_INFINITY;
  const entries = useMemo(
    () => mergeJobs({ found, listed, reachSeconds: reach, known: index.get }),
    [found, listed, reach, index],
  );

  const key = listKey(search);
  const hasWaited = useHasWaited(key);
  const isAnswered = !head.isPending || hasWaited;
  const [shown, setShown] = useState<readonly JobRecord[]>();
  const isReady = isAnswered ? entries.length > 0 || !head.isPending : shown !== undefined && state.isComplete;
  if (isReady && shown !== entries) setShown(entries);
  return {
    entries: isReady ? entries : (shown ?? NO_ENTRIES),
    isPending: !isReady && shown === undefined,
    isStale: !isReady && shown !== undefined,
    error: head.error,
    refresh: () => {
      void head.refetch();
      reading.read();
    },
    total: page?.total,
    isExact,
    older,
    reading,
  };
}

const NO_JOBS: readonly Job[] = [];
const NO_ENTRIES: readonly JobRecord[] = [];

function useEntries(jobs: readonly Job[], { tracked, estimates }: KnownJobs): readonly JobRecord[] {
  return useMemo(() => jobs.map((job) => joinKnown(job, { tracked, estimates })), [jobs, tracked, estimates]);
}

/** A listed job with what is known of it here. */
export function joinKnown(job: JobRecord, { tracked, estimates }: Pick<KnownJobs, "tracked" | "estimates">): JobRecord {
  const entry = joinRow(tracked.get(job.requestId), job);
  const estimatedMicroUsd = estimates.get(job.requestId);
  return estimatedMicroUsd === undefined ? entry : { ...entry, estimatedMicroUsd };
}

/** Whether a list was waited for long enough. */
function useHasWaited(key: string): boolean {
  const [waited, setWaited] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setWaited(key), WAIT_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return waited === key;
}
