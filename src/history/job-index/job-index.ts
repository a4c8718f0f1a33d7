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
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { onWipe } from "#storage/changes.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import { createSeenJobs, indexedRecord, joinRow, saveSeen } from "./seen-jobs.ts";

/** Measured: a hundred thousand jobs take about 150 MB of the page's memory, and a search of them 10 ms. */
export const MAX_INDEXED = 100_000;
/** The jobs that it may hold beyond `MAX_INDEXED` before the oldest are left out, because that writes all anew. */
const MAX_OVER = 5_000;
/** The number of jobs up to which the index also reaches back beyond what still has its files. */
const ALWAYS_INDEXED = 10_000;
const DAY_SECONDS = 86_400;

export interface IndexState {
  /** What this browser has stored of it is read. */
  isOpen: boolean;
  entries: readonly JobRecord[];
  /** The text of each job that a search goes through, at the same places as `entries`. */
  texts: () => readonly string[];
  /** Nothing is left to read: the index holds what it is meant to. */
  isComplete: boolean;
  /** It holds every job of the key. */
  isWhole: boolean;
  /** Down to which second it holds every job: see `reachSeconds` of `job-pages.ts`. */
  reachSeconds: number;
  isUntimed: boolean;
  /** Older jobs that it is meant to hold are not read yet. */
  lacksOlder: boolean;
}

/** The jobs of one key that this browser has seen: searched here, and completed in the background. */
export type JobIndex = ReturnType<typeof createJobIndex>;

/** Each showing lays all jobs out anew: where the jobs are many, it happens more rarely. */
const showEveryMs = (jobs: number) => (jobs < 5_000 ? 400 : 3_000);
/** How long the newest page stands for a visit. */
const HEAD_IS_NEW_MS = 30_000;
/** How long a job without an end is looked for again. */
const UNSETTLED_SECONDS = 2 * DAY_SECONDS;

/** The index of one account (its key's fingerprint), opened from what this browser has stored. */
export function createJobIndex(accountId: string) {
  const seen = createSeenJobs();
  let place = START;
  let isOpen = false;
  let isDropped = false;
  let shownAt = 0;
  let showing: ReturnType<typeof setTimeout> | undefined;
  let head: JobPage | undefined;
  let headAt = Number.NEGATIVE_INFINITY;
  let own: ReadonlyMap<string, TrackedJob> = new Map();
  let stopMakingTexts = () => {};
  const early: (() => void)[] = [];
  const dirty = new Set<number>();
  const store = createStore<IndexState>(readState);

  function readState(): IndexState {
    const reach = { reachSeconds: reachSeconds(place), isUntimed: place.isUntimed, lacksOlder: lacksOlder(place) };
    const parts = { isComplete: isComplete(place), isWhole: isWhole(place), ...reach };
    return { isOpen, entries: seen.entries(), texts: seen.texts, ...parts };
  }
  function show() {
    clearTimeout(showing);
    showing = undefined;
    shownAt = Date.now();
    store.setState(readState());
    // The texts of a hundred thousand jobs take a while: they are made when the page has nothing else to do.
    stopMakingTexts();
    if (isComplete(place)) stopMakingTexts = whenIdle(seen.makeTexts);
  }
  function showSoon() {
    const waitMs = shownAt + showEveryMs(seen.size()) - Date.now();
    if (waitMs <= 0 || isComplete(place)) show();
    else showing ??= setTimeout(show, waitMs);
  }
  // Older jobs than the index is meant to hold are left to the service's own list.
  function take(entries: readonly JobRecord[]): void {
    const from = place.fromSeconds ?? Number.NEGATIVE_INFINITY;
    const taken = entries.filter(
      ({ requestId, createdAtSeconds }) => (createdAtSeconds ?? from) >= from || seen.has(requestId),
    );
    put(taken.map((job) => indexedRecord(withOwn(job))));
  }
  function put(jobs: readonly JobRecord[]): void {
    for (const chunk of seen.note(jobs)) dirty.add(chunk);
  }
  /** Adds what this browser's rows know to their jobs in the index. */
  function joinOwn(rows: Iterable<TrackedJob>): void {
    take(Array.from(rows).flatMap(({ requestId }) => seen.get(requestId) ?? []));
  }
  const withOwn = (job: JobRecord) => joinRow(own.get(job.requestId), job);
  async function save() {
    if (seen.size() > MAX_INDEXED + MAX_OVER) {
      for (const chunk of seen.trim(MAX_INDEXED)) dirty.add(chunk);
      place = placeFrom(place, (seen.entries().at(-1)?.createdAtSeconds ?? 0) + 1);
    }
    const chunks = new Map(Array.from(dirty, (number) => [number, seen.chunk(number)]));
    dirty.clear();
    // What memory holds of a deleted account is not written again.
    if (isDropped) return;
    // Without room on the disk the index lives as long as the page.
    await saveSeen(accountId, chunks, place, seen.size()).catch(() => undefined);
  }
  function settle(before: ReadingPlace) {
    if (dirty.size === 0 && JSON.stringify(before) === JSON.stringify(place)) return;
    show();
    void save();
  }
  /** The place without what the index is not meant to hold. */
  function bounded(next: ReadingPlace, nowSeconds: number): ReadingPlace {
    const reach = reachSeconds(next);
    const isFull = seen.size() >= MAX_INDEXED;
    const isOld = seen.size() >= ALWAYS_INDEXED && reach <= nowSeconds - RETENTION_DAYS * DAY_SECONDS;
    if (isComplete(next) || !(isFull || isOld)) return next;
    return placeFrom(next, Number.isFinite(reach) ? reach : 0);
  }
  /** When the oldest job was made that had no end when it was last seen. */
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
      joinOwn(own.values());
      for (const note of early) note();
      show();
    });

  const index = {
    accountId,
    /** Resolves once what this browser has stored is read. Never rejects. */
    opened,
    store,
    has: seen.has,
    /** A job as it was last seen. */
    get: seen.get,
    /** Where reading the service's list goes on. */
    place: () => place,
    /** Adds jobs that were seen anywhere. */
    note(entries: readonly JobRecord[]): void {
      if (!isOpen) return void early.push(() => index.note(entries));
      take(entries);
      settle(place);
    },
    /** Adds the records of single jobs, which were asked for because they are in view, also of jobs before its bound. */
    noteRead(jobs: readonly JobRecord[]): void {
      if (!isOpen) return void early.push(() => index.noteRead(jobs));
      put(jobs.map((job) => ({ ...withOwn(job), isReadHere: true, raw: {} })));
      settle(place);
    },
    /**
     * Adds what jobs in view cost today, also of jobs before its bound. A copy of the estimate that was asked for: a search by
     * cost goes through all jobs of the index, also those that another page has priced.
     */
    noteEstimates(prices: readonly (readonly [job: JobRecord, estimatedMicroUsd: MicroUsd])[]): void {
      if (!isOpen) return void early.push(() => index.noteEstimates(prices));
      put(
        prices.map(([job, price]) => ({
          ...(seen.get(job.requestId) ?? indexedRecord(job)),
          estimatedMicroUsd: price,
        })),
      );
      settle(place);
    },
    /**
     * Notes the jobs that this browser follows. Of those in the index their rows tell the price, what was sent and how they
     * ended; when they ran, and that the service no longer has one, stays with the row.
     */
    noteOwn(rows: readonly TrackedJob[]): void {
      const before = own;
      own = new Map(rows.map((row) => [row.requestId, row]));
      if (!isOpen) return;
      joinOwn(rows.filter((row) => before.get(row.requestId) !== row));
      settle(place);
    },
    /** Adds the newest page of the service's own list, without a filter: what it reaches down to needs no reading. */
    noteHead(page: JobPage, limit: number): void {
      if (!isOpen) return void early.push(() => index.noteHead(page, limit));
      if (page === head) return;
      head = page;
      const before = place;
      const fresh = page.jobs.filter(({ requestId }) => !seen.has(requestId)).length;
      take(page.jobs);
      // A list that is read by number has its place in the middle, or at the end where new jobs come last.
      if (!place.isUntimed || (isComplete(place) && !place.isOldestFirst)) {
        place = placeAfter(placeOfVisit(place), page, limit, fresh);
        headAt = Date.now();
      }
      settle(before);
    },
    /** Adds a page that was read from a place. Reading goes on after it, unless it goes on elsewhere by now. */
    notePage(from: ReadingPlace, { jobs, place: next }: ReadPage, nowSeconds: number): void {
      take(jobs);
      if (place === from) place = bounded(next, nowSeconds);
      void save();
      showSoon();
    },
    /** Makes `place` begin with what came since the last reading, and with jobs whose end is not known yet. */
    beginVisit(nowSeconds: number): void {
      if (isDropped) return;
      const unsettled = unsettledSeconds(nowSeconds);
      if (Date.now() - headAt > HEAD_IS_NEW_MS || Number.isFinite(unsettled)) place = placeOfVisit(place, unsettled);
    },
    /** Reads and writes nothing any more: the account was deleted. */
    drop(): void {
      isDropped = true;
      place = { ...place, gaps: [] };
    },
  };
  return index;
}

/**
 * Reads the next page of what an index lacks into it, within the connection's budget, each time that it is fetched. A busy
 * service is waited for. Rejects with an `ApiError`.
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
      // Its jobs are in the index.
      return null;
    },
    retry: (_, error) => isTransient(error),
    gcTime: 0,
  });

/** What time it is at the service, as far as that is known. */
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

/** The index of the current key's jobs, and what it holds now. */
export function useJobIndex(): { index: JobIndex; state: IndexState } {
  const index = getJobIndex(useConnection()?.accountId ?? "");
  return { index, state: useStore(index.store) };
}

/**
 * A job as it is known here, also where the list does not show it: as the index has it with its files, else as this browser
 * follows it. The same function until more is known of any job.
 */
export function useKnownJob(): (requestId: string) => JobRecord | undefined {
  const tracked = useTrackedJobs();
  const { index, state } = useJobIndex();
  const rows = useMemo(() => new Map(tracked.map((job) => [job.requestId, job])), [tracked]);
  return useMemo(() => {
    // What it holds changes with its state.
    const { isOpen } = state;
    return (requestId) => {
      const indexed = isOpen ? index.get(requestId) : undefined;
      return indexed && indexed.media.length > 0 ? indexed : (rows.get(requestId) ?? indexed);
    };
  }, [rows, index, state]);
}

/** A service that is busy for a moment is nothing to report. */
const REPORTED_AFTER_FAILURES = 4;

export interface IndexReading {
  /** What the index lacks is being read, or will be when the service responds. */
  isReading: boolean;
  /** Why reading waits, or has ended early. */
  error: unknown;
  /** Looks for new and changed jobs. */
  read: () => void;
}

/**
 * Fills the index in the background while a page that is seen and online shows History: once `isReady`, and again when
 * the newest page of the list shows more new jobs than it holds.
 */
export function useIndexReading(index: JobIndex, state: IndexState, isReady: boolean): IndexReading {
  const { api, queryClient } = useClient();
  const { error, failureCount, failureReason, refetch } = useQuery({
    ...indexQuery(api, index),
    // Each fetch is a page: `read` fetches until nothing is left.
    enabled: false,
    // The index shows what comes: the screen is not made anew for each page.
    notifyOnChangeProps: ["error", "failureCount"],
  });
  const running = useRef<object>(undefined);
  const read = useCallback(async () => {
    if (running.current) return;
    const own = {};
    running.current = own;
    // Why an earlier reading ended says nothing of this one.
    const { queryKey } = indexQuery(api, index);
    if (queryClient.getQueryState(queryKey)?.error) void queryClient.resetQueries({ queryKey, exact: true });
    await index.opened;
    index.beginVisit(serviceSeconds(api));
    while (running.current === own && isSeenOnline() && !isComplete(index.place())) {
      const { isError } = await refetch({ cancelRefetch: false });
      if (isError) break;
    }
    if (running.current === own) running.current = undefined;
  }, [index, api, queryClient, refetch]);
  const stop = useCallback(() => {
    running.current = undefined;
    void queryClient.cancelQueries({ queryKey: indexQuery(api, index).queryKey, exact: true });
  }, [queryClient, api, index]);
  const lacksJobs = state.isOpen && !state.isComplete && error === null;
  useEffect(() => {
    if (lacksJobs && isReady && isSeenOnline()) void read();
  }, [read, lacksJobs, isReady]);
  // An error says nothing any more once the newest page of the list has filled what was missing.
  const isOutdated = state.isComplete && error !== null;
  useEffect(() => {
    if (isOutdated) void queryClient.resetQueries({ queryKey: indexQuery(api, index).queryKey, exact: true });
  }, [isOutdated, queryClient, api, index]);
  useEffect(() => {
    if (!isReady) return;
    const update = () => {
      if (isSeenOnline()) void read();
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
    isReading: lacksJobs && isReady && isSeenOnline(),
    error: error ?? (failureCount >= REPORTED_AFTER_FAILURES ? failureReason : undefined),
    read: () => void read(),
  };
}

const isSeenOnline = () => document.visibilityState !== "hidden" && navigator.onLine !== false;
