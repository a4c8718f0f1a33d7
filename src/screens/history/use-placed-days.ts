import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { findDays } from "./find-days.ts";
import type { HistoryEntry } from "./history-entry.ts";
import { filterParams } from "./history-params.ts";
import type { HistorySearch } from "./history-search.ts";

/**
 * A page of jobs, those without a time put into their days. Only the headings use it: how long files are kept is not
 * guessed from a day.
 */
export function usePlacedDays(
  entries: readonly HistoryEntry[],
  { search, nowMs }: { search: HistorySearch; nowMs: number },
): readonly HistoryEntry[] {
  const api = useApi();
  const ids = entries.flatMap((entry) => (entry.createdAtSeconds === undefined ? [entry.requestId] : []));
  const { after: _after, before: _before, ...undated } = search;
  const filters = filterParams(undated);
  const { data: days } = useQuery({
    queryKey: ["job-days", filters, ids],
    queryFn: ({ signal }) => findDays({ api, ids, filters, nowMs, signal }),
    enabled: ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => {
    if (!days) return entries;
    return entries.map((entry) => {
      const daySeconds = days.get(entry.requestId);
      return daySeconds === undefined ? entry : { ...entry, daySeconds };
    });
  }, [entries, days]);
}
