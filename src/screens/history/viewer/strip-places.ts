import type { JobRecord } from "#storage/job-records.ts";
import type { ViewerPlace } from "./viewer-place.ts";

/** Every file of a list of jobs in one row; a job without files has one place. */
export interface StripPlaces {
  count: number;
  /** The job and the file at a place of the row. */
  at(index: number): { entry: JobRecord; file: number } | undefined;
  /** Where a file stands; -1 where its job is not in the list. */
  indexOf(place: ViewerPlace): number;
}

/** The row of a list. Made once for a list of 100,000 jobs, and then read at any place. Never throws. */
export function stripPlaces(entries: readonly JobRecord[]): StripPlaces {
  const starts = new Uint32Array(entries.length + 1);
  for (const [at, entry] of entries.entries()) starts[at + 1] = (starts[at] ?? 0) + Math.max(1, entry.media.length);
  const count = starts[entries.length] ?? 0;
  return {
    count,
    at(index) {
      if (!(index >= 0 && index < count)) return undefined;
      let low = 0;
      let high = entries.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= index) low = middle;
        else high = middle - 1;
      }
      const entry = entries[low];
      return entry && { entry, file: index - (starts[low] ?? 0) };
    },
    indexOf({ requestId, file }) {
      const at = entries.findIndex((entry) => entry.requestId === requestId);
      const files = Math.max(1, entries[at]?.media.length ?? 1);
      return at < 0 ? -1 : (starts[at] ?? 0) + Math.min(file, files - 1);
    },
  };
}
