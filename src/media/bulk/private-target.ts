import type { SaveTarget } from "./save-zip.ts";

const FOLDER = "zips";
/** Below this much room the browser's own blobs do it: they need none of the page's quota. */
const LEAST_ROOM_BYTES = 4e9;

/**
 * A file in the page's private storage, to be written as it comes and then handed to the browser's download: so a zip of
 * any size is never in memory. Undefined where there is no such storage or too little room. What an earlier zip left is
 * removed first; the last one stays until then, for its download may still be reading it.
 */
export async function openPrivateTarget(): Promise<(SaveTarget & { file: () => Promise<File> }) | undefined> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    if (quota - usage < LEAST_ROOM_BYTES) return undefined;
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(FOLDER, { recursive: true }).catch(() => undefined);
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    const handle = await folder.getFileHandle(`${Date.now()}.zip`, { create: true });
    // Not every browser that has the folder can write into it from a page.
    if (!("createWritable" in handle)) return undefined;
    return { createWritable: () => handle.createWritable(), file: () => handle.getFile() };
  } catch {
    return undefined;
  }
}
