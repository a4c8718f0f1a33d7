import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { JobListParams } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { findDays } from "./find-days.ts";
import type { HistoryEntry } from "./history-entry.ts";

interface PlacedDaysOptions {
  /** Those that are asked for, with all that are shown among them. */
  among: readonly HistoryEntry[];
  /** The service's filters that they are under, without its dates. */
  filters: JobListParams;
  nowMs: number;
  /** More are coming: not yet. */
  isWaiting?: boolean;
}

type Days = ReadonlyMap<string, number>;
// A job's day never changes, so that each is asked for once.
const KNOWN_DAYS = ["known-days"];

/**
 * Jobs, those without a time put into their days. Only the headings use it: how long files are kept is not guessed from
 * a day.
 */
export function usePlacedDays(
  entries: readonly HistoryEntry[],
  { among, filters, nowMs, isWaiting = false }: PlacedDaysOptions,
): readonly HistoryEntry[] {
  const api = useApi();
  const client = useQueryClient();
  const untimed = useMemo(
    () => among.flatMap((entry) => (entry.createdAtSeconds === undefined ? [entry.requestId] : [])),
    [among],
  );
  const { data: days } = useQuery({
    // Not all ids: there may be a hundred thousand.
    queryKey: ["job-days", filters, untimed.length, untimed[0], untimed.at(-1)],
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Days>(KNOWN_DAYS) ?? new Map();
      const ids = untimed.filter((id) => !known.has(id));
      const all: Days = new Map([...known, ...(await findDays({ api, ids, filters, nowMs, signal }))]);
      client.setQueryData(KNOWN_DAYS, all);
      return all;
    },
    enabled: untimed.length > 0 && !isWaiting,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    if (!days) return entries;
    return entries.map((entry) => {
      const daySeconds = entry.createdAtSeconds === undefined ? days.get(entry.requestId) : undefined;
      return daySeconds === undefined ? entry : { ...entry, daySeconds };
    });
  }, [entries, days]);
}
