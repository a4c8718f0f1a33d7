import type { Job } from "#api/types.ts";
import { type DownloadOutcome, downloadMedia, type NamedFile } from "./download-media.ts";
import { FAILURE_WORDS, weigh } from "./media-failure.ts";
import type { MediaNameParts } from "./media-file-name.ts";
import { nameTemplate } from "./name-template-store.ts";

export interface DownloadSummary {
  saved: number;
  opened: number;
  /** In words, each reason once. */
  reasons: string[];
}

export interface DownloadJobOptions {
  /** Only this file of the job, from 0; all of them where not given. */
  only?: number | undefined;
  template?: string | undefined;
  signal?: AbortSignal | undefined;
  isDeleted?: boolean;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Downloads one file or all files of a job, one after the other: browsers ask about many at once. A file that could not
 * be had does not stop the rest.
 */
export async function downloadJob(job: Job, options: DownloadJobOptions = {}): Promise<DownloadSummary> {
  const files = job.media.map((item, index) => ({ item, index })).filter(({ index }) => isAsked(index, options.only));
  const summary: DownloadSummary = { saved: 0, opened: 0, reasons: [] };
  const reasons = new Set<string>();
  for (const [place, { item, index }] of files.entries()) {
    options.onProgress?.(place, files.length);
    const { template = nameTemplate(), signal } = options;
    const request = { job, item, index, template, finish: withSettings, ...(signal ? { signal } : {}) };
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
  const { embedSettings } = await import("./metadata/embed-settings.ts");
  return embedSettings(blob, extension, { model, payload, requestId });
}

function isAsked(index: number, only: number | undefined): boolean {
  return only === undefined || index === only;
}

function reasonOf(outcome: DownloadOutcome, job: Job, options: DownloadJobOptions): string | undefined {
  if (outcome.how === "saved") return undefined;
  if (outcome.how === "opened") return outcome.reason;
  const context = { createdAtSeconds: job.createdAtSeconds, isDeleted: options.isDeleted ?? false, nowMs: Date.now() };
  const words = FAILURE_WORDS[context.isDeleted ? "deleted" : weigh(outcome.failure, context)];
  return `${words.title}. ${words.body}`;
}
