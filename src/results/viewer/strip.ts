// The list that the viewer steps through: every file of a list of jobs or runs, one after the other.
import { useState } from "react";
import type { MediaItem } from "#api/types.ts";
import { jobName } from "#runs/job-facts.ts";
import { statusWords } from "#runs/status-words.ts";
import type { JobRecord } from "#storage/job-records.ts";
import type { StatusTone } from "#ui/indicators.tsx";

/** The file that the viewer shows. */
export interface ViewedFile {
  /** The id of a job, or of a run of a batch. */
  id: string;
  /** From 0. */
  file: number;
}

/** A job, or a run of a batch that may have no job yet. */
export interface ViewedResult {
  id: string;
  /** Its name in one line. */
  name: string;
  /** Empty until the result has files. */
  files: readonly MediaItem[];
  job: JobRecord | undefined;
  /** The status that the filmstrip shows for a result without a file. */
  state: { word: string; tone: StatusTone };
}

/** One file of the strip, or a result that has none. */
export interface StripItem {
  result: ViewedResult;
  file: number;
  /** Which result of the list it is, from 0. */
  resultIndex: number;
}

/** Every file of a list of results, one after the other. A result without files has one item. */
export interface Strip {
  count: number;
  /** How many results there are. */
  resultCount: number;
  at(index: number): StripItem | undefined;
  /** -1 where the result of the file is not in the list. */
  indexOf(viewed: ViewedFile): number;
}

/** How the strip reads the items of a list. */
interface ListReader<T> {
  idOf(item: T): string;
  filesOf(item: T): readonly MediaItem[];
  /** Called only for items in view. */
  read(item: T): ViewedResult;
}

/** The strip of a list. Made once for a list of up to 100,000 jobs; what is shown of one is read only when it is shown. */
export function makeStrip<T>(items: readonly T[], { idOf, filesOf, read }: ListReader<T>): Strip {
  // For each result, how many items of the strip come before it.
  const starts = new Uint32Array(items.length + 1);
  for (const [at, item] of items.entries()) starts[at + 1] = (starts[at] ?? 0) + Math.max(1, filesOf(item).length);
  const count = starts[items.length] ?? 0;
  return {
    count,
    resultCount: items.length,
    at(index) {
      if (!(index >= 0 && index < count)) return undefined;
      let low = 0;
      let high = items.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= index) low = middle;
        else high = middle - 1;
      }
      const item = items[low];
      return item === undefined
        ? undefined
        : { result: read(item), file: index - (starts[low] ?? 0), resultIndex: low };
    },
    indexOf({ id, file }) {
      const at = items.findIndex((item) => idOf(item) === id);
      const item = items[at];
      if (item === undefined) return -1;
      return (starts[at] ?? 0) + Math.min(file, Math.max(1, filesOf(item).length) - 1);
    },
  };
}

/** The strip of a list of jobs. */
export const jobStrip = (jobs: readonly JobRecord[]): Strip =>
  makeStrip(jobs, {
    idOf: (job) => job.requestId,
    filesOf: (job) => job.media,
    read: (job) => ({
      id: job.requestId,
      name: jobName(job),
      files: job.media,
      job,
      state: statusWords(job.status),
    }),
  });

/**
 * The list that the viewer steps through: the given one, or the last one that had the viewed item. A filter may take that
 * item away while it is viewed, because its star is gone or its run has ended, and the viewer stays open. The list must be
 * the same object as long as nothing in it changes.
 */
export function useListWhileViewed<T>(list: readonly T[], isViewed: (item: T) => boolean): readonly T[] {
  const [last, setLast] = useState(list);
  if (last === list) return list;
  const isGone = !list.some(isViewed) && last.some(isViewed);
  if (isGone) return last;
  setLast(list);
  return list;
}
