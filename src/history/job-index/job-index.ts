import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobPage } from "#api/types.ts";
import { useClient } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { RETENTION_DAYS } from "#media/retention.ts";
import {
  isComplete,
  isWhole,
  lacksOlder,
  placeAfter,
  placeFrom,
  placeOfVisit,
  type ReadingPlace,
  type ReadPage,
  reachSeconds,
  readJobPage,
  readPlace,
  START,
} from "#runs/job-list/job-pages.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { onWipe } from "#storage/changes.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import { createSeenJobs, indexedRecord, joinRow, saveSeen } from "./seen-jobs.ts";

/** Measured: a hundred thousand jobs take about 150 MB of the page's memory, and a search of them 10 ms. */
export const MAX_INDEXED = 100_000;
/** So many jobs the index may grow beyond `MAX_INDEXED` before it is trimmed: a trim writes every chunk anew. */
const TRIM_SLACK = 5_000;
/** Up to this many jobs the index also includes jobs whose files have expired; beyond, only those that still have files. */
const ALWAYS_INDEXED = 10_000;
const DAY_SECONDS = 86_400;

export interface IndexState {
  /** The part that this browser stored earlier has been loaded. */
  isOpen: boolean;
  entries: readonly JobRecord[];
  /** The searched text of each job, at the same indexes as `entries`. Makes the missing ones. */
  texts: () => readonly string[];
  /** Everything that the index should contain has been read; older jobs may be left out on purpose. */
  isComplete: boolean;
  /** The index contains every job of the account. */
  isWhole: boolean;
  /** The index contains every job from this Unix second on; infinite where nothing or everything was read. */
  reachSeconds: number;
  /** The list's records have no times, so it is read by offset or cursor instead of by time. */
  isUntimed: boolean;
  /** Older jobs that the index should contain are not read yet. */
  lacksOlder: boolean;
}

/** The jobs of one key that this browser has seen: searched here, and completed in the background. */
export type JobIndex = ReturnType<typeof createJobIndex>;

/** The wait between two updates of the screen. Each lays out all jobs anew, so it is longer where the jobs are many. */
const getUpdateIntervalMs = (jobs: number) => (jobs < 5_000 ? 400 : 3_000);
/** A visit reads the newest page again when the last one came longer ago than this. */
const NEWEST_PAGE_FRESH_MS = 30_000;
/** A job without a final status is read again at each visit until it is this old. */
const UNSETTLED_SECONDS = 2 * DAY_SECONDS;

/** The index of one account (its key's fingerprint), opened from what this browser has stored. */
export function createJobIndex(accountId: string) {
  const seen = createSeenJobs();
  let place = START;
  let isOpen = false;
  let isDropped = false;
  let shownAtMs = 0;
  let showTimer: ReturnType<typeof setTimeout> | undefined;
  let newestPage: JobPage | undefined;
  let newestPageAtMs = Number.NEGATIVE_INFINITY;
  /** The jobs that this browser follows, by id. */
  let trackedById: ReadonlyMap<string, TrackedJob> = new Map();
  let stopMakingTexts = () => {};
  /** What was noted before the stored part was loaded. */
  const queuedNotes: (() => void)[] = [];
  /** Numbers of the chunks that differ from what is stored. */
  const changedChunks = new Set<number>();
  const store = createStore<IndexState>(readState);

  function readState(): IndexState {
    const reach = { reachSeconds: reachSeconds(place), isUntimed: place.isUntimed, lacksOlder: lacksOlder(place) };
    const parts = { isComplete: isComplete(place), isWhole: isWhole(place), ...reach };
    return { isOpen, entries: seen.entries(), texts: seen.texts, ...parts };
  }
  function show() {
    clearTimeout(showTimer);
    showTimer = undefined;
    shownAtMs = Date.now();
    store.setState(readState());
    // The texts of a hundred thousand jobs take a while: they are made when the page has nothing else to do.
    stopMakingTexts();
    if (isComplete(place)) stopMakingTexts = whenIdle(seen.makeTexts);
  }
  function showSoon() {
    const waitMs = shownAtMs + getUpdateIntervalMs(seen.size()) - Date.now();
    if (waitMs <= 0 || isComplete(place)) show();
    else showTimer ??= setTimeout(show, waitMs);
  }
  /** Adds jobs, except unknown ones that are older than the index reaches back. */
  function addWithinBound(entries: readonly JobRecord[]): void {
    const from = place.fromSeconds ?? Number.NEGATIVE_INFINITY;
    const taken = entries.filter(
      ({ requestId, createdAtSeconds }) => (createdAtSeconds ?? from) >= from || seen.has(requestId),
    );
    add(taken.map((job) => indexedRecord(withTrackedFacts(job))));
  }
  function add(jobs: readonly JobRecord[]): void {
    for (const chunk of seen.note(jobs)) changedChunks.add(chunk);
  }
  /** Adds what this browser's rows know to their jobs in the index. */
  function addTrackedFacts(rows: Iterable<TrackedJob>): void {
    addWithinBound(Array.from(rows).flatMap(({ requestId }) => seen.get(requestId) ?? []));
  }
  const withTrackedFacts = (job: JobRecord) => joinRow(trackedById.get(job.requestId), job);
  async function save() {
    if (seen.size() > MAX_INDEXED + TRIM_SLACK) {
      for (const chunk of seen.trim(MAX_INDEXED)) changedChunks.add(chunk);
      place = placeFrom(place, (seen.entries().at(-1)?.createdAtSeconds ?? 0) + 1);
    }
    const chunks = new Map(Array.from(changedChunks, (number) => [number, seen.chunk(number)]));
    changedChunks.clear();
    // What memory holds of a deleted account is not written again.
    if (isDropped) return;
    // Without room on the disk the index lives as long as the page.
    await saveSeen(accountId, chunks, place, seen.size()).catch(() => undefined);
  }
  function showAndSaveChanges(placeBefore: ReadingPlace) {
    if (changedChunks.size === 0 && JSON.stringify(placeBefore) === JSON.stringify(place)) return;
    show();
    void save();
  }
  /** Ends the reading at a place where the index is large enough: see `MAX_INDEXED` and `ALWAYS_INDEXED`. */
  function withBound(next: ReadingPlace, nowSeconds: number): ReadingPlace {
    const reach = reachSeconds(next);
    const isFull = seen.size() >= MAX_INDEXED;
    const reachesExpired = seen.size() >= ALWAYS_INDEXED && reach <= nowSeconds - RETENTION_DAYS * DAY_SECONDS;
    if (isComplete(next) || !(isFull || reachesExpired)) return next;
    return placeFrom(next, Number.isFinite(reach) ? reach : 0);
  }
  /** The Unix second of the oldest job that was not final when last seen; `Infinity` where there is none. */
  function unsettledSeconds(nowSeconds: number): number {
    return seen.entries().reduce((oldest, { status, createdAtSeconds: made = 0 }) => {
      return isFinal(status) || made < nowSeconds - UNSETTLED_SECONDS ? oldest : Math.min(oldest, made);
    }, Number.POSITIVE_INFINITY);
  }
  const opened = readIndex(accountId, seen.load)
    .catch(() => undefined)
    .then((stored) => {
      place = readPlace(stored) ?? START;
      isOpen = true;
      addTrackedFacts(trackedById.values());
      for (const note of queuedNotes) note();
      show();
    });

  const index = {
    accountId,
    /** Resolves once the stored part is loaded, or could not be. */
    opened,
    store,
    has: seen.has,
    /** A job as it was last seen. */
    get: seen.get,
    /** Where reading the service's list continues. */
    place: () => place,
    /** Adds jobs that were seen anywhere. */
    note(entries: readonly JobRecord[]): void {
      if (!isOpen) return void queuedNotes.push(() => index.note(entries));
      addWithinBound(entries);
      showAndSaveChanges(place);
    },
    /**
     * Adds the records of single jobs that came into view, however old they are. Copied from their queries, because the index
     * outlives the cache and a search goes through all of its jobs.
     */
    noteRead(jobs: readonly JobRecord[]): void {
      if (!isOpen) return void queuedNotes.push(() => index.noteRead(jobs));
      add(jobs.map((job) => ({ ...withTrackedFacts(job), isReadHere: true, raw: {} })));
      showAndSaveChanges(place);
    },
    /**
     * Adds what jobs in view would cost today, however old they are. The index needs its own copy of these estimates, because
     * a search by cost goes through all of its jobs.
     */
    noteEstimates(prices: readonly (readonly [job: JobRecord, estimatedMicroUsd: MicroUsd])[]): void {
      if (!isOpen) return void queuedNotes.push(() => index.noteEstimates(prices));
      add(
        prices.map(([job, price]) => ({
          ...(seen.get(job.requestId) ?? indexedRecord(job)),
          estimatedMicroUsd: price,
        })),
      );
      showAndSaveChanges(place);
    },
    /**
     * Notes the jobs that this browser follows. Those in the index take over the price, the settings and the end from their
     * rows. When they ran, and whether the service lost them, stays in the rows.
     * Copied, so that a search through a hundred thousand jobs joins nothing.
     */
    noteOwn(rows: readonly TrackedJob[]): void {
      const previous = trackedById;
      trackedById = new Map(rows.map((row) => [row.requestId, row]));
      if (!isOpen) return;
      addTrackedFacts(rows.filter((row) => previous.get(row.requestId) !== row));
      showAndSaveChanges(place);
    },
    /** Adds the newest page of the service's unfiltered list: what the page contains need not be read again. */
    noteHead(page: JobPage, limit: number): void {
      if (!isOpen) return void queuedNotes.push(() => index.noteHead(page, limit));
      if (page === newestPage) return;
      newestPage = page;
      const placeBefore = place;
      const newCount = page.jobs.filter(({ requestId }) => !seen.has(requestId)).length;
      addWithinBound(page.jobs);
      // By offset or cursor, the newest page says nothing about a reading in the middle, or about a list that is oldest first.
      if (!place.isUntimed || (isComplete(place) && !place.isOldestFirst)) {
        place = placeAfter(placeOfVisit(place), page, limit, newCount);
        newestPageAtMs = Date.now();
      }
      showAndSaveChanges(placeBefore);
    },
    /** Adds a page that was read from a place. The next reading starts after it, unless the place changed meanwhile. */
    notePage(from: ReadingPlace, { jobs, place: next }: ReadPage, nowSeconds: number): void {
      addWithinBound(jobs);
      if (place === from) place = withBound(next, nowSeconds);
      void save();
      showSoon();
    },
    /** Makes `place` begin with what came since the last reading, and with jobs whose end is not known yet. */
    beginVisit(nowSeconds: number): void {
      if (isDropped) return;
      const unsettled = unsettledSeconds(nowSeconds);
      if (Date.now() - newestPageAtMs > NEWEST_PAGE_FRESH_MS || Number.isFinite(unsettled))
        place = placeOfVisit(place, unsettled);
    },
    /** Stops all reading and writing, because the account was deleted. */
    drop(): void {
      isDropped = true;
      place = { ...place, gaps: [] };
    },
  };
  return index;
}

/**
 * Each fetch reads the next missing page into the index, within the connection's request budget. A busy service is asked again
 * for as long as it takes. Rejects with an `ApiError`.
 */
const indexQuery = (api: Api, index: JobIndex) =>
  queryOptions({
    queryKey: ["jobs", "index", index.accountId] as const,
    queryFn: async ({ client, signal }) => {
      const listJobs: Api["listJobs"] = (params, within) =>
        getPollControl(api).sendPaced(() => api.listJobs(params, within));
      const options = { api: { listJobs }, known: () => index, hasPauses: true };
      const from = index.place();
      index.notePage(from, await readJobPage(from, options, { client, signal }), serviceSeconds(api));
      // The jobs are in the index, so the query's cache stores nothing.
      return null;
    },
    retry: (_, error) => isTransient(error),
    gcTime: 0,
  });

/** The service's time in Unix seconds; this device's before the first response. */
const serviceSeconds = (api: Api) => api.clock.nowSeconds() ?? Date.now() / 1000;

const indexes = new Map<string, JobIndex>();

let isWipeHeard = false;

/** The one index of an account. */
function getJobIndex(accountId: string): JobIndex {
  if (!isWipeHeard) {
    isWipeHeard = true;
    // What memory holds of a deleted account is not written again.
    onWipe((wiped) => {
      indexes.get(wiped)?.drop();
      indexes.delete(wiped);
    });
  }
  const known = indexes.get(accountId) ?? createJobIndex(accountId);
  indexes.set(accountId, known);
  return known;
}

/** The index of the current account, and its present content. */
export function useJobIndex(): { index: JobIndex; state: IndexState } {
  const index = getJobIndex(useConnection()?.accountId ?? "");
  return { index, state: useStore(index.store) };
}

/**
 * Looks up a job that the list need not show: in the index if it has files there, else among the jobs that this browser
 * follows. The function stays the same until something about any job changes.
 */
export function useKnownJob(): (requestId: string) => JobRecord | undefined {
  const tracked = useTrackedJobs();
  const { index, state } = useJobIndex();
  const rows = useMemo(() => new Map(tracked.map((job) => [job.requestId, job])), [tracked]);
  return useMemo(() => {
    // Read from the state, so that the function is made anew when the index changes.
    const { isOpen } = state;
    return (requestId) => {
      const indexed = isOpen ? index.get(requestId) : undefined;
      return indexed && indexed.media.length > 0 ? indexed : (rows.get(requestId) ?? indexed);
    };
  }, [rows, index, state]);
}

/** Fewer failures in a row are not reported: the service may be busy for a moment. */
const REPORTED_AFTER_FAILURES = 4;

export interface IndexReading {
  /** Missing jobs are being read, or will be once the service responds. */
  isReading: boolean;
  /** Why reading waits, or has ended early. */
  error: unknown;
  /** Looks for new and changed jobs. */
  read: () => void;
}

/**
 * Fills the index in the background while the page is visible and online: once `isReady`, and again when the newest page of
 * the list leaves a gap to the jobs of the index.
 */
export function useIndexReading(index: JobIndex, state: IndexState, isReady: boolean): IndexReading {
  const { api, queryClient } = useClient();
  const { error, failureCount, failureReason, refetch } = useQuery({
    ...indexQuery(api, index),
    // Each fetch is a page: `read` fetches until nothing is left.
    enabled: false,
    // The screen renders what is new in the index, so it need not render for each page.
    notifyOnChangeProps: ["error", "failureCount"],
  });
  const running = useRef<object>(undefined);
  const read = useCallback(async () => {
    if (running.current) return;
    const thisRun = {};
    running.current = thisRun;
    // The error of an earlier reading would be taken for this one's.
    const { queryKey } = indexQuery(api, index);
    if (queryClient.getQueryState(queryKey)?.error) void queryClient.resetQueries({ queryKey, exact: true });
    await index.opened;
    index.beginVisit(serviceSeconds(api));
    while (running.current === thisRun && isVisibleAndOnline() && !isComplete(index.place())) {
      const { isError } = await refetch({ cancelRefetch: false });
      if (isError) break;
    }
    if (running.current === thisRun) running.current = undefined;
  }, [index, api, queryClient, refetch]);
  const stop = useCallback(() => {
    running.current = undefined;
    void queryClient.cancelQueries({ queryKey: indexQuery(api, index).queryKey, exact: true });
  }, [queryClient, api, index]);
  const lacksJobs = state.isOpen && !state.isComplete && error === null;
  useEffect(() => {
    if (lacksJobs && isReady && isVisibleAndOnline()) void read();
  }, [read, lacksJobs, isReady]);
  // Once the newest page has filled what was missing, the error of an earlier reading no longer matters.
  const isOutdated = state.isComplete && error !== null;
  useEffect(() => {
    if (isOutdated) void queryClient.resetQueries({ queryKey: indexQuery(api, index).queryKey, exact: true });
  }, [isOutdated, queryClient, api, index]);
  useEffect(() => {
    if (!isReady) return;
    const update = () => {
      if (isVisibleAndOnline()) void read();
      else stop();
    };
    update();
    document.addEventListener("visibilitychange", update);
    window.addEventListener("online", update);
    window.addEventListener("offline", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      window.removeEventListener("online", update);
      window.removeEventListener("offline", update);
    };
  }, [read, stop, isReady]);
  useEffect(() => stop, [stop]);
  return {
    isReading: lacksJobs && isReady && isVisibleAndOnline(),
    error: error ?? (failureCount >= REPORTED_AFTER_FAILURES ? failureReason : undefined),
    read: () => void read(),
  };
}

const isVisibleAndOnline = () => document.visibilityState !== "hidden" && navigator.onLine !== false;
