import type { Job, MediaItem } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import type { JsonRecord } from "#lib/json.ts";
import type { MicroUsd } from "#lib/money.ts";
import { mediaAspect } from "#media/media-aspect.ts";

/** One job as the list shows it: small enough for a hundred thousand of them. */
export interface HistoryEntry {
  requestId: string;
  model: string | undefined;
  status: string;
  prompt: string;
  media: MediaItem[];
  payload: JsonRecord | undefined;
  /** Width over height of its tile. */
  aspect: number;
  createdAtSeconds: number | undefined;
  /** Where the record tells no time: the start of the day it was found in, or before all days that were asked for. */
  daySeconds?: number;
  updatedAtSeconds: number | undefined;
  failureReason: string | undefined;
  /** Only where this studio submitted it: the record of a job tells no price (spec 2). */
  priceMicroUsd: MicroUsd | undefined;
}

const PLAIN_TILE = 4 / 3;

/** What the list needs of a job. */
export function toEntry(job: Job, priceMicroUsd?: MicroUsd): HistoryEntry {
  const first = job.media[0];
  return {
    requestId: job.requestId,
    model: job.model,
    status: job.status,
    prompt: job.payload ? (jobPrompt(job.payload) ?? "") : "",
    media: job.media,
    payload: job.payload,
    aspect: first && first.kind !== "audio" ? mediaAspect(first, job.payload) : PLAIN_TILE,
    createdAtSeconds: job.createdAtSeconds,
    updatedAtSeconds: job.updatedAtSeconds,
    failureReason: job.failureReason,
    priceMicroUsd,
  };
}
