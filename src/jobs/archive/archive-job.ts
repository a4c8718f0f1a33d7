import { changeMarks } from "#jobs/marks/marks-store.ts";
import type { FolderHandle } from "#media/archive/folder-handle.ts";
import { keepFile } from "#media/archive/keep-file.ts";
import type { BulkJob } from "#media/bulk/bulk-job.ts";
import { readMediaFile } from "#media/download-media.ts";
import { embedSettings } from "#media/metadata/embed-settings.ts";
import { sidecarOf } from "#media/metadata/sidecar.ts";
import { nameTemplate } from "#media/name-template-store.ts";

/**
 * Saves every file of a job into a folder, with its settings in it or beside it, checks the bytes, and then marks the job
 * as saved: a job whose mark is missing is simply saved again.
 * @throws MediaError, WrittenDifferentlyError, StorageError, or what the browser throws where it may not write.
 */
export async function archiveJob(folder: FolderHandle, scope: string, job: BulkJob): Promise<void> {
  const { model, payload, requestId } = job;
  const settings = model && payload ? { model, payload, requestId } : undefined;
  for (const [index, item] of job.media.entries()) {
    const { blob, name, extension } = await readMediaFile({ job, item, index, template: nameTemplate() });
    const kept = await keepFile(folder, name, settings ? await embedSettings(blob, extension, settings) : blob);
    const sidecar = settings && sidecarOf(kept, settings);
    if (sidecar) await keepFile(folder, sidecar.name, new Blob([sidecar.text]));
  }
  await changeMarks(scope, [requestId], () => ({ savedAtMs: Date.now() }));
}
