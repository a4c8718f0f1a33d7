import { usePrefetchQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import type { Api } from "#api/create-api.ts";
import { useClient } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import type { WantedFiles } from "#media/download/bulk-run.ts";
import { storedFactsQuery } from "#media/file-facts.ts";
import { useMarks } from "#results/marks/use-marks.ts";
import { useTrackedJobs } from "#runs/use-tracked-jobs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useToday } from "#ui/use-today.ts";
import { matchingFiles, undeletedFiles } from "./bulk-download.ts";
import { CompareOverlay } from "./compare-overlay.tsx";
import { useDetailLoader } from "./detail-loader.ts";
import { FilterBar, NO_FILTERS, type SearchChange } from "./filter-bar.tsx";
import { HistoryBody, resetCursor } from "./history-body.tsx";
import { HistoryEmpty, HistorySkeleton } from "./history-empty.tsx";
import { changedSearch, filterCount, type HistorySearch } from "./history-search.ts";
import { IndexLine } from "./index-line.tsx";
import { usePlacedDays } from "./job-days.ts";
import type { IndexState } from "./job-index/job-index.ts";
import { searchIndex, searchText } from "./job-index/search-index.ts";
import { useJobIndex } from "./job-index/use-job-index.ts";
import { ListMenu } from "./list-menu.tsx";
import { OlderJobsEnd } from "./older-jobs.tsx";
import { serviceQuestion } from "./service-question.ts";
import { useEstimates } from "./use-estimates.ts";
import { joinKnown, type KnownJobs, newestPageQuery, useListing } from "./use-listing.ts";
import { type OlderJobs, PAGE_JOBS } from "./use-older-jobs.ts";

const route = getRouteApi("/studio/history");
/** Changes of these leave the place in the list and the selection as they are. */
const OVERLAYS = ["view", "open", "compare"];

/** What the service is asked for first, for the route's loader. */
export const firstQuery = (api: Api, search: HistorySearch) => newestPageQuery(api, serviceQuestion(search).params);

/** Every job of the key in one list: see `useListing`. */
export function HistoryScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { api, queryClient } = useClient();
  const today = useToday();
  // The same moment all day long: every row is arranged by it.
  const nowMs = useMemo(() => Math.max(Date.now(), today), [today]);
  const marks = useMarks();
  const { index, state } = useJobIndex();
  const { estimates, wantEstimates } = useEstimates(index);
  const rows = useTrackedJobs();
  const tracked = useMemo(() => new Map(rows.map((job) => [job.requestId, job])), [rows]);
  useEffect(() => index.noteOwn(rows), [index, rows]);
  const known = { marks: marks.marks, tracked, estimates, nowMs };
  const listing = useListing(search, index, state, known);
  // The shapes of tiles are read while the jobs are asked for.
  usePrefetchQuery(storedFactsQuery(useConnection()?.accountId ?? ""));
  const { older, isExact, reading } = listing;
  const loadDetails = useDetailLoader(index);
  const { params } = useMemo(() => serviceQuestion(search), [search]);
  const { created_after: _after, created_before: _before, ...undated } = params;
  // While thousands of jobs without times are read, their days would be asked for again and again.
  const isWaiting = !state.isOpen || (reading.isReading && state.isUntimed && listing.entries.length > PAGE_JOBS);
  const entries = usePlacedDays(listing.entries, { filters: undated, isWaiting });

  function change(next: SearchChange, replace = "view" in next || "q" in next) {
    const isOverlay = Object.keys(next).every((name) => OVERLAYS.includes(name));
    if (!isOverlay) resetCursor();
    // Under the viewer nothing moves: the router would put its filmstrip back to where it was.
    void navigate({ search: changedSearch(search, next), replace, ...(isOverlay ? { resetScroll: false } : {}) });
  }
  const isFiltered = filterCount(search) > 0 || search.q !== undefined;
  // Once the last jobs are near, more are read, so that the end of the list is rarely seen.
  function onInView(seen: readonly JobRecord[]) {
    // What the index knows is not asked for again, so nothing is before it is open.
    if (state.isOpen) {
      loadDetails(seen);
      wantEstimates(seen);
    }
    if (isExact && !listing.isStale && isNearEnd(seen, entries)) older.readMore();
  }
  const wanted: WantedFiles = async (signal, onRead) => {
    if (state.isWhole && !listing.isStale) return undeletedFiles(entries);
    const keep = (jobs: readonly JobRecord[]) => {
      const joined = jobs.map((job) => joinKnown(job, known));
      return isExact ? joined : searchedIn(joined, search, known);
    };
    return matchingFiles({ api, client: queryClient, params, keep, signal, onRead });
  };

  return (
    <div className="relative flex h-full min-h-0 flex-col short:h-auto">
      <h1 className="sr-only">History</h1>
      <FilterBar
        search={search}
        nowMs={nowMs}
        marks={marks.marks}
        onChange={change}
        menu={
          <ListMenu
            wanted={wanted}
            isFiltered={isFiltered}
            isEmpty={entries.length === 0 && !listing.isPending && !listing.isStale}
            onRefresh={listing.refresh}
          />
        }
      />
      {listing.error && (
        <ErrorNotice
          error={listing.error}
          operation="read"
          onRetry={listing.refresh}
          className="mx-[18px] mt-3 max-sm:mx-3"
        />
      )}
      {listing.isPending ? (
        <HistorySkeleton density={search.view ?? "grid"} />
      ) : (
        <HistoryBody
          search={search}
          entries={entries}
          isStale={listing.isStale}
          marks={marks}
          nowMs={nowMs}
          onChange={change}
          onInView={onInView}
          note={<IndexLine state={state} reading={reading} total={listing.total} />}
          empty={
            !listing.error && (
              <NoJobs
                isFiltered={isFiltered}
                state={state}
                isReading={reading.isReading}
                older={older}
                isExact={isExact}
                onClear={() => change({ ...NO_FILTERS, q: undefined }, false)}
              />
            )
          }
        >
          {/* Another element each time the list grows: it does not count as moved. */}
          <OlderJobsEnd
            key={entries.length}
            older={older}
            shown={entries.length}
            isAutomatic={isExact}
            searchedSeconds={searchedSeconds(state)}
          />
        </HistoryBody>
      )}
      <CompareOverlay
        text={search.compare}
        entries={entries}
        marks={marks}
        onChange={(compare) => change({ compare }, true)}
      />
    </div>
  );
}

const NEAR_END = 40;

/** Whether one of the last jobs of the list is among those in view. */
function isNearEnd(seen: readonly JobRecord[], entries: readonly JobRecord[]): boolean {
  if (seen.length === 0) return false;
  const last = new Set(entries.slice(-NEAR_END).map(({ requestId }) => requestId));
  return seen.some(({ requestId }) => last.has(requestId));
}

/** Back to when the index holds everything; undefined where it holds all, or where that is not known. */
function searchedSeconds({ reachSeconds, entries }: IndexState): number | undefined {
  if (Number.isFinite(reachSeconds) && reachSeconds > 0) return reachSeconds;
  return entries.findLast((entry) => entry.createdAtSeconds !== undefined)?.createdAtSeconds;
}

function searchedIn(jobs: readonly JobRecord[], search: HistorySearch, known: KnownJobs): readonly JobRecord[] {
  const { q = "*", model, type, status, after, before } = search;
  const filters = {
    ...(model && { model }),
    ...(type && { type }),
    ...(status && { status }),
    ...(after && { after }),
    ...(before && { before }),
  };
  return searchIndex({
    entries: jobs,
    texts: () => jobs.map(searchText),
    query: q,
    filters,
    marks: known.marks,
    nowMs: known.nowMs,
  });
}

interface NoJobsProps {
  isFiltered: boolean;
  state: IndexState;
  isReading: boolean;
  older: OlderJobs;
  isExact: boolean;
  onClear: () => void;
}

/** Why the list is empty, and where a search can go on. */
function NoJobs({ isFiltered, state, isReading, older, isExact, onClear }: NoJobsProps) {
  const canGoOn = older.hasMore && !isExact;
  return (
    <>
      <HistoryEmpty isFiltered={isFiltered} coverage={coverageText(state, isReading, canGoOn)} onClear={onClear} />
      {canGoOn && <OlderJobsEnd older={older} shown={0} isAutomatic={false} searchedSeconds={searchedSeconds(state)} />}
    </>
  );
}

function coverageText(state: IndexState, isReading: boolean, canGoOn: boolean): string {
  if (isReading)
    return `The search covers ${state.entries.length.toLocaleString("en-US")} jobs so far. Older jobs are still being read.`;
  return canGoOn ? "The search has not covered your oldest jobs." : "The search covered all of your jobs.";
}
