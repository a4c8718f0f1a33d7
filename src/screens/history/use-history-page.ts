import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useApi } from "#connection/connection-provider.tsx";
import { jobQueries } from "#jobs/job-queries.ts";
import { pageParams } from "./history-params.ts";
import { DEFAULT_PAGE_SIZE, type HistorySearch } from "./history-search.ts";
import { offsetUnitQuery } from "./offset-unit.ts";

/** The page of the service's job list that a search asks for. The page before stays while the next one loads. */
export function useHistoryPage(search: HistorySearch, isWanted = true) {
  const api = useApi();
  const page = search.page ?? 1;
  const limit = search.limit ?? DEFAULT_PAGE_SIZE;
  const unit = useQuery({ ...offsetUnitQuery(api), enabled: isWanted && page > 1 });
  // Should the unit not be found out, jobs are counted: the wording of spec 4.1 leaves both open.
  const isUnitReady = page === 1 || unit.data !== undefined || unit.isError;
  const params = pageParams(search, unit.data ?? "items");
  const list = useQuery({
    ...jobQueries(api).list(params),
    enabled: isWanted && isUnitReady,
    placeholderData: keepPreviousData,
  });
  const jobs = list.data?.jobs ?? [];
  return {
    list,
    jobs,
    page,
    limit,
    total: list.data?.total,
    isStale: list.isPlaceholderData,
    hasNext: hasNextPage({ page, limit, shown: jobs.length, total: list.data?.total }),
  };
}

/**
 * Whether there is a next page: by the total where the service tells one that can be true, else until a page is short
 * (spec 4.1 rule 5 shows no total).
 */
export function hasNextPage({
  page,
  limit,
  shown,
  total,
}: {
  page: number;
  limit: number;
  shown: number;
  total: number | undefined;
}): boolean {
  if (shown < limit) return false;
  return total === undefined || total < shown || page * limit < total;
}
