import type { FolderHandle } from "../archive/folder-handle.ts";
import { keepFile, WrittenDifferentlyError } from "../archive/keep-file.ts";
import type { BulkEntries } from "./bulk-entries.ts";

/**
 * Writes entries into a folder, each read back and compared. What is there already stays: another file of the same name
 * gets a number, the same file is not written twice, so a run that was broken off can simply be started again.
 * @throws what the browser throws where it may not write there, or has no room.
 */
export async function saveInFolder(entries: BulkEntries, folder: FolderHandle): Promise<void> {
  let step = await entries.next();
  try {
    while (!step.done) {
      const { name, input } = step.value;
      step = await keepFile(folder, name, new Blob([input])).then(
        (kept) => entries.next(kept),
        (error) => {
          if (error instanceof WrittenDifferentlyError) return entries.throw(error);
          throw error;
        },
      );
    }
  } finally {
    await entries.return();
  }
}
