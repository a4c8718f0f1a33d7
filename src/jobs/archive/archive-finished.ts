import { archiveFolder, loseArchiveFolder } from "#media/archive/folder-store.ts";
import type { BulkJob } from "#media/bulk/bulk-job.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkRows } from "#storage/job-marks.ts";
import { readAll } from "#storage/typed-rows.ts";
import type { TrackedJob } from "../use-tracked-jobs.ts";
import { archiveJob } from "./archive-job.ts";
import { isArchiving, noteArchived, noteNotArchived } from "./archive-store.ts";

interface Waiting {
  accountId: string;
  tracked: readonly TrackedJob[];
}

/** Jobs that could not be saved since the page was opened: a restart tries them again. */
const given = new Set<string>();
let waiting: Waiting | undefined;
let isRunning = false;

/**
 * Saves what is finished and not marked as saved, one job after the other, oldest first. Called again while it runs, it
 * goes on with the newer jobs.
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
    if (saved.has(job.requestId) || given.has(job.requestId)) continue;
    if (!isArchiving()) return;
    try {
      await archiveJob(folder, accountId, job);
      noteArchived();
    } catch (error) {
      if (isLost(error)) return loseArchiveFolder();
      given.add(job.requestId);
      noteNotArchived(error instanceof Error ? error.message : "No reason was given.");
    }
  }
}

function finishedJob({ requestId, model, payload, job, priceMicroUsd }: TrackedJob): BulkJob[] {
  if (job?.status !== "success" || job.media.length === 0 || isMediaDeleted(requestId)) return [];
  if ((daysLeft(job.createdAtSeconds, Date.now()) ?? 1) <= 0) return [];
  return [{ ...job, model: job.model ?? model, payload: job.payload ?? payload, priceMicroUsd }];
}

// The leave was taken back, or the folder was moved: no file can be written until a person says where.
function isLost(error: unknown): boolean {
  return error instanceof DOMException && ["NotAllowedError", "NotFoundError", "SecurityError"].includes(error.name);
}
