import { retryDelayMs } from "#api/retry-policy.ts";
import { abortableDelay } from "#lib/delay.ts";
import { isMediaDeleted } from "../deleted-media.ts";
import { readMediaFile } from "../download-media.ts";
import { MediaError } from "../fetch-media.ts";
import { FAILURE_WORDS, weigh } from "../media-failure.ts";
import { embedSettings } from "../metadata/embed-settings.ts";
import type { FileSettings } from "../metadata/settings-text.ts";
import type { BulkFailure, BulkFile, BulkJob } from "./bulk-job.ts";

const TRIES = 3;

/** A file with the name it earns and, where it is a picture, its settings written into it. */
export interface ReadFile {
  from: BulkFile;
  name: string;
  blob: Blob;
}

/** One file of many: tried again where that may help, and a reason in words where it could not be had. */
export async function readBulkFile(
  from: BulkFile,
  template: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadFile | BulkFailure> {
  const { job, index } = from;
  const item = job.media[index];
  if (!item) return { ...from, reason: "The job has no such file." };
  const request = { job, item, index, ...(template ? { template } : {}), ...(signal ? { signal } : {}) };
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
      if (!isWorthRetrying(error) || failures + 1 >= TRIES) return { ...from, reason: reasonOf(error, job) };
      await abortableDelay(retryDelayMs(failures), signal).catch(() => undefined);
    }
  }
}

/** The settings of a job as they go into a file; undefined where its record tells none. */
export function settingsOf({ model, payload, requestId }: BulkJob): FileSettings | undefined {
  return model && payload ? { model, payload, requestId } : undefined;
}

// 404 and 403 stay what they are; a connection that broke, or a busy storage, may come back.
function isWorthRetrying({ failure }: MediaError): boolean {
  return failure === "broken" || failure === "unreadable";
}

function reasonOf(error: MediaError, job: BulkJob): string {
  if (isMediaDeleted(job.requestId)) return FAILURE_WORDS.deleted.title;
  return FAILURE_WORDS[weigh(error.failure, { createdAtSeconds: job.createdAtSeconds, nowMs: Date.now() })].title;
}
