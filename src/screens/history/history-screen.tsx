import { getRouteApi } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useApi } from "#connection/connection-provider.tsx";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { useMarks } from "#jobs/marks/use-marks.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { matchingFiles, undeletedFiles } from "./bulk-download.tsx";
import { FilterBar, NO_FILTERS, type SearchChange } from "./filter-bar.tsx";
import { HistoryBody, type HistoryBodyProps } from "./history-body.tsx";
import { HistoryEmpty, HistorySkeleton } from "./history-empty.tsx";
import { type HistoryEntry, toEntry } from "./history-entry.ts";
import { changedSearch, filterCount, readHistorySearch } from "./history-search.ts";
import { IndexLine } from "./index-line.tsx";
import { usePlacedDays } from "./job-days.ts";
import { useFuller } from "./lean-entries.ts";
import { resetCursor } from "./list-cursor.ts";
import { Pager } from "./pager.tsx";
import { type IndexState, useIndexSearch, useJobIndex, useNoteSeen } from "./search/job-index.ts";
import { filterParams, useHistoryPage } from "./use-history-page.ts";

const route = getRouteApi("/history");
/** Changes of these leave the place in the list and the selection as they are. */
const OVERLAYS = ["view", "open", "compare"];

/** Every job of the key: filtered and paged by the service, or searched in what this browser has seen of them. */
export function HistoryScreen() {
  const raw = route.useSearch();
  const search = useMemo(() => readHistorySearch(raw), [raw]);
  const navigate = route.useNavigate();
  const api = useApi();
  const [nowMs] = useState(() => Date.now());
  const prices = useKnownPrices();
  const marks = useMarks();
  const { index, state } = useJobIndex();
  const found = useIndexSearch(state, { search, marks: marks.marks, prices, nowMs });
  const page = useHistoryPage(search, found === undefined);
  const payloads = useKnownPayloads();
  const listed = useMemo(
    () =>
      page.jobs.map((job) => {
        const payload = job.payload ?? payloads.get(job.requestId);
        return toEntry({ ...job, payload }, prices.get(job.requestId));
      }),
    [page.jobs, prices, payloads],
  );
  const isOpening = state.phase === "opening";
  const known = useCallback((id: string) => (isOpening ? undefined : index.get(id)), [index, isOpening]);
  const full = useFuller(found ?? listed, known);
  const isUnfiltered = filterCount(search) === 0;
  useNoteSeen(index, listed, isUnfiltered && page.isWhole);
  useNoteSeen(
    index,
    useMemo(() => [...full.filled.values()], [full.filled]),
  );

  function change(next: SearchChange, replace = "view" in next || "q" in next) {
    if (!Object.keys(next).every((name) => OVERLAYS.includes(name))) resetCursor();
    void navigate({ search: changedSearch(search, next), replace });
  }
  // What the index knows is not asked for again, so nothing is before it is open.
  const shared = { search, marks, nowMs, onChange: change, ...(isOpening ? {} : { onInView: full.onInView }) };

  return (
    <div className="relative flex h-full min-h-0 flex-col short:h-auto">
      <h1 className="sr-only">History</h1>
      <FilterBar search={search} nowMs={nowMs} marks={marks.marks} onChange={change} />
      <IndexLine
        state={state}
        total={isUnfiltered ? page.total : undefined}
        found={found?.length}
        onReadAll={() => void index.readAll(api)}
        onStop={index.stop}
        onShowAll={() => change({ q: "*" }, false)}
        onLeave={() => change({ q: undefined }, false)}
        isFiltered={!isUnfiltered}
        wanted={async (signal, onRead) =>
          found ? undeletedFiles(found) : matchingFiles({ api, search, signal, onRead })
        }
      />
      {found ? (
        <FoundJobs {...shared} found={full.entries} state={state} />
      ) : (
        <ListedJobs {...shared} page={page} entries={full.entries} />
      )}
    </div>
  );
}

interface ListedJobsProps
  extends Pick<HistoryBodyProps, "search" | "marks" | "nowMs" | "onChange" | "onInView" | "entries"> {
  page: ReturnType<typeof useHistoryPage>;
}

/** A page of the service's own list, or why there is none. */
function ListedJobs({ page, entries: listed, search, marks, nowMs, onChange, onInView }: ListedJobsProps) {
  const { list } = page;
  const { after: _after, before: _before, ...undated } = search;
  const entries = usePlacedDays(listed, { among: listed, filters: filterParams(undated) });
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
          operation="read"
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
        onInView={onInView}
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

interface FoundJobsProps extends Pick<HistoryBodyProps, "search" | "marks" | "nowMs" | "onChange" | "onInView"> {
  found: readonly HistoryEntry[];
  state: IndexState;
}

const NO_LIMITS = {};

/** What the index found, all of it in one list. */
function FoundJobs({ found: listed, state, ...body }: FoundJobsProps) {
  // The days of the whole index, so that each is found out once for all searches.
  const found = usePlacedDays(listed, {
    among: state.entries,
    filters: NO_LIMITS,
    isWaiting: state.phase !== "ready",
  });
  if (state.phase === "opening") return <HistorySkeleton density={body.search.view ?? "grid"} />;
  if (found.length > 0) return <HistoryBody {...body} entries={found} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={SearchX}
        title="No matching jobs"
        actions={<Button onClick={() => body.onChange({ q: undefined }, false)}>Clear the search</Button>}
      >
        {state.isComplete
          ? "The search covered all of your jobs."
          : "The search covers only loaded jobs. Load all jobs to search the rest."}
        {/\bcost[:<>]/i.test(body.search.q ?? "") && " Prices are known only for jobs run in this browser."}
      </EmptyState>
    </div>
  );
}

/** What this browser sent, by job, for lists that leave it out. */
function useKnownPayloads(): ReadonlyMap<string, JsonRecord> {
  const tracked = useTrackedJobs();
  return useMemo(() => {
    // A job that was imported may have none.
    const known = tracked.filter(({ payload }) => Object.keys(payload).length > 0);
    return new Map(known.map(({ requestId, payload }) => [requestId, payload]));
  }, [tracked]);
}

/** The exact prices that this browser knows, by job: those of jobs it submitted. */
function useKnownPrices(): ReadonlyMap<string, MicroUsd> {
  const tracked = useTrackedJobs();
  return useMemo(() => {
    const prices = new Map<string, MicroUsd>();
    for (const { requestId, priceMicroUsd } of tracked) {
      if (priceMicroUsd !== undefined) prices.set(requestId, priceMicroUsd);
    }
    return prices;
  }, [tracked]);
}
