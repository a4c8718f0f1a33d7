// Facts of a job that lists and screens show: its shape, its name, how long its files stay, and why it has none.
import { GONE, hasNoResult } from "#api/jobs.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { getPrompt } from "./job-inputs.ts";

/** Of a sound, and of a job without a file. */
const DEFAULT_ASPECT = 4 / 3;

const aspects = new WeakMap<JobRecord, number>();

/** Width over height of a job's first file, as far as its record says. Cached: a list lays out all of its jobs. */
export function jobAspect(job: JobRecord): number {
  const known = aspects.get(job);
  if (known !== undefined) return known;
  const [first] = job.media;
  const aspect = first && first.kind !== "audio" ? mediaAspect(first, job.payload) : DEFAULT_ASPECT;
  aspects.set(job, aspect);
  return aspect;
}

/** Whether a job as the list gave it lacks its payload, its files or why it failed, so that its own record is worth reading. */
export function lacksDetails({ payload, status, media, failureReason }: JobRecord): boolean {
  if (payload === undefined) return true;
  return status === "success" ? media.length === 0 : status === "failed" && failureReason === undefined;
}

/**
 * For how many days the service still has the files of a job; undefined where it has none, they were deleted, or its
 * record has no time.
 */
export function filesDaysLeft(job: JobRecord, nowMs: number): number | undefined {
  const hasFiles = job.media.length > 0 && !isMediaDeleted(job.requestId);
  return hasFiles ? daysLeft(job.createdAtSeconds, nowMs) : undefined;
}

/** A name is one line of at most this many characters. The whole prompt is in the details. */
const MAX_NAME_CHARS = 1000;

/** What a job is called: its prompt, else its model, else its id. */
export function jobName(job: Pick<JobRecord, "prompt" | "payload" | "model" | "requestId">): string {
  return visibleLine(getPrompt(job) || job.model || job.requestId, MAX_NAME_CHARS);
}

/** Why a job ended without a result, in the service's words or ours. Undefined where there is nothing to say. */
export function endReason({ status, failureReason }: Pick<JobRecord, "status" | "failureReason">): string | undefined {
  if (status === GONE) return "The service no longer has this job.";
  if (failureReason !== undefined || status === "cancelled") return failureReason;
  return hasNoResult(status) ? "The service gave no reason." : undefined;
}
