import { isMediaDeleted } from "#media/deleted-media.ts";
import { archiveFolder, type FolderHandle, loseArchiveFolder } from "#media/download/archive-folder.ts";
import { type BulkFailure, type BulkJob, bulkEntries, filesOf } from "#media/download/bulk-entries.ts";
import { nameTemplate } from "#media/download/file-name.ts";
import { saveInFolder } from "#media/download/save-in-folder.ts";
import { daysLeft } from "#media/retention.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkRows } from "#storage/job-marks.ts";
import { readAll } from "#storage/typed-rows.ts";
import { changeMarks } from "../marks/marks-store.ts";
import type { TrackedJob } from "../use-tracked-jobs.ts";
import { isArchiving, noteArchived, noteNotArchived } from "./archive-store.ts";

interface Waiting {
  accountId: string;
  tracked: readonly TrackedJob[];
}

/** Jobs that could not be saved since the page was opened: a restart tries them again. */
const givenUp = new Set<string>();
let waiting: Waiting | undefined;
let isRunning = false;

/**
 * Saves what is finished and not marked as saved, one job after the other, oldest first. Called again while it runs, it
 * goes on with the newer jobs. Rejects with `StorageError` where the marks cannot be read.
 */
export async function archiveFinished(accountId: string, tracked: readonly TrackedJob[]): Promise<void> {
  waiting = { accountId, tracked };
  if (isRunning) return;
  isRunning = true;
  try {
    while (waiting) {
      const pass: Waiting = waiting;
      waiting = undefined;
      await archivePass(pass);
    }
  } finally {
    isRunning = false;
  }
}

async function archivePass({ accountId, tracked }: Waiting): Promise<void> {
  const folder = await archiveFolder();
  if (!folder) return;
  const marks = await readAll(await openRows(), jobMarkRows, accountId);
  const saved = new Set(marks.flatMap((mark) => (mark.savedAtMs === undefined ? [] : [mark.requestId])));
  for (const job of tracked.toReversed().flatMap(finishedJob)) {
    if (saved.has(job.requestId) || givenUp.has(job.requestId)) continue;
    if (!isArchiving()) return;
    try {
      await archiveJob(folder, accountId, job);
      noteArchived();
    } catch (error) {
      if (isLost(error)) return loseArchiveFolder();
      givenUp.add(job.requestId);
      noteNotArchived(error instanceof Error ? error.message : "No reason was given.");
    }
  }
}

function finishedJob({ requestId, model, payload, job, priceMicroUsd }: TrackedJob): BulkJob[] {
  if (job?.status !== "success" || job.media.length === 0 || isMediaDeleted(requestId)) return [];
  if ((daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0) return [];
  return [{ ...job, model: job.model ?? model, payload: job.payload ?? payload, priceMicroUsd }];
}

// The permission was taken back, or the folder was moved: no file can be written until the person chooses a folder
// again.
function isLost(error: unknown): boolean {
  return error instanceof DOMException && ["NotAllowedError", "NotFoundError", "SecurityError"].includes(error.name);
}

/**
 * Saves every file of a job into a folder, with its settings in it or beside it, checks the bytes, and then marks the job
 * as saved: a job whose mark is missing is simply saved again.
 * @throws StorageError, an Error with the reason of the first file that could not be saved, or what the browser throws
 * where it may not write.
 */
async function archiveJob(folder: FolderHandle, accountId: string, job: BulkJob): Promise<void> {
  const failures: BulkFailure[] = [];
  const entries = bulkEntries({ files: filesOf([job]), template: nameTemplate(), failures, isUnlisted: true });
  await saveInFolder(entries, folder);
  if (failures[0]) throw new Error(failures[0].reason);
  await changeMarks(accountId, [job.requestId], () => ({ savedAtMs: Date.now() }));
}
