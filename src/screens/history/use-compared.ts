import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { type HistoryEntry, toEntry } from "./history-entry.ts";

/**
 * The jobs of these ids that have a file to compare: as the list has them, else as this browser knows them, for a
 * comparison may come from Create while the list shows another page.
 */
export function useCompared(ids: readonly string[], entries: readonly HistoryEntry[]): HistoryEntry[] {
  const tracked = useTrackedJobs();
  return ids
    .flatMap((id) => {
      const listed = entries.find(({ requestId }) => requestId === id);
      if (listed) return listed;
      const ours = tracked.find(({ requestId }) => requestId === id);
      return ours?.job ? toEntry({ ...ours.job, payload: ours.job.payload ?? ours.payload }, ours.priceMicroUsd) : [];
    })
    .filter(({ media }) => media.length > 0);
}
