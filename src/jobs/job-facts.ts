import { visibleLine } from "#lib/visible-text.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { daysLeft } from "#media/retention.ts";
import { mediaAspect } from "#media/show/media-aspect.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { promptOf } from "./job-prompt.ts";

const PLAIN_TILE = 4 / 3;

const aspects = new WeakMap<JobRecord, number>();

/** Width over height of a job's tile, as far as its record tells it. Found out once: a list lays out all of its jobs. */
export function jobAspect(job: JobRecord): number {
  const known = aspects.get(job);
  if (known !== undefined) return known;
  const [first] = job.media;
  const aspect = first && first.kind !== "audio" ? mediaAspect(first, job.payload) : PLAIN_TILE;
  aspects.set(job, aspect);
  return aspect;
}

/** Whether a job's line lacks what its own record may tell: its payload, its files, or why it failed. */
export function isLean({ payload, status, media, failureReason }: JobRecord): boolean {
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

/** Characters. A name is one line: the whole prompt is in the details. */
const LONGEST_NAME = 1000;

/** What a job is called in the list: its prompt, else its model, else its id. */
export function jobName(job: Pick<JobRecord, "prompt" | "payload" | "model" | "requestId">): string {
  return visibleLine(promptOf(job) || job.model || job.requestId, LONGEST_NAME);
}
