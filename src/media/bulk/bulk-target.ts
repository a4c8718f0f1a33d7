import { pickFolder } from "../archive/folder-handle.ts";
import type { BulkEntries } from "./bulk-entries.ts";
import { saveInFolder } from "./save-in-folder.ts";
import { pickZipTarget, saveZip } from "./save-zip.ts";

/** Where many files go: into one zip, or as they are into a folder of the person's. */
export type BulkPlace = "zip" | "folder";

export interface BulkTarget {
  /** How it is told where they are: "as safelight.zip", "in Pictures". */
  where: string;
  write(entries: BulkEntries): Promise<void>;
}

/** Asks for the place, where the browser asks. Call it from a press. Undefined: the person changed their mind. */
export async function pickBulkTarget(place: BulkPlace): Promise<BulkTarget | undefined> {
  if (place === "folder") {
    const folder = await pickFolder();
    return folder && { where: `in ${folder.name}`, write: (entries) => saveInFolder(entries, folder) };
  }
  const name = zipName();
  const target = await pickZipTarget(name);
  return target && { where: `as ${name}`, write: (entries) => saveZip(entries, name, target) };
}

function zipName(): string {
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `safelight-${day.join("-")}.zip`;
}

const WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: "The browser does not let this page write there.",
  SecurityError: "The browser does not let this page write there.",
  NotFoundError: "The folder is no longer there.",
  QuotaExceededError: "There is no room left.",
  NoModificationAllowedError: "Another program holds a file of that name.",
};

/** Why a place could not be written, in words. */
export function writeFailureText(error: unknown): string {
  const known = error instanceof DOMException ? WORDS[error.name] : undefined;
  return known ?? (error instanceof Error ? error.message : "No reason was given.");
}
