import { isApiError } from "#api/api-error.ts";
import type { Job, MediaItem } from "#api/types.ts";
import { openTab } from "#lib/start-handover.ts";
import { readMedia, safeMediaUrl } from "../fetch-media.ts";
import { FACTS_BYTES, readFacts } from "../file-facts.ts";
import { FAILURE_WORDS, failureWithAge, MediaError, type MediaFailure } from "../media-failure.ts";
import { embedSettings } from "../metadata/file-settings.ts";
import { tabSentence } from "../retention.ts";
import { type MediaNameParts, mediaFileName, nameTemplate } from "./file-name.ts";

interface DownloadSummary {
  saved: number;
  opened: number;
  /** The reasons in words, each once. */
  reasons: string[];
}

interface DownloadJobOptions {
  /** Only this file of the job, from 0; all of them where not given. */
  only?: number | undefined;
  template?: string | undefined;
  signal?: AbortSignal | undefined;
  isDeleted?: boolean;
  onProgress?: (done: number, total: number) => void;
  /** Called whenever a file begins or stops waiting for a free connection. */
  onWait?: (isWaiting: boolean) => void;
}

/**
 * Downloads one file or all files of a job, one after the other, because browsers ask the person about several at once.
 * A file that cannot be downloaded does not stop the rest.
 * @throws the signal's reason where it was cancelled, and what the browser throws where it cannot save.
 */
export async function downloadJob(job: Job, options: DownloadJobOptions = {}): Promise<DownloadSummary> {
  const { only, template = nameTemplate(), signal, onWait } = options;
  const files = job.media.map((item, index) => ({ item, index })).filter(({ index }) => (only ?? index) === index);
  const summary: DownloadSummary = { saved: 0, opened: 0, reasons: [] };
  const reasons = new Set<string>();
  for (const [place, { item, index }] of files.entries()) {
    options.onProgress?.(place, files.length);
    const optional = { ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) };
    const request = { job, item, index, template, finish: withSettings, ...optional };
    const outcome = await downloadMedia(request);
    if (outcome.how === "saved") summary.saved++;
    if (outcome.how === "opened") summary.opened++;
    const reason = reasonOf(outcome, job, options);
    if (reason) reasons.add(reason);
  }
  return { ...summary, reasons: [...reasons] };
}

/** A picture gets its prompt and settings written into it. */
async function withSettings({ blob, extension }: NamedFile, job: MediaNameParts["job"]): Promise<Blob> {
  const { model, payload, requestId } = job;
  if (!model || !payload) return blob;
  return embedSettings(blob, extension, { model, payload, requestId });
}

function reasonOf(outcome: DownloadOutcome, job: Job, options: DownloadJobOptions): string | undefined {
  if (outcome.how === "saved") return undefined;
  if (outcome.how === "opened") return outcome.reason;
  const context = { createdAtSeconds: job.createdAtSeconds, isDeleted: options.isDeleted ?? false, nowMs: Date.now() };
  const words = FAILURE_WORDS[context.isDeleted ? "deleted" : failureWithAge(outcome.failure, context)];
  return `${words.title}. ${words.body}`;
}

/** How a download ended. A file that was opened has no name of ours; `reason` is why. */
type DownloadOutcome =
  | { how: "saved"; name: string; bytes: number }
  | { how: "opened"; reason: string }
  | { how: "failed"; failure: MediaFailure };

interface DownloadRequest {
  job: MediaNameParts["job"];
  item: MediaItem;
  /** Place of the file in its job, from 0. */
  index: number;
  template?: string;
  signal?: AbortSignal;
  /** Called whenever the transfer begins or stops waiting for a free connection. */
  onWait?: (isWaiting: boolean) => void;
  /** Changes a file's bytes before it is saved, such as writing its parameters into it. */
  finish?: (file: NamedFile, job: MediaNameParts["job"]) => Promise<Blob>;
}

/** Downloads a file without its job, under the name that its address has. See `downloadMedia`. */
export function downloadItem(item: MediaItem): Promise<DownloadOutcome> {
  const path = URL.canParse(item.url) && !item.url.startsWith("data:") ? new URL(item.url).pathname : "";
  const name = (path.split("/").at(-1) ?? "").replace(/\.\w{1,5}$/, "");
  const job = { requestId: item.id, model: name || "file", payload: undefined, createdAtSeconds: undefined };
  return downloadMedia({ job, item, index: 0, template: "{model}" });
}

interface NamedFile {
  blob: Blob;
  name: string;
  extension: string;
}

export const OPENED_REASON =
  "This page couldn’t read the file, so it opened in a new tab. Save it there. Your file name pattern doesn’t apply.";

/**
 * Failures after which the file is opened in a tab unasked: this page may not read it, but the storage did not refuse.
 * After a redirect that the host did not follow it is not: the tab would follow it, to this computer as well.
 */
const OPENED_UNASKED: readonly MediaFailure[] = ["unreadable", "unlisted", "unnamed", "large"];

/** A name that leads into the host's own network or machine: no tab goes there unasked. */
const isPrivate = ({ cause }: MediaError) =>
  isApiError(cause) && "hostReason" in cause && cause.hostReason === "private_address";

/**
 * Downloads one file under a name of its own; its bytes decide the extension. Where the page gets no answer from the
 * storage, the file opens in a new tab from the storage's own address, and the reason is given.
 * @throws the signal's reason where it was cancelled, and what `finish` throws. A file that is not there is an outcome.
 */
export async function downloadMedia(request: DownloadRequest): Promise<DownloadOutcome> {
  try {
    const file = await readMediaFile(request);
    const blob = request.finish ? await request.finish(file, request.job) : file.blob;
    saveBlob(blob, file.name);
    return { how: "saved", name: file.name, bytes: blob.size };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    const address = safeMediaUrl(request.item.url);
    if (!OPENED_UNASKED.includes(error.failure) || isPrivate(error) || !address?.startsWith("http")) {
      return { how: "failed", failure: error.failure };
    }
    openTab(address);
    return { how: "opened", reason: `${OPENED_REASON} ${tabSentence(address, request.job.createdAtSeconds)}` };
  }
}

/**
 * The bytes of one file and its name, with the extension that the bytes show. A type that is not on the list becomes
 * `application/octet-stream`, so that no browser ever runs it.
 * @throws MediaError where the file could not be downloaded, or the signal's reason.
 */
export async function readMediaFile(request: DownloadRequest): Promise<NamedFile> {
  const { signal, onWait } = request;
  const body = await readMedia(request.item.url, { signal, onWait });
  const { extension, mimeType } = readFacts(new Uint8Array(await body.slice(0, FACTS_BYTES).arrayBuffer()));
  const { job, index, template } = request;
  return {
    blob: body.slice(0, body.size, mimeType),
    name: mediaFileName({ job, index, extension, ...(template ? { template } : {}) }),
    extension,
  };
}

// A browser reads the blob after the click; a minute is enough for any of them to have begun.
const REVOKE_AFTER_MS = 60_000;

/** Saves a blob under a name, as the browser's own download. A page cannot learn how it ends. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
