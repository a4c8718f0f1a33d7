import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Api } from "#api/create-api.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { onWipe } from "#storage/changes.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { HistorySearch } from "../history-search.ts";
import { createJobIndex, type IndexState, type JobIndex } from "./job-index.ts";
import { searchIndex, searchText } from "./search-index.ts";

const indexes = new Map<string, JobIndex>();

let isWipeHeard = false;

/** The one index of an account. */
function jobIndexOf(accountId: string): JobIndex {
  if (!isWipeHeard) {
    isWipeHeard = true;
    // What memory holds of a deleted account is not written again.
    onWipe((wiped) => {
      indexes.get(wiped)?.stop();
      indexes.delete(wiped);
    });
  }
  const known = indexes.get(accountId) ?? createJobIndex(accountId);
  indexes.set(accountId, known);
  return known;
}

/** The index of the current key's jobs, and what it holds now. */
export function useJobIndex(): { index: JobIndex; state: IndexState } {
  const index = jobIndexOf(useConnection()?.accountId ?? "");
  const state = useSyncExternalStore(index.subscribe, index.state);
  return { index, state };
}

/**
 * Fills the index in the background while a page that is seen and online shows History: once `isReady`, and again when
 * the newest page of the list shows more new jobs than it holds.
 */
export function useIndexFilling(index: JobIndex, api: Api, isReady: boolean): void {
  const { phase, isComplete, error } = useSyncExternalStore(index.subscribe, index.state);
  const lacksJobs = phase === "ready" && !isComplete && error === undefined;
  useEffect(() => {
    if (lacksJobs && isReady && isSeenOnline()) void index.fill(api);
  }, [index, api, isReady, lacksJobs]);
  useEffect(() => {
    if (!isReady) return;
    const update = () => {
      if (isSeenOnline()) void index.fill(api);
      else index.stop();
    };
    update();
    document.addEventListener("visibilitychange", update);
    window.addEventListener("online", update);
    window.addEventListener("offline", update);
    return () => {
      document.removeEventListener("visibilitychange", update);
      window.removeEventListener("online", update);
      window.removeEventListener("offline", update);
      index.stop();
    };
  }, [index, api, isReady]);
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
