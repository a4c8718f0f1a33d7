import { FileArchive, FolderDown } from "lucide-react";
import type { Api } from "#api/create-api.ts";
import type { JobListParams } from "#api/types.ts";
import { findOffsetUnit } from "#jobs/offset-unit.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { canPickFolder } from "#media/download/archive-folder.ts";
import { type BulkFile, filesOf } from "#media/download/bulk-entries.ts";
import { startBulk, type WantedFiles } from "#media/download/bulk-run.ts";
import type { ButtonProps } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { type HistoryEntry, toEntry } from "./history-entry.ts";
import { readAllJobs } from "./search/read-all.ts";
import { NOTHING_READ } from "./search/read-plan.ts";

interface BulkButtonsProps extends Pick<ButtonProps, "variant"> {
  wanted: WantedFiles;
  /** Whose files: of the whole list, or of what is selected in it. */
  place: "history" | "selection";
  /** On the button that makes a zip. */
  label: string;
  isEmpty?: boolean;
  /** On a phone the picture alone. */
  isShort?: boolean;
}

/** Saves many files: as one zip, and straight into a chosen folder where the browser lets a page write into one. */
export function BulkButtons({ wanted, place, label, isEmpty = false, isShort = false, variant }: BulkButtonsProps) {
  const word = isShort ? "max-sm:sr-only" : undefined;
  const group = place === "history" ? "Find" : "Selected jobs";
  const state = { group, ...(isEmpty ? { unavailable: "There are no files to download" } : {}) };
  const zip = { id: `${place}.zip`, label, icon: FileArchive, ...state, run: () => void startBulk(wanted) };
  const folder = {
    id: `${place}.folder`,
    label: place === "history" ? "Save all in a folder" : "Save in a folder",
    icon: FolderDown,
    ...state,
    run: () => void startBulk(wanted, "folder"),
  };
  return (
    <>
      <CommandButton size="sm" variant={variant} command={zip}>
        <span className={word}>{label}</span>
      </CommandButton>
      {canPickFolder() && (
        <CommandButton size="sm" variant={variant} command={folder}>
          <span className={word}>Save in a folder</span>
        </CommandButton>
      )}
    </>
  );
}

interface MatchingOptions {
  api: Api;
  /** The service's own filters. */
  params: JobListParams;
  /** Those of the jobs that a search lets through. */
  keep: (entries: readonly HistoryEntry[]) => readonly HistoryEntry[];
  signal: AbortSignal;
  /** How many jobs were read so far. */
  onRead: (jobs: number) => void;
}

/**
 * The files of every job that the service's own filters let through, however many pages that are: read 1,000 at a time
 * and by time, as the index is (spec 4.1).
 * @throws the ApiError that did not pass, or the signal's reason.
 */
export async function matchingFiles({
  api,
  params: filters,
  keep,
  signal,
  onRead,
}: MatchingOptions): Promise<BulkFile[]> {
  const found = new Map<string, HistoryEntry>();
  await readAllJobs({
    api: { listJobs: (params, within) => api.listJobs({ ...filters, ...params }, within) },
    plan: { ...NOTHING_READ, gaps: [{ before: filters.created_before, after: filters.created_after }] },
    signal,
    offsetUnit: () => findOffsetUnit(api, signal),
    onPage: (jobs) => {
      const before = found.size;
      for (const job of jobs) found.set(job.requestId, toEntry(job));
      onRead(found.size);
      return found.size - before;
    },
    onPlan: (plan) => plan,
  });
  return undeletedFiles(keep([...found.values()]));
}

/** The files of some jobs, without those of which the media were deleted. */
export function undeletedFiles(entries: readonly HistoryEntry[]): BulkFile[] {
  return filesOf(entries.filter((entry) => !isMediaDeleted(entry.requestId)));
}
