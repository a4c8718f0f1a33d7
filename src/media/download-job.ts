import type { Job } from "#api/types.ts";
import { type DownloadOutcome, downloadMedia } from "./download-media.ts";
import { FAILURE_WORDS, weigh } from "./media-failure.ts";

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
    const { template, signal } = options;
    const request = { job, item, index, ...(template ? { template } : {}), ...(signal ? { signal } : {}) };
    const outcome = await downloadMedia(request);
    if (outcome.how === "saved") summary.saved++;
    if (outcome.how === "opened") summary.opened++;
    const reason = reasonOf(outcome, job, options);
    if (reason) reasons.add(reason);
  }
  return { ...summary, reasons: [...reasons] };
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
