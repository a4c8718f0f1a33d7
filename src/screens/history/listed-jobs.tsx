import { ErrorNotice } from "#connection/error-notice.tsx";
import { NO_FILTERS } from "./filter-bar.tsx";
import { HistoryBody, type HistoryBodyProps } from "./history-body.tsx";
import { HistoryEmpty } from "./history-empty.tsx";
import { filterParams } from "./history-params.ts";
import { filterCount } from "./history-search.ts";
import { HistorySkeleton } from "./history-skeleton.tsx";
import { Pager } from "./pager.tsx";
import type { useHistoryPage } from "./use-history-page.ts";
import { usePlacedDays } from "./use-placed-days.ts";

interface ListedJobsProps extends Pick<HistoryBodyProps, "search" | "marks" | "nowMs" | "onChange" | "entries"> {
  page: ReturnType<typeof useHistoryPage>;
}

/** A page of the service's own list, or why there is none. */
export function ListedJobs({ page, entries: listed, search, marks, nowMs, onChange }: ListedJobsProps) {
  const { list } = page;
  const { after: _after, before: _before, ...undated } = search;
  const entries = usePlacedDays(listed, { among: listed, filters: filterParams(undated), nowMs });
  if (list.isPending && !list.isError) return <HistorySkeleton density={search.view ?? "grid"} />;
  if (entries.length === 0 && !list.isError) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <HistoryEmpty
          isFiltered={filterCount(search) > 0}
          page={page.page}
          onClear={() => onChange(NO_FILTERS)}
          onFirstPage={() => onChange({ page: undefined })}
        />
      </div>
    );
  }
  return (
    <>
      {list.isError && (
        <ErrorNotice
          error={list.error}
          doing="read"
          onRetry={() => void list.refetch()}
          className="mx-[18px] mt-3 max-sm:mx-3"
        />
      )}
      <HistoryBody
        search={search}
        entries={entries}
        isStale={page.isStale}
        marks={marks}
        nowMs={nowMs}
        onChange={onChange}
      >
        {entries.length > 0 && (
          <Pager
            page={page.page}
            limit={page.limit}
            shown={entries.length}
            total={page.total}
            hasNext={page.hasNext}
            isBusy={page.isStale}
            onPage={(next) => onChange({ page: next })}
            onLimit={(limit) => onChange({ limit })}
          />
        )}
      </HistoryBody>
    </>
  );
}
