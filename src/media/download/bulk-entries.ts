import { NoAnswerError } from "#api/api-error.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { isMediaDeleted } from "../deleted-media.ts";
import { FAILURE_WORDS, failureWithAge, MediaError } from "../media-failure.ts";
import { createSidecar, embedSettings, type FileSettings } from "../metadata/file-settings.ts";
import { readMediaFile } from "./download-media.ts";
import { uniqueNames } from "./file-name.ts";

/** What a bulk download needs of a job. */
export type BulkJob = Pick<
  JobRecord,
  "requestId" | "model" | "status" | "media" | "payload" | "createdAtSeconds" | "priceMicroUsd"
>;

/** One file to be downloaded. */
export interface BulkFile {
  job: BulkJob;
  /** Place of the file in its job, from 0. */
  index: number;
}

export interface BulkFailure extends BulkFile {
  reason: string;
}

/** A line of `manifest.json`: where a file came from. */
interface ManifestLine {
  file: string;
  request_id: string;
  model: string | undefined;
  index: number;
  created_at: number | undefined;
  price_micro_usd: MicroUsd | undefined;
  payload: JsonRecord | undefined;
}

/** Every file of some jobs, in their order. */
export function getBulkFiles(jobs: readonly BulkJob[]): BulkFile[] {
  return jobs.flatMap((job) => job.media.map((_, index) => ({ job, index })));
}

/** Files that are read at once, and so the most that are in memory. */
const MAX_AT_ONCE = 3;

export interface BulkEntry {
  name: string;
  input: Blob | string;
  lastModified: Date;
}

/** The writer may pass back the name that an entry got, and throws into the generator what it could not write. */
export type BulkEntries = AsyncGenerator<BulkEntry, void, string | undefined>;

interface BulkOptions {
  files: readonly BulkFile[];
  template?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Only the files, and their settings beside them: no `manifest.json`. */
  isUnlisted?: boolean;
  /** After each file, whether it came or not. */
  onProgress?: (done: number, failed: number) => void;
  /** Called whenever a file begins or stops waiting for a free connection. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
  /** Filled while the entries are read. */
  failures: BulkFailure[];
}

/**
 * Many files, one after the other as they are asked for, with at most three in memory: so a zip of any size streams.
 * They come in their order; what could not be downloaded is listed in `errors.txt` and in `failures`, and the rest goes
 * on. `manifest.json` names the job of each file. Names are safe, unique and never leave the folder.
 * @throws the signal's reason, on the next step.
 */
export async function* bulkEntries(options: BulkOptions): BulkEntries {
  const { files, failures, onProgress, signal, template, onWait } = options;
  const unique = uniqueNames();
  const manifest: ManifestLine[] = [];
  const ahead: Promise<ReadFile | BulkFailure>[] = [];
  let next = 0;
  const fill = () => {
    while (ahead.length < MAX_AT_ONCE && next < files.length) {
      const file = files[next++];
      if (file) ahead.push(readBulkFile(file, { template, signal, onWait }));
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
        failures.push({
          ...read.from,
          reason: error instanceof Error ? error.message : "The file couldn’t be saved.",
        });
      }
    }
    onProgress?.(done + 1, failures.length);
  }
  if (options.isUnlisted) return;
  const lastModified = new Date();
  yield { name: "manifest.json", input: JSON.stringify({ files: manifest }, null, 2), lastModified };
  if (failures.length > 0) yield { name: "errors.txt", input: errorsText(failures), lastModified };
}

/**
 * A file, and where it has no room for its settings a JSON beside it. Returns the name that the file has in the end.
 */
async function* entriesOf(
  { from, name, blob }: ReadFile,
  unique: (name: string) => string,
): AsyncGenerator<BulkEntry, string, string | undefined> {
  const { createdAtSeconds } = from.job;
  const lastModified = createdAtSeconds === undefined ? new Date() : new Date(createdAtSeconds * 1000);
  const wanted = unique(name);
  const written = (yield { name: wanted, input: blob, lastModified }) ?? wanted;
  const settings = settingsOf(from.job);
  const sidecar = settings && createSidecar(written, settings);
  if (sidecar) yield { name: unique(sidecar.name), input: sidecar.text, lastModified };
  return written;
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
  return `These files couldn’t be downloaded.\n\n${lines.join("\n")}\n`;
}

/** Tries of a file that gets no answer: its storage may never answer, and hundreds of files would wait for it. */
const MAX_UNANSWERED = 3;

/** A file with its name and, where it is a picture, its settings written into it. */
interface ReadFile {
  from: BulkFile;
  name: string;
  blob: Blob;
}

/** One file of many: tried again where that may help, and a reason in words where it could not be downloaded. */
async function readBulkFile(
  from: BulkFile,
  { template, signal, onWait }: Pick<BulkOptions, "template" | "signal" | "onWait">,
): Promise<ReadFile | BulkFailure> {
  const { job, index } = from;
  const item = job.media[index];
  if (!item) return { ...from, reason: "The job has no such file." };
  const options = { ...(template ? { template } : {}), ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) };
  const request = { job, item, index, ...options };
  for (let failures = 0; ; failures++) {
    try {
      const { blob, name, extension } = await readMediaFile(request);
      const settings = settingsOf(job);
      return { from, name, blob: settings ? await embedSettings(blob, extension, settings) : blob };
    } catch (error) {
      if (!(error instanceof MediaError)) {
        if (signal?.aborted) return { ...from, reason: "Stopped." };
        throw error;
      }
      if (!mayRetry(failures, error.cause)) return { ...from, reason: reasonOf(error, job) };
      await abortableDelay(retryDelayMs(failures, error.cause), signal).catch(() => undefined);
    }
  }
}

/** The settings of a job as they go into a file; undefined where its record has none. */
function settingsOf({ model, payload, requestId }: BulkJob): FileSettings | undefined {
  return model && payload ? { model, payload, requestId } : undefined;
}

function mayRetry(failures: number, error: unknown): boolean {
  return mayRetryRead(failures, error) && (!(error instanceof NoAnswerError) || failures + 1 < MAX_UNANSWERED);
}

function reasonOf(error: MediaError, job: BulkJob): string {
  if (isMediaDeleted(job.requestId)) return FAILURE_WORDS.deleted.title;
  return FAILURE_WORDS[failureWithAge(error.failure, { createdAtSeconds: job.createdAtSeconds, nowMs: Date.now() })]
    .title;
}
