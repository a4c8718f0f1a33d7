import { uniqueNames } from "../file-name.ts";
import { sidecarOf } from "../metadata/sidecar.ts";
import type { BulkFailure, BulkFile, ManifestLine } from "./bulk-job.ts";
import { type ReadFile, readBulkFile, settingsOf } from "./read-bulk-file.ts";

const AT_ONCE = 3;

export interface BulkEntry {
  name: string;
  input: Blob | string;
  lastModified: Date;
}

/** Whoever writes an entry may answer with the name it was given there, and throw in a file that could not be written. */
export type BulkEntries = AsyncGenerator<BulkEntry, void, string | undefined>;

export interface BulkOptions {
  files: readonly BulkFile[];
  template?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Only the files, and their settings beside them: no list of what there is. */
  isUnlisted?: boolean;
  /** After each file, whether it came or not. */
  onProgress?: (done: number, failed: number) => void;
  /** Filled while the entries are read. */
  failures: BulkFailure[];
}

/**
 * Many files, one after the other as they are asked for, with at most three in memory: so a zip of any size streams.
 * They come in their order; what could not be had is listed in `errors.txt` and in `failures`, and the rest goes on.
 * `manifest.json` tells of each file where it came from. Names are safe, unique and never leave the folder.
 */
export async function* bulkEntries(options: BulkOptions): BulkEntries {
  const { files, failures, onProgress, signal } = options;
  const unique = uniqueNames();
  const manifest: ManifestLine[] = [];
  const ahead: Promise<ReadFile | BulkFailure>[] = [];
  let next = 0;
  const fill = () => {
    while (ahead.length < AT_ONCE && next < files.length) {
      const file = files[next++];
      if (file) ahead.push(readBulkFile(file, options.template, signal));
    }
  };
  for (let done = 0; done < files.length; done++) {
    fill();
    const read = await ahead.shift();
    signal?.throwIfAborted();
    if (!read) break;
    if ("reason" in read) {
      failures.push(read);
    } else {
      try {
        const file = yield* entriesOf(read, unique);
        manifest.push(manifestLine(file, read.from));
      } catch (error) {
        failures.push({ ...read.from, reason: error instanceof Error ? error.message : "It could not be written." });
      }
    }
    onProgress?.(done + 1, failures.length);
  }
  if (options.isUnlisted) return;
  const lastModified = new Date();
  yield { name: "manifest.json", input: JSON.stringify({ files: manifest }, null, 2), lastModified };
  if (failures.length > 0) yield { name: "errors.txt", input: errorsText(failures), lastModified };
}

/** A file, and where it has no room for its settings a JSON beside it. Returns the name that the file has in the end. */
async function* entriesOf(
  { from, name, blob }: ReadFile,
  unique: (name: string) => string,
): AsyncGenerator<BulkEntry, string, string | undefined> {
  const { createdAtSeconds } = from.job;
  const lastModified = createdAtSeconds === undefined ? new Date() : new Date(createdAtSeconds * 1000);
  const wanted = unique(name);
  const kept = (yield { name: wanted, input: blob, lastModified }) ?? wanted;
  const settings = settingsOf(from.job);
  const sidecar = settings && sidecarOf(kept, settings);
  if (sidecar) yield { name: unique(sidecar.name), input: sidecar.text, lastModified };
  return kept;
}

function manifestLine(file: string, { job, index }: BulkFile): ManifestLine {
  return {
    file,
    request_id: job.requestId,
    model: job.model,
    index,
    created_at: job.createdAtSeconds,
    price_micro_usd: job.priceMicroUsd,
    payload: job.payload,
  };
}

function errorsText(failures: readonly BulkFailure[]): string {
  const lines = failures.map(({ job, index, reason }) => `${job.requestId} file ${index + 1}: ${reason}`);
  return `These files could not be downloaded.\n\n${lines.join("\n")}\n`;
}
