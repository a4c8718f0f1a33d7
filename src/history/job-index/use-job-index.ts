import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { useClient } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { MarksById } from "#results/marks/marks-store.ts";
import { isComplete } from "#runs/job-list/reading-place.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { onWipe } from "#storage/changes.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { HistorySearch } from "../history-search.ts";
import { createJobIndex, type IndexState, indexQuery, type JobIndex, serviceSeconds } from "./job-index.ts";
import { searchIndex, searchText } from "./search-index.ts";

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

interface SearchOptions {
  search: HistorySearch;
  marks: MarksById;
  nowMs: number;
}

/** What some jobs hold of a search and its filters, in their order. `texts` stand at the same places. */
export function useSearched(
  entries: readonly JobRecord[],
  texts: (() => readonly string[]) | undefined,
  { search, marks, nowMs }: SearchOptions,
): readonly JobRecord[] {
  const { q = "*", model, type, status, after, before } = search;
  return useMemo(() => {
    const filters = {
      ...(model && { model }),
      ...(type && { type }),
      ...(status && { status }),
      ...(after && { after }),
      ...(before && { before }),
    };
    const textsOf = texts ?? (() => entries.map(searchText));
    return searchIndex({ entries, texts: textsOf, query: q, filters, marks, nowMs });
  }, [entries, texts, q, model, type, status, after, before, marks, nowMs]);
}
