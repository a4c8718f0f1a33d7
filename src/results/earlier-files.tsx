import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { MediaItem, MediaKind } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { fileKey } from "#media/file-address.ts";
import { daysLeft } from "#media/retention.ts";
import { MediaThumb } from "#media/show/media-thumb.tsx";
import { getPrompt } from "#runs/job-inputs.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { type JobRecord, mergeRecords } from "#storage/job-records.ts";

interface EarlierFilesProps {
  label: string;
  files: readonly EarlierFile[];
  /** The URLs of the chosen files, in the order in which they were chosen. */
  chosen?: readonly string[];
  /** Several files can be chosen: each shows its number in that order. */
  takesSeveral?: boolean;
  /** The URL of the file that is being loaded. */
  readingUrl?: string | undefined;
  onPress: (file: EarlierFile) => void;
}

/** A grid of thumbnails of earlier files to choose from. */
export function EarlierFiles(props: EarlierFilesProps) {
  const { label, files, chosen = [], takesSeveral = false, readingUrl, onPress } = props;
  return (
    <ul
      aria-label={label}
      aria-busy={readingUrl !== undefined}
      className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(--spacing(29),1fr))] gap-2.5 p-0.5"
    >
      {files.map((earlier) => {
        const { file, name } = earlier;
        const number = chosen.indexOf(file.url) + 1;
        return (
          <li key={file.url} className="min-w-0">
            <button
              type="button"
              aria-label={number > 0 ? `${name}, number ${number}` : name}
              aria-pressed={takesSeveral ? number > 0 : undefined}
              onClick={() => onPress(earlier)}
              className={clsx(
                "relative block aspect-square w-full cursor-pointer overflow-hidden rounded-md border bg-raised p-0",
                number > 0 ? "border-accent outline-2 outline-accent" : "border-line hover:border-line-strong",
              )}
            >
              <MediaThumb item={file} alt="" />
              {number > 0 && (
                <span
                  aria-hidden="true"
                  className="absolute top-1.5 left-1.5 grid size-6 place-items-center rounded-full bg-accent font-semibold text-sm text-accent-ink tabular-nums"
                >
                  {number}
                </span>
              )}
            </button>
            <p className="m-0 mt-1 truncate text-xs text-ink-3" title={name} dir="auto">
              {readingUrl === file.url ? "Loading…" : name}
            </p>
          </li>
        );
      })}
    </ul>
  );
}

/** A file that the service has, to be used again: a result of a job, or an input stored before. */
export interface EarlierFile {
  file: MediaItem;
  /** What it is called in a list. */
  name: string;
}

const MAX_LISTED_JOBS = 100;

/**
 * Results of a kind, of any kind where none is given: of the jobs that this browser follows, latest first, then of the first
 * page of the service's list. Deleted and expired files are absent.
 */
export function useEarlierResults(kind?: MediaKind): {
  files: EarlierFile[];
  isReading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const tracked = useTrackedJobs();
  const list = useQuery(jobQueries(useApi()).list({ status: ["success"], limit: MAX_LISTED_JOBS }));
  const deleted = useDeletedMedia().jobs;
  // The list's URLs are signed anew, and so they win.
  const jobs = new Map<string, JobRecord>(tracked.map((job) => [job.requestId, job]));
  for (const job of list.data?.jobs ?? []) {
    const row = jobs.get(job.requestId);
    jobs.set(job.requestId, row ? mergeRecords(row, job) : job);
  }
  const files = new Map<string, EarlierFile>();
  for (const job of jobs.values()) {
    if (deleted.has(job.requestId) || (daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0) continue;
    for (const [index, file] of job.media.entries()) {
      const key = fileKey(file.url) ?? file.url;
      if ((kind !== undefined && file.kind !== kind) || files.has(key) || isFileDeleted(file.url)) continue;
      const words = visibleLine(getPrompt(job) || job.model || job.requestId);
      files.set(key, { file, name: index > 0 ? `${words}, file ${index + 1}` : words });
    }
  }
  const { isPending, error, refetch } = list;
  return { files: [...files.values()], isReading: isPending, error, retry: () => void refetch() };
}
