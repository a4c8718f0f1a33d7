import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import type { CsvRow } from "#batch/rows/csv-runs.ts";
import { type ItemView, sentJobId } from "#batch/runner/batch-views.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { isFileDeleted, isMediaDeleted } from "#media/deleted-media.ts";
import type { BulkEntries } from "#media/download/bulk-entries.ts";
import { readMediaFile } from "#media/download/download-media.ts";
import { safeFileName, uniqueNames } from "#media/download/file-name.ts";
import { FAILURE_WORDS, failureWithAge, MediaError } from "#media/media-failure.ts";
import { ExportError } from "./export-run.ts";
import { filesMade } from "./sheet-results.ts";

/** A file of `manifest.json`: what was written, or why it is missing. */
interface ManifestFile {
  /** The index of the file in its job, from 0. */
  index: number;
  file?: string;
  bytes?: number;
  /** The SHA-256 of the file in the zip, in hex; null where this page cannot compute it. */
  sha256?: string | null;
  error?: string;
}

/** A run of `manifest.json`. */
interface ManifestRun {
  row: number;
  job_id: string | undefined;
  model: string;
  parameters: unknown;
  price_micro_usd: MicroUsd | undefined;
  status: string;
  is_starred: boolean;
  is_rejected: boolean;
  files: ManifestFile[];
}

/** A run that goes into a zip. */
export interface ZipRun {
  result: ItemView;
  isStarred: boolean;
  /** Its row in the table, from 1. */
  row: number;
  status: string;
  priceMicroUsd: MicroUsd | undefined;
}

interface ZipOptions {
  title: string;
  runs: readonly ZipRun[];
  /** The template of file names. */
  template: string;
  /** Makes the text of `prompts.csv`. */
  csv: (rows: readonly CsvRow[]) => string;
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
  /** Filled while the entries are read: why files are missing, in a word or two each. */
  failures: string[];
}

/** Names that results must not have, because every zip uses them. */
const OWN_NAMES = ["prompts.csv", "manifest.json", "errors.txt"];

/** The SHA-256 of bytes in hex; null without Web Crypto (plain http), or without enough memory. */
async function sha256(bytes: ArrayBuffer): Promise<string | null> {
  try {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  } catch {
    return null;
  }
}

/**
 * Yields the entries of a zip: each file, then `prompts.csv` and `manifest.json`, and `errors.txt` where something is missing.
 * Files are read into memory one at a time, and hashed there.
 * @throws ExportError where not one file could be read, or the signal's reason, on the next step.
 */
export async function* sheetEntries(options: ZipOptions): BulkEntries {
  const { runs, signal, onProgress, failures } = options;
  const unique = uniqueNames();
  for (const name of OWN_NAMES) unique(name);
  const lastModified = new Date();
  const total = runs.reduce((sum, { result }) => sum + filesMade(result).length, 0);
  const manifest: ManifestRun[] = [];
  const errors: string[] = [];
  const rows: CsvRow[] = [];
  let done = 0;
  onProgress(0, total);
  for (const { result, isStarred, row, status, priceMicroUsd } of runs) {
    const { request, isRejected = false } = result.item;
    const requestId = sentJobId(result.state);
    const files: ManifestFile[] = [];
    for (const index of filesMade(result).keys()) {
      signal.throwIfAborted();
      const read = await readFile(result, index, options);
      if (typeof read === "string") {
        failures.push(read);
        errors.push(`Row ${row}, job ${requestId ?? "unknown"}, file ${index + 1}: ${read}`);
        files.push({ index, error: read });
      } else {
        const name = unique(read.name);
        const hash = await sha256(read.bytes);
        if (hash === null) errors.push(`${name}: Safelight couldn’t compute its SHA-256. The file is in the zip.`);
        files.push({ index, file: name, bytes: read.bytes.byteLength, sha256: hash });
        yield { name, input: new Blob([read.bytes], { type: read.type }), lastModified: read.madeAt ?? lastModified };
      }
      done += 1;
      onProgress(done, total);
    }
    manifest.push({
      row,
      job_id: requestId,
      model: request.model,
      parameters: request.payload,
      price_micro_usd: priceMicroUsd,
      status,
      is_starred: isStarred,
      is_rejected: isRejected,
      files,
    });
    const results = files.flatMap(({ file }) => file ?? []);
    rows.push({ request, priceMicroUsd, status, requestId, results });
  }
  if (total > 0 && failures.length === total) {
    throw new ExportError(`Couldn’t load any of the files. ${failures[0]}.`);
  }
  yield { name: "prompts.csv", input: options.csv(rows), lastModified };
  const content = { batch: options.title, made_at: lastModified.toISOString(), runs: manifest };
  yield { name: "manifest.json", input: `${JSON.stringify(content, null, 2)}\n`, lastModified };
  if (errors.length > 0) {
    const intro =
      failures.length > 0 ? "These files are not in the zip, or are incomplete." : "Some steps couldn’t be completed.";
    yield { name: "errors.txt", input: `${intro}\n\n${errors.join("\n")}\n`, lastModified };
  }
}

interface ReadFile {
  name: string;
  bytes: ArrayBuffer;
  type: string;
  madeAt: Date | undefined;
}

/** Reads a file, with retries. Resolves to a text where that fails: why. Rejects with the signal's reason. */
async function readFile(
  result: ItemView,
  index: number,
  { template, signal }: Pick<ZipOptions, "template" | "signal">,
): Promise<ReadFile | string> {
  const { state, job } = result;
  const requestId = sentJobId(state) ?? "";
  const item = filesMade(result)[index];
  if (!item) return "File not found in the job";
  if (isMediaDeleted(requestId) || isFileDeleted(item.url) !== false) return FAILURE_WORDS.deleted.title;
  const createdAtSeconds = job?.createdAtSeconds;
  const { model, payload } = result.item.request;
  const namedJob = { requestId, model, payload, createdAtSeconds };
  for (let failures = 0; ; failures += 1) {
    try {
      const { name, blob } = await readMediaFile({ job: namedJob, item, index, template, signal });
      const bytes = await blob.arrayBuffer();
      const madeAt = createdAtSeconds === undefined ? undefined : new Date(createdAtSeconds * 1000);
      return { name, bytes, type: blob.type, madeAt };
    } catch (error) {
      signal.throwIfAborted();
      // Any other error comes from a file that does not fit into memory.
      if (!(error instanceof MediaError)) return FAILURE_WORDS.large.title;
      if (!mayRetryRead(failures, error.cause)) {
        return FAILURE_WORDS[failureWithAge(error.failure, { createdAtSeconds, nowMs: Date.now() })].title;
      }
      await abortableDelay(retryDelayMs(failures, error.cause), signal);
    }
  }
}

/** The name of a zip or another file of a batch. */
export const exportName = (title: string, extension: string): string =>
  safeFileName(title || "contact sheet", extension);
