// How long jobs of a model, or of a kind, usually took this person, and these times in words.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { formatNumber } from "#lib/numbers.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { getNewestJobs } from "#runs/poll/job-queries.ts";
import { useTrackedJobs } from "#runs/poll/use-jobs.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";
import { fromIndexQuery } from "../from-index-query.ts";

/** One finished job of the person. */
interface PastJob {
  requestId: string;
  model: string | undefined;
  /** What it made: "image", "video", "audio". Undefined where it left no file. */
  kind: string | undefined;
  tookMs: number;
  /** Unix milliseconds; 0 where nobody knows. */
  endedAtMs: number;
}

/** How long jobs usually took this person, in ms, from at least three of their own. */
export interface UsualTime {
  /** Rounded down to what a sentence says: one of ten jobs was faster. */
  lowMs: number;
  /** Rounded up: one of ten was slower. Above `lowMs`. */
  highMs: number;
  medianMs: number;
  jobs: number;
  /** Whose jobs they are: of this model, or of any model that makes the same kind of file. */
  of: "model" | "kind";
}

/**
 * How long jobs of a kind take in general, in a sentence that is true for any service; empty where services differ too much. For
 * a person whose own usual time is not known yet.
 */
export function getRoughTime(kind: string | undefined): string {
  return kind === "video" ? "Videos usually take a minute or more." : "";
}

/** From fewer jobs no usual time is given. */
const MIN_JOBS = 3;
/** Only the latest jobs count: a service changes over time. */
const MAX_JOBS = 200;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A job that succeeded, with the time it took. Undefined for any other, and where nobody knows its time. */
export function pastJob(job: JobRecord): PastJob | undefined {
  const { requestId, model, status, media, updatedAtSeconds, finishedAtMs } = job;
  const took = status === "success" ? tookMs(job) : undefined;
  if (took === undefined) return undefined;
  const endedAtMs = updatedAtSeconds === undefined ? (finishedAtMs ?? 0) : updatedAtSeconds * SECOND_MS;
  return { requestId, model, kind: media[0]?.kind, tookMs: took, endedAtMs };
}

/**
 * The usual time of a model from the newest of the person's own jobs; of its kind where there are too few of the model.
 * Undefined where both are too few.
 */
export function getUsualTime(
  past: readonly PastJob[],
  model: string | undefined,
  kind?: string,
): UsualTime | undefined {
  const ofModel = past.filter((job) => model !== undefined && job.model === model);
  if (ofModel.length >= MIN_JOBS) return summarize(ofModel, "model");
  const ofKind = past.filter((job) => kind !== undefined && job.kind === kind);
  return ofKind.length >= MIN_JOBS ? summarize(ofKind, "kind") : undefined;
}

function summarize(jobs: readonly PastJob[], of: UsualTime["of"]): UsualTime {
  const newest = [...jobs].sort((a, b) => b.endedAtMs - a.endedAtMs).slice(0, MAX_JOBS);
  const times = newest.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return { ...roundRange(rank(times, 0.1), rank(times, 0.9)), medianMs: rank(times, 0.5), jobs: times.length, of };
}

/** The value below which a share of the sorted numbers lies (nearest rank). */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

/** How times are rounded: up to `upToMs`, to multiples of `stepMs`. */
const STEPS: readonly (readonly [upToMs: number, stepMs: number])[] = [
  [10 * SECOND_MS, SECOND_MS],
  [30 * SECOND_MS, 5 * SECOND_MS],
  [90 * SECOND_MS, 10 * SECOND_MS],
  [20 * MINUTE_MS, MINUTE_MS],
  [HOUR_MS, 5 * MINUTE_MS],
  [10 * HOUR_MS, HOUR_MS / 2],
  [Number.POSITIVE_INFINITY, HOUR_MS],
];

const stepAt = (ms: number) => STEPS.find(([upToMs]) => ms <= upToMs)?.[1] ?? HOUR_MS;

/** A range in numbers that a person would say, around the exact one. Takes and gives ms, `highMs` above `lowMs`. */
export function roundRange(fromMs: number, toMs: number): { lowMs: number; highMs: number } {
  const low = Math.floor(fromMs / stepAt(fromMs)) * stepAt(fromMs);
  const lowMs = Math.max(0, low);
  const high = Math.ceil(toMs / stepAt(toMs)) * stepAt(toMs);
  // At least one step wide. A bound of a step belongs to the smaller one, so `lowMs + 1` gives the step above `lowMs`.
  return { lowMs, highMs: Math.max(high, lowMs + stepAt(lowMs + 1)) };
}

/**
 * A time in words for a sentence: "6 s", "2 min", "1.5 h". Without tenths of a second, which would suggest an exactness
 * that there is not.
 */
export function roundTime(ms: number): string {
  const [value, unit] = valueAndUnit(Math.max(SECOND_MS, ms));
  return `${value} ${unit}`;
}

function valueAndUnit(ms: number): [value: string, unit: string] {
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds <= 90) return [String(seconds), "s"];
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return [String(minutes), "min"];
  return [formatNumber(Math.round((ms / HOUR_MS) * 2) / 2), "h"];
}

/** A range in words: "1 to 3 min", "40 s to 2 min", "up to 1 s". */
export function rangeText({ lowMs, highMs }: Pick<UsualTime, "lowMs" | "highMs">, to = " to "): string {
  const [high, unit] = valueAndUnit(highMs);
  if (lowMs < SECOND_MS) return `up to ${high} ${unit}`;
  const [low, lowUnit] = valueAndUnit(lowMs);
  // A whole minute is said in minutes where the other end is, although alone it would be said in seconds.
  if (unit === "min" && lowMs % MINUTE_MS === 0) return `${lowMs / MINUTE_MS}${to}${high} min`;
  return lowUnit === unit ? `${low}${to}${high} ${unit}` : `${low} ${lowUnit}${to}${high} ${unit}`;
}

/** How many jobs of each model are taken from the index of History. */
const MAX_OF_MODEL = 200;

/** The latest jobs of each model, so that a history of a hundred thousand stays small. */
function newestOfEach(jobs: readonly PastJob[]): PastJob[] {
  const counts = new Map<string | undefined, number>();
  return [...jobs]
    .sort((a, b) => b.endedAtMs - a.endedAtMs)
    .filter(({ model }) => {
      const seen = (counts.get(model) ?? 0) + 1;
      counts.set(model, seen);
      return seen <= MAX_OF_MODEL;
    });
}

/** The past jobs in the index of History. They are read when the page is idle, because no screen waits for them. */
const indexedTimesQuery = (accountId: string) => ({
  ...fromIndexQuery(accountId, "past-times", {
    pick: pastJob,
    combine: newestOfEach,
    yieldToPage: () =>
      new Promise((resolve) => {
        whenIdle(() => {
          resolve();
          // All of its work is done: it is not to be called again.
          return true;
        });
      }),
  }),
  gcTime: Number.POSITIVE_INFINITY,
});

interface KnownTimes {
  /** The usual time of a model, else of its kind ("image", "video", "audio"); undefined where too few are known. */
  of: (model: string | undefined, kind?: string) => UsualTime | undefined;
  /** More may be known in a moment. */
  isReading: boolean;
}

/**
 * How long jobs usually took this person. It is known from the jobs of this browser, from those in the index of History, and
 * from those that the service listed before a submit.
 */
export function useUsualTimes(): KnownTimes {
  const accountId = useConnection()?.accountId ?? "";
  const client = useQueryClient();
  const tracked = useTrackedJobs();
  const { data: indexed, isFetching: isReading } = useQuery(indexedTimesQuery(accountId));
  return useMemo(() => {
    // Read only here, so newer jobs of the service's list may come in late: they hardly change what is usual.
    const listedOrTracked = [...getNewestJobs(client), ...tracked].flatMap((job) => pastJob(job) ?? []);
    // A job may be in all three. The last one wins: what this browser watched is the most exact.
    const past = [...new Map([...(indexed ?? []), ...listedOrTracked].map((job) => [job.requestId, job])).values()];
    const known = new Map<string, UsualTime | undefined>();
    return {
      isReading,
      of(model, kind) {
        const key = `${model ?? ""}\n${kind ?? ""}`;
        if (!known.has(key)) known.set(key, getUsualTime(past, model, kind));
        return known.get(key);
      },
    };
  }, [client, tracked, indexed, isReading]);
}
