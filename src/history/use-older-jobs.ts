import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import { useClient } from "#connection/client.ts";
import { MAX_PAGE_JOBS, type ReadPage, readJobPage } from "#runs/job-list/job-pages.ts";
import { isComplete, placeAfter, type ReadingPlace, START, startWithin } from "#runs/job-list/reading-place.ts";

/** Jobs of one page of the list: a few screens. */
export const PAGE_JOBS = 100;

interface OlderOptions {
  params: JobListParams;
  /** The newest page of the same question. */
  head: JobPage | undefined;
  /** Down to which second the index holds every job: only what lies before it is read. */
  reachSeconds: number;
  /** The service does not know all of the question, so its pages are searched here: they are large, for few jobs match. */
  isSearched: boolean;
}

export interface OlderJobs {
  jobs: readonly Job[];
  /** There may be more jobs before those that were read. */
  hasMore: boolean;
  isReading: boolean;
  error: unknown;
  /** Reads the next page. Does nothing while one is read. */
  readMore: () => void;
}

/** The pages of the service's list before its newest one, and before what the index holds. Read one by one when asked for. */
export function useOlderJobs({ params, head, reachSeconds, isSearched }: OlderOptions): OlderJobs {
  const { api, queryClient } = useClient();
  const limit = isSearched ? MAX_PAGE_JOBS : PAGE_JOBS;
  const queryKey = ["jobs", "older", params, limit];
  const first = head && placeAfterHead(head, params);
  const known = () => {
    const pages = queryClient.getQueryData<InfiniteData<ReadPage>>(queryKey)?.pages ?? [];
    return new Set([...(head?.jobs ?? []), ...pages.flatMap(({ jobs }) => jobs)].map(({ requestId }) => requestId));
  };
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: belowReach(first ?? START, reachSeconds),
    queryFn: ({ pageParam, ...context }) => readJobPage(pageParam, { api, filters: params, limit, known }, context),
    getNextPageParam: ({ place }) => (isComplete(place) ? undefined : belowReach(place, reachSeconds)),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const pages = query.data?.pages;
  const jobs = useMemo(() => pages?.flatMap((page) => page.jobs) ?? NO_JOBS, [pages]);
  const isBegun = pages !== undefined;
  const hasMore =
    reachSeconds > (params.created_after ?? Number.NEGATIVE_INFINITY) &&
    (isBegun ? query.hasNextPage : first !== undefined && !isComplete(first));
  return {
    jobs,
    hasMore,
    isReading: query.isFetching,
    error: query.error,
    readMore: () => {
      if (hasMore && !query.isFetching) void query.fetchNextPage();
    },
  };
}

const NO_JOBS: readonly Job[] = [];

/** Where the list goes on after its newest page. */
function placeAfterHead(head: JobPage, params: JobListParams): ReadingPlace {
  return placeAfter({ ...startWithin(params), endsAtKnown: true }, head, PAGE_JOBS, head.jobs.length);
}

/** The place without what the index holds. */
function belowReach(place: ReadingPlace, reachSeconds: number): ReadingPlace {
  if (place.isUntimed || !Number.isFinite(reachSeconds)) return place;
  const gaps = place.gaps.map((gap) => ({ ...gap, before: Math.min(gap.before ?? reachSeconds, reachSeconds) }));
  return { ...place, gaps };
}
