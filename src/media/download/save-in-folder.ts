import type { FolderFile, FolderHandle } from "./archive-folder.ts";
import type { BulkEntries } from "./bulk-entries.ts";
import { uniqueNames } from "./file-name.ts";

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
      step = await storeFile(folder, name, new Blob([input])).then(
        (stored) => entries.next(stored),
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

/** Files are compared in pieces of this size, so that a large one is not in memory as a whole. */
const SLICE_BYTES = 4 * 1024 * 1024;

/** A file was written and what was read back differs. */
export class WrittenDifferentlyError extends Error {
  override name = "WrittenDifferentlyError";
}

/**
 * Writes a file into a folder, reads it back and compares every byte. A name that another file has gets `-2`, `-3`; the
 * same file under its name is left as it is, so an archive that was interrupted can simply be run again.
 * @returns the name it has there.
 * @throws WrittenDifferentlyError, or what the browser throws where it may not write.
 */
export async function storeFile(folder: FolderHandle, name: string, blob: Blob): Promise<string> {
  const makeUnique = uniqueNames();
  for (;;) {
    const candidate = makeUnique(name);
    const existingFile = await findFile(folder, candidate);
    if (existingFile && (await isSame(await existingFile.getFile(), blob))) return candidate;
    if (existingFile) continue;
    const made = await folder.getFileHandle(candidate, { create: true });
    let isStored = false;
    try {
      await blob.stream().pipeTo(await made.createWritable());
      isStored = await isSame(await made.getFile(), blob);
    } finally {
      // Leaves no incomplete or empty file.
      if (!isStored) await folder.removeEntry(candidate).catch(() => undefined);
    }
    if (isStored) return candidate;
    throw new WrittenDifferentlyError(`${candidate} wasn’t saved correctly.`);
  }
}

async function findFile(folder: FolderHandle, name: string): Promise<FolderFile | undefined> {
  try {
    return await folder.getFileHandle(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return undefined;
    throw error;
  }
}

async function isSame(one: Blob, other: Blob): Promise<boolean> {
  if (one.size !== other.size) return false;
  for (let at = 0; at < one.size; at += SLICE_BYTES) {
    const [a, b] = await Promise.all([one, other].map((blob) => blob.slice(at, at + SLICE_BYTES).arrayBuffer()));
    if (!a || !b || !isEqual(new Uint8Array(a), new Uint8Array(b))) return false;
  }
  return true;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}
