import { downloadZip } from "client-zip";
import type { BulkEntries } from "./bulk-entries.ts";
import { saveBlob } from "./download-media.ts";

/** What a zip is written to, piece by piece. */
interface SaveTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
  /** The file, where it is yet to be handed to the person. */
  file?: () => Promise<File>;
}

type Picker = (options: {
  suggestedName: string;
  types: { description: string; accept: Record<string, string[]> }[];
}) => Promise<SaveTarget>;

/**
 * Where a zip goes: straight to a file that the person picks, where the browser can (nothing is collected in memory),
 * else into the browser's own download by way of the page's private storage. Call it from a press, before the first
 * byte. Undefined: the person changed their mind. Never rejects.
 */
export async function pickZipTarget(name: string): Promise<SaveTarget | "download" | undefined> {
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker;
  if (!picker) return (await openPrivateTarget()) ?? "download";
  try {
    const types = [{ description: "Zip archive", accept: { "application/zip": [".zip"] } }];
    return await picker({ suggestedName: name, types });
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError" ? undefined : "download";
  }
}

/**
 * Writes entries as a zip to its target; stored, not deflated, for media is compressed already.
 * @throws what the entries throw, and what the browser throws where it may not write or has no room.
 */
export async function saveZip(entries: BulkEntries, name: string, target: SaveTarget | "download"): Promise<void> {
  const { body } = downloadZip(entries);
  if (!body) throw new Error("The browser couldn’t create the zip.");
  if (target === "download") {
    saveBlob(await new Response(body, { headers: { "Content-Type": "application/zip" } }).blob(), name);
    return;
  }
  await body.pipeTo(await target.createWritable());
  if (target.file) saveBlob(await target.file(), name);
}

const FOLDER = "zips";
/** The least free quota for a zip in the private storage. With less it is made of blobs, which need no quota. */
const MIN_ROOM_BYTES = 4e9;

/**
 * A file in the page's private storage, to be written as it comes and then handed to the browser's download: so a zip
 * of any size is never in memory. Undefined where there is no such storage or too little room. What an earlier zip left
 * is removed first; the last one stays until then, for its download may still be reading it. Never rejects.
 */
export async function openPrivateTarget(): Promise<(SaveTarget & { file: () => Promise<File> }) | undefined> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    if (quota - usage < MIN_ROOM_BYTES) return undefined;
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
