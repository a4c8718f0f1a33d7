import { useMemo } from "react";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { MAX_COMPARED } from "#jobs/viewer/compare/same-prompt.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useJobIndex } from "./search/use-job-index.ts";

/** The compared jobs as they stand in the address. */
export function compareText(jobs: readonly JobRecord[]): string {
  return jobs.map(({ requestId }) => requestId).join(",");
}

/**
 * The jobs of an address that have a file to compare, eight at most: as the list has them, else as the index or this browser
 * knows them, for a comparison may come from Create while the list shows others.
 */
export function useCompared(text: string | undefined, entries: readonly JobRecord[]): readonly JobRecord[] {
  const tracked = useTrackedJobs();
  const { index, state } = useJobIndex();
  return useMemo(() => {
    const ids = text === undefined ? [] : [...new Set(text.split(","))].slice(0, MAX_COMPARED);
    return ids
      .flatMap((id) => {
        const listed = entries.find(({ requestId }) => requestId === id);
        if (listed) return listed;
        const indexed = state.isOpen ? index.get(id) : undefined;
        if (indexed && indexed.media.length > 0) return indexed;
        return tracked.find(({ requestId }) => requestId === id) ?? [];
      })
      .filter(({ media }) => media.length > 0);
  }, [text, entries, tracked, index, state.isOpen]);
}

/** Where results of other models are looked for: in all that is known, else in the list. */
export function useComparePool(entries: readonly JobRecord[]): readonly JobRecord[] {
  const known = useJobIndex().state.entries;
  return known.length > entries.length ? known : entries;
}

/** What a job is compared with from the viewer: the chosen jobs, else the next one that has a file of its kind. */
export function withNeighbour(
  requestId: string,
  chosen: readonly JobRecord[],
  entries: readonly JobRecord[],
): readonly JobRecord[] {
  const isThere = (entry: JobRecord) => entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  const index = entries.findIndex((entry) => entry.requestId === requestId);
  const own = entries[index];
  if (!own) return [];
  const others = chosen.filter((entry) => entry.requestId !== requestId && isThere(entry));
  if (others.length > 0) return [own, ...others].slice(0, MAX_COMPARED);
  const isLike = (entry: JobRecord) => isThere(entry) && entry.media[0]?.kind === own.media[0]?.kind;
  const next = entries.slice(index + 1).find(isLike) ?? entries.slice(0, index).findLast(isLike);
  return next ? [own, next] : [own];
}
