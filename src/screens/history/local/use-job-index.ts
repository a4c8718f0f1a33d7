import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "../history-entry.ts";
import type { HistorySearch } from "../history-search.ts";
import { type JobIndex, jobIndexOf } from "./job-index.ts";
import { searchIndex } from "./search-index.ts";

/** The index of the current key's jobs, and what it holds now. */
export function useJobIndex(): { index: JobIndex; state: ReturnType<JobIndex["state"]> } {
  const index = jobIndexOf(useConnection()?.accountId ?? "");
  const state = useSyncExternalStore(index.subscribe, index.state);
  return { index, state };
}

/** Takes a page of the service's list into the index. */
export function useNoteSeen(index: JobIndex, entries: readonly HistoryEntry[]): void {
  useEffect(() => {
    if (entries.length > 0) index.note(entries);
  }, [index, entries]);
}

interface IndexSearchOptions {
  search: HistorySearch;
  marks: MarksById;
  prices: ReadonlyMap<string, MicroUsd>;
  nowMs: number;
}

/** What the index finds for a search, or undefined while none is asked for. */
export function useIndexSearch(
  state: ReturnType<JobIndex["state"]>,
  options: IndexSearchOptions,
): readonly HistoryEntry[] | undefined {
  const { search, marks, prices, nowMs } = options;
  const { q, model, type, status, after, before } = search;
  const { entries, texts } = state;
  return useMemo(() => {
    if (q === undefined) return undefined;
    const filters = {
      ...(model && { model }),
      ...(type && { type }),
      ...(status && { status }),
      ...(after && { after }),
      ...(before && { before }),
    };
    return searchIndex({ entries, texts, query: q, filters, marks, prices, nowMs });
  }, [entries, texts, q, model, type, status, after, before, marks, prices, nowMs]);
}
