import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { fromIndexQuery } from "#results/from-index-query.ts";
import { listedJobs } from "#runs/listed-jobs.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import { type PastJob, pastJob, type UsualTime, usualTimeOf } from "./usual-time.ts";

/** So many of the newest jobs of each model count. */
const MAX_OF_MODEL = 200;

/** The newest jobs of each model, so that a history of a hundred thousand stays small. */
function newestOfEach(jobs: readonly PastJob[]): PastJob[] {
  const count = new Map<string | undefined, number>();
  return [...jobs]
    .sort((a, b) => b.endedAtMs - a.endedAtMs)
    .filter(({ model }) => {
      const seen = (count.get(model) ?? 0) + 1;
      count.set(model, seen);
      return seen <= MAX_OF_MODEL;
    });
}

// Read when the page has nothing else to do: no screen waits for it.
const indexedTimesQuery = (accountId: string) => ({
  ...fromIndexQuery(accountId, "past-times", {
    pick: pastJob,
    combine: newestOfEach,
    yieldToPage: () =>
      new Promise((resolve) => {
        whenIdle(() => {
          resolve();
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
 * How long jobs usually took this person: this browser's own, those that the index of the history holds, and those that the
 * service listed meanwhile.
 */
export function useUsualTimes(): KnownTimes {
  const accountId = useConnection()?.accountId ?? "";
  const tracked = useTrackedJobs();
  const { data: indexed, isFetching: isReading } = useQuery(indexedTimesQuery(accountId));
  return useMemo(() => {
    const own = [...listedJobs(accountId), ...tracked].flatMap((job) => pastJob(job) ?? []);
    // A job may be in all three: what this browser watched is the most exact.
    const past = [...new Map([...(indexed ?? []), ...own].map((job) => [job.requestId, job])).values()];
    const known = new Map<string, UsualTime | undefined>();
    return {
      isReading,
      of(model, kind) {
        const key = `${model ?? ""}\n${kind ?? ""}`;
        if (!known.has(key)) known.set(key, usualTimeOf(past, model, kind));
        return known.get(key);
      },
    };
  }, [accountId, tracked, indexed, isReading]);
}
