import { isFinal } from "#api/final-status.ts";
import type { Job, MediaItem } from "#api/types.ts";
import { jobPrompt } from "#jobs/job-prompt.ts";
import { ownNamed } from "#lib/find-value.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";

/** One job as the list shows it; a hundred thousand of them are held in memory. */
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
  /** Where the record has no time: the start of the day it was found in, or `EARLIER`. */
  daySeconds?: number;
  updatedAtSeconds: number | undefined;
  failureReason: string | undefined;
  /** The record says nothing of an outcome, as in a list of ids and statuses. */
  lacksOutcome?: true;
  /** Only where this studio submitted it: the record of a job has no price (spec 2). */
  priceMicroUsd: MicroUsd | undefined;
  /** What its payload costs today, for a job from elsewhere. The exact price wins where there is one. */
  estimatedMicroUsd?: MicroUsd;
}

/** The day of a job that is older than all days that were asked for. */
export const EARLIER = -1;

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
    ...(job.media.length === 0 && ownNamed(job.raw, "outcome") === undefined ? { lacksOutcome: true } : {}),
    priceMicroUsd,
  };
}

/** Whether a job's line lacks what its own record may tell: its payload, its files, or why it failed. */
export function isLean({ payload, status, media, failureReason }: HistoryEntry): boolean {
  if (payload === undefined) return true;
  return status === "success" ? media.length === 0 : status === "failed" && failureReason === undefined;
}

/**
 * A job as the list has it, with what is known of it otherwise and the list leaves out. Files come back only where the
 * list says nothing of an outcome: an empty one may mean that they were deleted.
 */
export function fuller(entry: HistoryEntry, known: HistoryEntry): HistoryEntry {
  const isSame = known.status === entry.status;
  const takesMedia = isSame && entry.media.length === 0 && entry.lacksOutcome === true && known.media.length > 0;
  return {
    ...entry,
    model: entry.model ?? known.model,
    prompt: entry.prompt || known.prompt,
    payload: entry.payload ?? known.payload,
    createdAtSeconds: entry.createdAtSeconds ?? known.createdAtSeconds,
    updatedAtSeconds: entry.updatedAtSeconds ?? (isSame ? known.updatedAtSeconds : undefined),
    failureReason: entry.failureReason ?? (isSame ? known.failureReason : undefined),
    priceMicroUsd: entry.priceMicroUsd ?? known.priceMicroUsd,
    ...withEstimate(entry.estimatedMicroUsd ?? known.estimatedMicroUsd),
    ...(takesMedia ? { media: known.media, aspect: known.aspect } : {}),
  };
}

function withEstimate(estimatedMicroUsd: MicroUsd | undefined): Pick<HistoryEntry, "estimatedMicroUsd"> {
  return estimatedMicroUsd === undefined ? {} : { estimatedMicroUsd };
}

/** How long a finished job took, in milliseconds, as far as its record shows. */
export function tookMs(
  entry: Pick<HistoryEntry, "status" | "createdAtSeconds" | "updatedAtSeconds">,
): number | undefined {
  const { status, createdAtSeconds, updatedAtSeconds } = entry;
  if (!isFinal(status) || createdAtSeconds === undefined || updatedAtSeconds === undefined) return undefined;
  const took = (updatedAtSeconds - createdAtSeconds) * 1000;
  return took > 0 ? took : undefined;
}

/**
 * For how many days the service still has the files of a job; undefined where it has none, they were deleted, or its
 * record has no time.
 */
export function filesDaysLeft(entry: HistoryEntry, nowMs: number): number | undefined {
  const hasFiles = entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  return hasFiles ? daysLeft(entry.createdAtSeconds, nowMs) : undefined;
}

/** Days left in a table cell. */
export function expiryText(days: number | undefined): string {
  if (days === undefined) return "—";
  if (days <= 0) return "expired";
  return days === 1 ? "1 day" : `${days} days`;
}

/** Characters. A name is one line: the whole prompt is in the details. */
const LONGEST_NAME = 1000;

/** What a job is called in the list: its prompt, else its model, else its id. */
export function entryName(entry: Pick<HistoryEntry, "prompt" | "model" | "requestId">): string {
  return visibleLine(entry.prompt || entry.model || entry.requestId, LONGEST_NAME);
}
