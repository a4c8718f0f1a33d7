import { downloadZip } from "client-zip";
import { saveBlob } from "../save-blob.ts";
import type { BulkEntries } from "./bulk-entries.ts";
import { openPrivateTarget } from "./private-target.ts";

/** What a zip is written to, piece by piece. */
export interface SaveTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
  /** Where it is a file that is yet to be handed to the person. */
  file?: () => Promise<File>;
}

type Picker = (options: {
  suggestedName: string;
  types: { description: string; accept: Record<string, string[]> }[];
}) => Promise<SaveTarget>;

/**
 * Where a zip goes: straight to a file that the person picks, where the browser can (nothing is kept in memory), else
 * into the browser's own download by way of the page's private storage. Asked for at the press of a button, before the first byte. Undefined: the person
 * changed their mind.
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

/** Writes entries as a zip (stored, not squeezed: media is already) to its target. */
export async function saveZip(entries: BulkEntries, name: string, target: SaveTarget | "download"): Promise<void> {
  const { body } = downloadZip(entries);
  if (!body) throw new Error("The browser gave no stream for the zip.");
  if (target === "download") {
    saveBlob(await new Response(body, { headers: { "Content-Type": "application/zip" } }).blob(), name);
    return;
  }
  await body.pipeTo(await target.createWritable());
  if (target.file) saveBlob(await target.file(), name);
}
