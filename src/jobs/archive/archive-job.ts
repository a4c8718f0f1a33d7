import { changeMarks } from "#jobs/marks/marks-store.ts";
import type { FolderHandle } from "#media/archive/folder-handle.ts";
import { bulkEntries } from "#media/bulk/bulk-entries.ts";
import { type BulkFailure, type BulkJob, filesOf } from "#media/bulk/bulk-job.ts";
import { saveInFolder } from "#media/bulk/save-in-folder.ts";
import { nameTemplate } from "#media/name-template-store.ts";

/**
 * Saves every file of a job into a folder, with its settings in it or beside it, checks the bytes, and then marks the job
 * as saved: a job whose mark is missing is simply saved again.
 * @throws StorageError, an Error with the reason of the first file that could not be saved, or what the browser throws
 * where it may not write.
 */
export async function archiveJob(folder: FolderHandle, accountId: string, job: BulkJob): Promise<void> {
  const failures: BulkFailure[] = [];
  const entries = bulkEntries({ files: filesOf([job]), template: nameTemplate(), failures, isUnlisted: true });
  await saveInFolder(entries, folder);
  if (failures[0]) throw new Error(failures[0].reason);
  await changeMarks(accountId, [job.requestId], () => ({ savedAtMs: Date.now() }));
}
