// Saves the files of finished jobs into a folder that the person chose.
import { isCancelledError, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Api } from "#api/create-api.ts";
import { useConnection } from "#connection/connection-store.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import {
  archiveFolder,
  type FolderHandle,
  loseArchiveFolder,
  useArchiveFolder,
} from "#media/download/archive-folder.ts";
import { type BulkFailure, type BulkJob, bulkEntries, getBulkFiles } from "#media/download/bulk-entries.ts";
import { nameTemplate } from "#media/download/file-name.ts";
import { saveInFolder } from "#media/download/save-in-folder.ts";
import { daysLeft } from "#media/retention.ts";
import { jobQueries } from "#runs/poll/job-queries.ts";
import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { jobMarkRows } from "#storage/job-marks.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import { readAll } from "#storage/typed-rows.ts";
import { fromIndexQuery } from "../from-index-query.ts";
import { changeMarks } from "../marks/marks.ts";
import { isArchiving, noteArchived, noteNotArchived, useArchive } from "./archive-store.ts";

/** What one pass over the finished jobs needs. */
interface ArchivePass {
  accountId: string;
  client: QueryClient;
  tracked: readonly TrackedJob[];
  api: Api;
}

/** Jobs that could not be saved since the page was opened: a restart tries them again. */
const givenUp = new Set<string>();
/** The pass that was asked for last and has not begun. */
let nextPass: ArchivePass | undefined;
let isRunning = false;

/**
 * Saves what is finished and not marked as saved, one job after the other, the soonest to expire first: jobs of this
 * browser, then those from elsewhere that History has seen. Called again while it runs, it goes on with what is new.
 * Rejects with `StorageError` where the marks cannot be read.
 */
export async function archiveFinished(wanted: ArchivePass): Promise<void> {
  nextPass = wanted;
  if (isRunning) return;
  isRunning = true;
  try {
    while (nextPass) {
      const pass: ArchivePass = nextPass;
      nextPass = undefined;
      await archivePass(pass);
    }
  } finally {
    isRunning = false;
  }
}

async function archivePass({ accountId, client, tracked, api }: ArchivePass): Promise<void> {
  const folder = await archiveFolder();
  if (!folder) return;
  const marks = await readAll(await openRows(), jobMarkRows, accountId);
  const saved = new Set(marks.flatMap((mark) => (mark.savedAtMs === undefined ? [] : [mark.requestId])));
  const ownJobs = tracked.filter((job) => job.media.length > 0 && mayHaveFiles(job));
  const isOpen = ({ requestId }: BulkJob) => !saved.has(requestId) && !givenUp.has(requestId);
  const trackedIds = new Set(tracked.map(({ requestId }) => requestId));
  const indexed = await client.fetchQuery(finishedQuery(accountId)).catch(() => undefined);
  const otherJobs = (indexed?.shown ?? []).filter(
    (job) => isOpen(job) && !trackedIds.has(job.requestId) && mayHaveFiles(job),
  );
  // The jobs of this browser come first, so that they do not wait for thousands from elsewhere.
  for (const job of [...soonestFirst(ownJobs.filter(isOpen)), ...soonestFirst(otherJobs)]) {
    if (!isArchiving()) return;
    // A later call has newer jobs, so this pass ends and that one begins.
    if (nextPass) return;
    try {
      const whole = await withFiles(job, { api, client });
      // The job's own record has no file either, so there is nothing to save.
      if (whole.media.length === 0) givenUp.add(job.requestId);
      else {
        await archiveJob(folder, accountId, whole);
        noteArchived();
      }
    } catch (error) {
      if (isLost(error)) return loseArchiveFolder();
      // A screen that read the same record was closed meanwhile: the next pass reads it again.
      if (isCancelledError(error)) continue;
      givenUp.add(job.requestId);
      noteNotArchived(error instanceof Error ? error.message : "No reason was given.");
    }
  }
}

/** Sorts the oldest first, because the service deletes their files first. */
function soonestFirst(jobs: readonly BulkJob[]): BulkJob[] {
  const madeAt = ({ createdAtSeconds }: BulkJob) => createdAtSeconds ?? Number.POSITIVE_INFINITY;
  return jobs.toSorted((a, b) => madeAt(a) - madeAt(b));
}

/**
 * The jobs of the index that have files to save, whoever submitted them. Read from its rows, since the index itself
 * is open in History alone. Cached between two passes: every new row of this browser begins one, and the index may have a
 * hundred thousand jobs.
 */
const finishedQuery = (accountId: string) =>
  fromIndexQuery(accountId, "finished", {
    pick: (job) => (mayHaveFiles(job) ? job : undefined),
    combine: (jobs) => jobs,
  });

/** Whether a job has files to save, as far as its record shows. One without an outcome may have some. */
function mayHaveFiles({ requestId, status, media, lacksOutcome, createdAtSeconds }: JobRecord): boolean {
  if (status !== "success" || (media.length === 0 && !lacksOutcome)) return false;
  return !isMediaDeleted(requestId) && (daysLeft(createdAtSeconds, Date.now()) ?? 1) > 0;
}

/** The job with its files. A list may show no more than the status: then the job's own record is read. */
async function withFiles(job: BulkJob, { api, client }: Pick<ArchivePass, "api" | "client">): Promise<BulkJob> {
  if (job.media.length > 0) return job;
  // The record is not cached: it may contain whole files, and there may be thousands of records.
  const record = await client.fetchQuery({ ...jobQueries(api).detail(job.requestId), gcTime: 0 });
  return { ...job, media: record.media, payload: job.payload ?? record.payload };
}

/** Whether no file can be written any more, because the permission was taken back or the folder was moved. */
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
  const entries = bulkEntries({ files: getBulkFiles([job]), template: nameTemplate(), failures, isUnlisted: true });
  await saveInFolder(entries, folder);
  if (failures[0]) throw new Error(failures[0].reason);
  await changeMarks(accountId, [job.requestId], () => ({ savedAtMs: Date.now() }));
}

/** How long to wait after a change of the index before the next pass: the index changes in bursts. */
const REST_MS = 2_000;

/**
 * Saves finished jobs into the person's folder where they asked for it, those from elsewhere included that History has
 * seen: in one tab, continuing where the last page stopped. What could not be saved is in `useArchive`; nothing is thrown.
 */
export function useArchiving(api: Api, tracked: readonly TrackedJob[], leads: boolean): void {
  const accountId = useConnection()?.accountId ?? "";
  const client = useQueryClient();
  const { isOn } = useArchive();
  const { phase } = useArchiveFolder();
  const isWanted = isOn && leads && phase !== "none" && phase !== "asking";
  useEffect(() => {
    if (!isWanted) return;
    const run = () => archiveFinished({ accountId, client, tracked, api });
    void run();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onChange("seen", () => {
      clearTimeout(timer);
      timer = setTimeout(() => void run(), REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isWanted, api, client, accountId, tracked]);
}
