import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffectEvent, useMemo } from "react";
import type { Api } from "#api/create-api.ts";
import { retryDelayMs, retryRead } from "#api/retry-policy.ts";
import type { Job, JobListParams, JobPage } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { findOffsetUnit, mayHaveMore } from "#jobs/offset-unit.ts";
import { MAX_PAGE_SIZE } from "./history-search.ts";
import { readOf, readPage } from "./search/read-all.ts";
import { isComplete, NOTHING_READ, planAfterPage, type ReadPlan } from "./search/read-plan.ts";

/** Jobs of one page of the list: a few screens. */
export const PAGE_JOBS = 100;

interface OlderOptions {
  params: JobListParams;
  /** The newest page of the same question. */
  head: JobPage | undefined;
  /** Down to which second the index holds every job: only what lies before it is read. */
  reachSeconds: number;
  /** What the service gives is searched here, so that many jobs are read for a few. */
  isSearched: boolean;
}

interface OlderPage extends JobPage {
  plan: ReadPlan;
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
  const api = useApi();
  const client = useQueryClient();
  const limit = isSearched ? MAX_PAGE_SIZE : PAGE_JOBS;
  const queryKey = ["older-jobs", params, limit];
  const first = head && planAfterHead(head, params);
  const placeOf = useEffectEvent((plan: ReadPlan | undefined) =>
    belowReach(plan ?? first ?? NOTHING_READ, reachSeconds),
  );
  const knownIds = useEffectEvent(() => {
    const pages = client.getQueryData<InfiniteData<OlderPage>>(queryKey)?.pages ?? [];
    return new Set([...(head?.jobs ?? []), ...pages.flatMap(({ jobs }) => jobs)].map(({ requestId }) => requestId));
  });
  const query = useInfiniteQuery({
    queryKey,
    enabled: false,
    initialPageParam: undefined as OlderPage | undefined,
    queryFn: async ({ pageParam, signal }): Promise<OlderPage> => {
      const plan = placeOf(pageParam?.plan);
      const known = knownIds();
      const next = pageParam ? pageParam.next : head?.next;
      const filtered: Pick<Api, "listJobs"> = {
        listJobs: (place, within) => api.listJobs({ ...params, ...place }, within),
      };
      const page = await readPage({
        api: filtered,
        plan,
        next,
        limit,
        signal,
        offsetUnit: () => findOffsetUnit(api, signal),
      });
      const fresh = page.jobs.filter(({ requestId }) => !known.has(requestId)).length;
      return { ...page, plan: planAfterPage(plan, readOf(page, limit, fresh)) };
    },
    getNextPageParam: (last) => (isComplete(last.plan) ? undefined : last),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    retry: retryRead,
    retryDelay: retryDelayMs,
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
function planAfterHead(head: JobPage, params: JobListParams): ReadPlan {
  const gap = { before: params.created_before, after: params.created_after };
  const read = readOf(head, PAGE_JOBS, head.jobs.length);
  const isLast = !mayHaveMore(head, PAGE_JOBS, head.jobs.length);
  return planAfterPage({ ...NOTHING_READ, gaps: [gap], isKnownBelow: true }, { ...read, isLast });
}

/** The plan without what the index holds. */
function belowReach(plan: ReadPlan, reachSeconds: number): ReadPlan {
  if (plan.isUntimed || !Number.isFinite(reachSeconds)) return plan;
  const gaps = plan.gaps.map((gap) => ({ ...gap, before: Math.min(gap.before ?? reachSeconds, reachSeconds) }));
  return { ...plan, gaps };
}
