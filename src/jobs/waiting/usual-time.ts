import type { TrackedJob } from "#storage/tracked-jobs.ts";

/** How long a model usually took this person, in ms, from at least three of their own finished jobs. */
export interface UsualTime {
  medianMs: number;
  /** Nine of ten were done by then. */
  ninetiethMs: number;
  jobs: number;
}

const FEWEST_JOBS = 3;
const MOST_JOBS = 200;

/** Time from submit to success: by the service's own clock where it reports both ends, else by this browser's. */
function tookMs(tracked: TrackedJob): number | undefined {
  const { job, submittedAtMs, finishedAtMs, origin } = tracked;
  if (tracked.status !== "success") return undefined;
  if (job?.createdAtSeconds !== undefined && job.updatedAtSeconds !== undefined) {
    const seconds = job.updatedAtSeconds - job.createdAtSeconds;
    if (seconds > 0) return seconds * 1000;
  }
  if (origin === "imported" || finishedAtMs === undefined || finishedAtMs <= submittedAtMs) return undefined;
  return finishedAtMs - submittedAtMs;
}

/** The value below which a share of the sorted numbers lies (nearest rank). */
function rank(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

/**
 * The usual time of a model, from the newest of the person's own jobs. Undefined where too few are known. Never throws.
 */
export function usualTime(tracked: readonly TrackedJob[], model: string | undefined): UsualTime | undefined {
  const times: number[] = [];
  for (const job of tracked) {
    if (job.model !== model || times.length >= MOST_JOBS) continue;
    const took = tookMs(job);
    if (took !== undefined) times.push(took);
  }
  if (times.length < FEWEST_JOBS) return undefined;
  times.sort((a, b) => a - b);
  return { medianMs: rank(times, 0.5), ninetiethMs: rank(times, 0.9), jobs: times.length };
}

/**
 * A time in words for a sentence: "6 s", "2 min". Without tenths, which would suggest an exactness that there is not.
 * Never throws.
 */
export function roundTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
