import type { Job } from "./types.ts";

/** Two sources further apart than this are two clocks. */
const SAME_CLOCK_SECONDS = 60;
/** On an answer of the studio's own host, whose clock is not the service's (src/host/rules.md). */
const HOST_ANSWER = "x-safelight-relay";

/**
 * What time it is at the service, from its own answers. The device's wall clock is in no part of it: it may be days off
 * and may be changed at any moment. Between two answers a monotonic clock counts on; it may stand still while the device
 * sleeps, so the clock may be behind the service, and is hardly ever ahead of it.
 */
export interface ServiceClock {
  /**
   * Unix seconds at the service, for the lower bound of a window; undefined before any answer contained a time. By the
   * `Date` of the last answer; where the browser hides that, the newest `created_at` of any job seen, which is at most
   * the service's time. Where the two disagree, the earlier one.
   */
  nowSeconds(): number | undefined;
  /**
   * `Date` and `created_at` are more than a minute apart where they should agree, so one of them is not the clock that
   * `created_after` is compared with. A request that must not miss a job then goes without a window.
   */
  sourcesDisagree(): boolean;
}

/** The clock and the two ways in which it learns. */
export interface LearningClock extends ServiceClock {
  /** Learns from the headers of an answer that was made for this request, not repeated from a memory. */
  noteAnswer(headers: Headers): void;
  /** Learns from jobs of an answer. `madeWithinMs`: this answer reports a job made at most this long ago. */
  noteJobs(jobs: readonly Job[], madeWithinMs?: number): void;
}

/** A time that the service reported, and when it came by the monotonic clock. */
interface Sample {
  seconds: number;
  atMs: number;
}

/** Makes a clock that knows nothing yet. `monotonicMs` never goes back. */
export function createServiceClock(monotonicMs: () => number = () => performance.now()): LearningClock {
  let date: Sample | undefined;
  let newestJob: Sample | undefined;
  /** How far `Date` is ahead of the clock that stamps jobs. */
  let aheadSeconds = 0;
  const nowBy = ({ seconds, atMs }: Sample) => seconds + Math.max(0, monotonicMs() - atMs) / 1000;

  return {
    nowSeconds: () => {
      if (date !== undefined) return Math.floor(nowBy(date) - aheadSeconds);
      return newestJob && Math.floor(nowBy(newestJob));
    },
    sourcesDisagree: () => {
      if (date === undefined || newestJob === undefined) return false;
      return aheadSeconds > 0 || nowBy(newestJob) - nowBy(date) > SAME_CLOCK_SECONDS;
    },
    noteAnswer: (headers) => {
      const seconds = headers.has(HOST_ANSWER) ? undefined : answeredAtSeconds(headers);
      if (seconds !== undefined) date = { seconds, atMs: monotonicMs() };
    },
    noteJobs: (jobs, madeWithinMs) => {
      for (const { createdAtSeconds } of jobs) {
        if (createdAtSeconds === undefined) continue;
        const sample = { seconds: createdAtSeconds, atMs: monotonicMs() };
        if (newestJob === undefined || nowBy(sample) > nowBy(newestJob)) newestJob = sample;
        if (madeWithinMs === undefined || date === undefined) continue;
        const ahead = nowBy(date) - createdAtSeconds - madeWithinMs / 1000;
        aheadSeconds = ahead > SAME_CLOCK_SECONDS ? ahead : 0;
      }
    },
  };
}

/** When an answer left its service, in Unix seconds: its `Date`, and the `Age` that a cache adds. */
export function answeredAtSeconds(headers: Headers): number | undefined {
  const seconds = Date.parse(headers.get("date") ?? "") / 1000;
  const age = Number(headers.get("age") ?? 0);
  return Number.isFinite(seconds) ? seconds + (age > 0 ? age : 0) : undefined;
}
