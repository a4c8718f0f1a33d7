import { Archive, Download, Hourglass, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { counted } from "#lib/numbers.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { allowArchiveFolder, archiveFolder, canPickFolder, useArchiveFolder } from "#media/download/archive-folder.ts";
import { getBulkFiles } from "#media/download/bulk-entries.ts";
import { startBulk } from "#media/download/bulk-run.ts";
import { RETENTION_DAYS } from "#media/retention.ts";
import { useArchive } from "#results/archive/archive-store.ts";
import type { Marks } from "#results/marks/marks.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { Notice } from "#ui/notice.tsx";
import { historyCommands } from "./commands.ts";
import { useJobIndex } from "./job-index/job-index.ts";

interface ExpiryBannerProps {
  marks: Marks;
  nowMs: number;
  /** Shows the jobs whose files expire. */
  onShow: () => void;
}

const WEEK_DAYS = 7;
const DAY_SECONDS = 86_400;

/**
 * Says that files expire within a week, and offers to save or download them. It is decided once for each list: a banner that
 * came later would push down what a person reads.
 */
export function ExpiryBanner({ marks, nowMs, onShow }: ExpiryBannerProps) {
  const accountId = useConnection()?.accountId ?? "";
  const { entries, isOpen } = useJobIndex().state;
  const [isShown, setIsShown] = useState(
    () => isOpen && hasNewSinceDismissed(accountId, expiringJobs(entries, marks.marks, nowMs)),
  );
  if (!isShown) return null;
  const jobs = expiringJobs(entries, marks.marks, nowMs);
  const files = getBulkFiles(jobs);
  const state = files.length === 0 ? { unavailable: "No unsaved files expire this week" } : {};
  const words = expiryWords(files.length);
  return (
    <section
      aria-label="Files that expire this week"
      className="mt-3 mb-2 flex min-h-10.5 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-md bg-panel py-1 pr-1.5 pl-3.5 text-sm max-sm:pl-2.5"
    >
      <Hourglass aria-hidden className="size-4 shrink-0 text-unconfirmed" />
      {files.length === 0 ? (
        <span role="status" className="min-w-0 flex-1">
          {words}
        </span>
      ) : (
        <span className="min-w-0 flex-1 max-sm:basis-[calc(100%-90px)]">
          <CommandButton
            variant="ghost"
            size="sm"
            className="-mx-1.5 px-1.5! font-normal! text-ink! underline-offset-2 hover:underline"
            command={{ ...historyCommands.expiring, ...state, run: onShow }}
          >
            {words}
          </CommandButton>
        </span>
      )}
      {files.length > 0 && (
        <>
          {canPickFolder() && (
            <CommandButton
              size="sm"
              className="max-sm:order-1"
              command={{
                ...historyCommands.archiveExpiring,
                icon: Archive,
                ...state,
                run: () => void startBulk(files, "archive", (failed) => markSaved(marks, jobs, failed)),
              }}
            >
              Save to folder
            </CommandButton>
          )}
          <CommandButton
            size="sm"
            className="max-sm:order-1"
            command={{
              ...historyCommands.downloadExpiring,
              icon: Download,
              ...state,
              run: () => void startBulk(files),
            }}
          >
            Download
          </CommandButton>
        </>
      )}
      <IconButton
        size="sm"
        label="Dismiss"
        onClick={() => {
          noteDismissed(accountId, jobs);
          setIsShown(false);
        }}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </section>
  );
}

/** "12 files expire this week". */
function expiryWords(files: number): string {
  if (files === 0) return "No unsaved files expire this week.";
  return `${counted(files, "file expires", "files expire")} this week`;
}

/**
 * Jobs whose files the service deletes within seven days, without those that were saved to the folder or deleted.
 * `entries` must be newest first, so that only those of the week are looked at.
 */
function expiringJobs(
  entries: readonly JobRecord[],
  marks: ReadonlyMap<string, { savedAtMs?: number | undefined }>,
  nowMs: number,
): JobRecord[] {
  const fromSeconds = nowMs / 1000 - RETENTION_DAYS * DAY_SECONDS;
  const toSeconds = fromSeconds + WEEK_DAYS * DAY_SECONDS;
  const found: JobRecord[] = [];
  for (let index = firstOlder(entries, toSeconds); index < entries.length; index++) {
    const entry = entries[index] as JobRecord;
    const { createdAtSeconds, media, requestId } = entry;
    if (createdAtSeconds === undefined || createdAtSeconds <= fromSeconds) break;
    if (media.length === 0 || marks.get(requestId)?.savedAtMs !== undefined || isMediaDeleted(requestId)) continue;
    found.push(entry);
  }
  return found;
}

// The index of the first job that is older than a Unix second, among jobs that are newest first.
function firstOlder(entries: readonly JobRecord[], seconds: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.createdAtSeconds ?? -1) >= seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

const dismissedKey = (accountId: string) => keyOfAccount(KEYS.dismissedExpiry, accountId);
const getNewestSeconds = (jobs: readonly JobRecord[]) => jobs[0]?.createdAtSeconds ?? 0;

/** Whether some of the jobs are newer than those of the banner that was dismissed last. */
function hasNewSinceDismissed(accountId: string, jobs: readonly JobRecord[]): boolean {
  const dismissed = readJson(dismissedKey(accountId));
  return jobs.length > 0 && !(typeof dismissed === "number" && getNewestSeconds(jobs) <= dismissed);
}

function noteDismissed(accountId: string, jobs: readonly JobRecord[]): void {
  writeJson(dismissedKey(accountId), getNewestSeconds(jobs));
}

function markSaved(marks: Marks, jobs: readonly JobRecord[], failed: readonly string[]): void {
  const saved = jobs.flatMap(({ requestId }) => (failed.includes(requestId) ? [] : [requestId]));
  if (saved.length > 0) marks.change(saved, () => ({ savedAtMs: Date.now() }));
}

/** Whether finished jobs wait for `ArchiveWaiting`. */
export function useIsArchiveWaiting(): boolean {
  const { isOn } = useArchive();
  const { phase, folder } = useArchiveFolder();
  useEffect(() => {
    if (isOn) void archiveFolder();
  }, [isOn]);
  return isOn && phase === "asking" && folder !== undefined;
}

/** Asks for the press that some browsers want, after a restart, before the page may write into the folder again. */
export function ArchiveWaiting({ className }: { className?: string }) {
  const { folder } = useArchiveFolder();
  if (!useIsArchiveWaiting() || !folder) return null;
  return (
    <Notice
      tone="info"
      title="Finished jobs are waiting to be saved"
      className={className}
      actions={
        <Button size="sm" onClick={() => void allowArchiveFolder()}>
          Allow access
        </Button>
      }
    >
      To keep saving to {folder.name}, allow access again. Files stay at the service for 60 days.
    </Notice>
  );
}
