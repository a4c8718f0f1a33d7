import {
  keepPreviousData,
  type QueryClient,
  type QueryFunction,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { JobListParams, JobPage } from "#api/types.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { jobQueries } from "#jobs/job-queries.ts";
import { findOffsetUnit, type OffsetUnit } from "#jobs/offset-unit.ts";
import { DEFAULT_PAGE_SIZE, daySeconds, type HistorySearch } from "./history-search.ts";

/** The page of the service's job list that a search asks for. The page before stays while the next one loads. */
export function useHistoryPage(search: HistorySearch, isWanted = true) {
  const api = useApi();
  const page = search.page ?? 1;
  const limit = search.limit ?? DEFAULT_PAGE_SIZE;
  const unit = useQuery({ ...offsetUnitQuery(api), enabled: isWanted && page > 1 });
  // If the unit cannot be found out, jobs are counted: the wording of spec 4.1 leaves both open.
  const isUnitReady = page === 1 || unit.data !== undefined || unit.isError;
  const byCursor = page > 1 && unit.data === "cursor";
  const client = useQueryClient();
  const params = pageParams(search, unit.data ?? "items");
  const { queryKey, queryFn } = jobQueries(api).list(params);
  const list = useQuery<JobPage>({
    ...(byCursor ? cursorPageQuery(api, client, search) : { queryKey, queryFn: queryFn as QueryFunction<JobPage> }),
    structuralSharing: false,
    enabled: isWanted && isUnitReady,
    placeholderData: keepPreviousData,
  });
  const jobs = list.data?.jobs ?? [];
  const hasNext = hasNextPage({ page, limit, shown: jobs.length, total: list.data?.total, hasMore: moreOf(list.data) });
  return {
    list,
    jobs,
    page,
    limit,
    total: list.data?.total,
    isStale: list.isPlaceholderData,
    hasNext,
    /** The first page is the only one. */
    isWhole: page === 1 && list.isSuccess && !list.isPlaceholderData && !hasNext,
  };
}

/** What the service says of a next page: in a word, or by naming a place to go on from. */
function moreOf(page: JobPage | undefined): boolean | undefined {
  return page?.hasMore ?? (page?.next === undefined ? undefined : true);
}

/** A page of a list that counts no offset: the pages before it are gone through, each from the place that the last named. */
function cursorPageQuery(api: Api, client: QueryClient, search: HistorySearch) {
  const { offset: _, ...first } = pageParams(search, "items");
  return {
    queryKey: ["jobs", "list", { ...first, page: search.page }],
    queryFn: async (): Promise<JobPage> => {
      let page = await client.fetchQuery({ ...jobQueries(api).list(first), staleTime: WALKED_MS });
      for (let at = 1; at < (search.page ?? 1); at += 1) {
        if (page.next === undefined) return { jobs: [], total: page.total };
        page = await client.fetchQuery({
          ...jobQueries(api).list({ ...first, next: page.next }),
          staleTime: WALKED_MS,
        });
      }
      return page;
    },
  };
}

/** For so long a page that was gone through is not asked for again on the way to a later one. */
const WALKED_MS = 60_000;

/**
 * Whether there is a next page: by the service's word, by the total where the service gives one that can be true, else until a page is short
 * (spec 4.1 rule 5 shows no total).
 */
export function hasNextPage({
  page,
  limit,
  shown,
  total,
  hasMore,
}: {
  page: number;
  limit: number;
  shown: number;
  total: number | undefined;
  hasMore?: boolean | undefined;
}): boolean {
  if (hasMore !== undefined) return hasMore && shown > 0;
  if (shown < limit) return false;
  return total === undefined || total < shown || page * limit < total;
}

/**
 * The filters of a search as the service takes them (spec 4.1). `before` is a whole day, so it ends with the next one.
 */
export function filterParams(search: HistorySearch): JobListParams {
  return {
    ...(search.model ? { model_id: search.model } : {}),
    ...(search.type ? { model_type: search.type.split(",") } : {}),
    ...(search.status ? { status: search.status.split(",") } : {}),
    ...(search.after ? { created_after: daySeconds(search.after) } : {}),
    ...(search.before ? { created_before: daySeconds(search.before, 1) } : {}),
  };
}

/** One page of a search. The first page needs no offset, so the unit does not matter there. */
export function pageParams(search: HistorySearch, unit: OffsetUnit): JobListParams {
  const limit = search.limit ?? DEFAULT_PAGE_SIZE;
  const skipped = (search.page ?? 1) - 1;
  const offset = unit === "pages" ? skipped : skipped * limit;
  return { ...filterParams(search), limit, ...(offset > 0 ? { offset } : {}) };
}

/** The unit, found out once per connection and only when a second page is asked for. */
function offsetUnitQuery(api: Api) {
  return queryOptions({
    queryKey: ["offset-unit"],
    queryFn: ({ signal }) => findOffsetUnit(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}
