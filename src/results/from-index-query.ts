import { queryOptions } from "@tanstack/react-query";
import { changesSince, hasChangedSince } from "#storage/changes.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { readIndex } from "#storage/seen-jobs.ts";

interface Gathered<Shown> {
  /** The change of the index up to which it was gathered. */
  upTo: number;
  shown: Shown;
}

/**
 * What `pick` finds in each job of an account's index, as `shape` puts it together. It is gathered when it is first asked for,
 * and anew where it is asked for after the index has changed; `rest` is awaited between two turns. Rejects where the
 * database cannot be read. `name` identifies the query.
 */
export function fromIndexQuery<Found, Shown>(
  accountId: string,
  name: string,
  {
    pick,
    shape,
    rest,
  }: {
    pick: (job: JobRecord) => Found | undefined;
    shape: (found: Found[]) => Shown;
    rest?: () => Promise<void>;
  },
) {
  return queryOptions({
    queryKey: ["from-index", name, accountId] as const,
    queryFn: async (): Promise<Gathered<Shown>> => {
      const { upTo } = changesSince("seen", undefined);
      const found: Found[] = [];
      await rest?.();
      const take = (jobs: JobRecord[]) => void found.push(...jobs.flatMap((job) => pick(job) ?? []));
      await readIndex(accountId, take, rest);
      return { upTo, shown: shape(found) };
    },
    select: ({ shown }) => shown,
    staleTime: ({ state: { data } }) => (data && !hasChangedSince("seen", data.upTo) ? Number.POSITIVE_INFINITY : 0),
    networkMode: "always",
    refetchOnWindowFocus: false,
    retry: false,
    structuralSharing: false,
  });
}
