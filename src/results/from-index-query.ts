import { queryOptions } from "@tanstack/react-query";
import { changesSince, hasChangedSince } from "#storage/changes.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";

interface IndexResult<Shown> {
  /** The last change of the index that it contains. */
  upTo: number;
  shown: Shown;
}

/**
 * A query over all jobs of an account's index in this browser, which may be a hundred thousand: `pick` takes what is wanted of
 * one job, or nothing, and `combine` makes the result of all that was taken. It is read again when a component asks for it
 * after the index has changed. The jobs are read in portions, and `yieldToPage` is awaited between two of them, so that the
 * page stays usable. `name` is the key of the query. Rejects where the database cannot be read.
 */
export function fromIndexQuery<Found, Shown>(
  accountId: string,
  name: string,
  {
    pick,
    combine,
    yieldToPage,
  }: {
    pick: (job: JobRecord) => Found | undefined;
    combine: (found: Found[]) => Shown;
    yieldToPage?: () => Promise<void>;
  },
) {
  return queryOptions({
    queryKey: ["from-index", name, accountId] as const,
    queryFn: async (): Promise<IndexResult<Shown>> => {
      const { upTo } = changesSince("seen", undefined);
      const found: Found[] = [];
      await yieldToPage?.();
      const take = (jobs: JobRecord[]) => void found.push(...jobs.flatMap((job) => pick(job) ?? []));
      await readIndex(accountId, take, yieldToPage);
      return { upTo, shown: combine(found) };
    },
    select: ({ shown }) => shown,
    staleTime: ({ state: { data } }) => (data && !hasChangedSince("seen", data.upTo) ? Number.POSITIVE_INFINITY : 0),
    networkMode: "always",
    refetchOnWindowFocus: false,
    retry: false,
    structuralSharing: false,
  });
}
