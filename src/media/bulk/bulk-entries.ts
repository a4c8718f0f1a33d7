import { retryDelayMs } from "#api/retry-policy.ts";
import { abortableDelay } from "#lib/delay.ts";
import { readMediaFile } from "../download-media.ts";
import { MediaError } from "../fetch-media.ts";
import { uniqueNames } from "../file-name.ts";
import { FAILURE_WORDS, weigh } from "../media-failure.ts";
import { sidecarOf } from "../metadata/sidecar.ts";
import type { BulkFailure, BulkFile, ManifestLine } from "./bulk-job.ts";

const AT_ONCE = 3;
const TRIES = 3;

export interface BulkEntry {
  name: string;
  input: Blob | string;
  lastModified: Date;
}

export interface BulkOptions {
  files: readonly BulkFile[];
  template?: string | undefined;
  signal?: AbortSignal | undefined;
  isDeleted?: (requestId: string) => boolean;
  /** Writes parameters into a file before it is stored. */
  finish?: (file: { blob: Blob; extension: string }, from: BulkFile) => Promise<Blob>;
  /** After each file, whether it came or not. */
  onProgress?: (done: number, failed: number) => void;
  /** Filled while the entries are read. */
  failures: BulkFailure[];
}

/**
 * The entries of a zip, one after the other as they are asked for, with at most three files in memory: so a zip of any
 * size streams. Files come in their order; what could not be had is listed in `errors.txt` and in `failures`, and the
 * rest goes on. `manifest.json` tells of each file where it came from. Names are safe, unique and never leave the folder.
 */
export async function* bulkEntries(options: BulkOptions): AsyncGenerator<BulkEntry> {
  const { files, failures, onProgress, signal } = options;
  const unique = uniqueNames();
  const manifest: ManifestLine[] = [];
  const ahead: Promise<FetchedFile>[] = [];
  let next = 0;
  const fill = () => {
    while (ahead.length < AT_ONCE && next < files.length) {
      const file = files[next++];
      if (file) ahead.push(fetchFile(file, options));
    }
  };
  for (let done = 0; done < files.length; done++) {
    fill();
    const fetched = await ahead.shift();
    signal?.throwIfAborted();
    if (!fetched) break;
    if ("reason" in fetched) {
      failures.push(fetched);
    } else {
      const name = unique(fetched.name);
      manifest.push(manifestLine(name, fetched.from));
      const lastModified = madeAt(fetched.from);
      yield { name, input: fetched.blob, lastModified };
      const { model, payload, requestId } = fetched.from.job;
      const sidecar = model && payload ? sidecarOf(name, { model, payload, requestId }) : undefined;
      if (sidecar) yield { name: unique(sidecar.name), input: sidecar.text, lastModified };
    }
    onProgress?.(done + 1, failures.length);
  }
  const written = new Date();
  yield { name: "manifest.json", input: JSON.stringify({ files: manifest }, null, 2), lastModified: written };
  if (failures.length > 0) yield { name: "errors.txt", input: errorsText(failures), lastModified: written };
}

type FetchedFile = { from: BulkFile; name: string; blob: Blob } | BulkFailure;

async function fetchFile(from: BulkFile, options: BulkOptions): Promise<FetchedFile> {
  const { job, index } = from;
  const item = job.media[index];
  const { template, signal } = options;
  if (!item) return { ...from, reason: "The job has no such file." };
  for (let failures = 0; ; failures++) {
    try {
      const request = { job, item, index, ...(template ? { template } : {}), ...(signal ? { signal } : {}) };
      const { blob, name, extension } = await readMediaFile(request);
      return { from, name, blob: options.finish ? await options.finish({ blob, extension }, from) : blob };
    } catch (error) {
      if (!(error instanceof MediaError)) {
        if (signal?.aborted) return { ...from, reason: "Stopped." };
        throw error;
      }
      if (!isWorthRetrying(error) || failures + 1 >= TRIES) return { ...from, reason: reasonOf(error, from, options) };
      await abortableDelay(retryDelayMs(failures), signal).catch(() => undefined);
    }
  }
}

// 404 and 403 stay what they are; a connection that broke, or a busy storage, may come back.
function isWorthRetrying({ failure }: MediaError): boolean {
  return failure === "broken" || failure === "unreadable";
}

function reasonOf(error: MediaError, { job }: BulkFile, { isDeleted }: BulkOptions): string {
  if (isDeleted?.(job.requestId)) return FAILURE_WORDS.deleted.title;
  const failure = weigh(error.failure, { createdAtSeconds: job.createdAtSeconds, nowMs: Date.now() });
  return FAILURE_WORDS[failure].title;
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

function madeAt({ job }: BulkFile): Date {
  return job.createdAtSeconds === undefined ? new Date() : new Date(job.createdAtSeconds * 1000);
}
