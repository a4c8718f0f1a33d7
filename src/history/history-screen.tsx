import { usePrefetchQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Ellipsis, FileArchive, FolderDown, ListChecks, RefreshCw, Star, Trash2 } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import type { Api } from "#api/create-api.ts";
import { useClient } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { canPickFolder } from "#media/download/archive-folder.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import { startBulk, type WantedFiles } from "#media/download/bulk-run.ts";
import { storedFactsQuery } from "#media/file-facts.ts";
import { resultCommands } from "#results/commands.ts";
import { type Marks, useMarks } from "#results/marks/marks.ts";
import { Compare } from "#results/viewer/compare/compare.tsx";
import { MAX_COMPARED } from "#results/viewer/compare/same-prompt.ts";
import { jobStrip, type Strip, useListWhileViewed } from "#results/viewer/strip.ts";
import { Viewer } from "#results/viewer/viewer.tsx";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { type JobRecord, mergeRecords } from "#storage/job-records.ts";
import { type Command, commandsFor, useCommands } from "#ui/commands.ts";
import { type GridCursor, movedTo, NO_CURSOR, useActiveOrNeighbor, withSelected } from "#ui/grid-cursor.ts";
import { Menu } from "#ui/menu.tsx";
import { toast } from "#ui/toast-store.ts";
import { useToday } from "#ui/use-today.ts";
import { ActionBar } from "./action-bar.tsx";
import { matchingFiles, undeletedFiles } from "./bulk-download.ts";
import { historyCommands } from "./commands.ts";
import { useDetailLoader, useEstimates } from "./detail-loader.ts";
import { ArchiveWaiting, ExpiryBanner, useIsArchiveWaiting } from "./expiry-banner.tsx";
import { FilterBar, NO_FILTERS, type SearchChange } from "./filter-bar.tsx";
import { HistoryList } from "./history-list.tsx";
import {
  changedSearch,
  filterCount,
  type HistorySearch,
  listKey,
  readViewedFile,
  viewedFileText,
} from "./history-search.ts";
import { useJobActs } from "./job-acts.tsx";
import { useJobIndex, useKnownJob } from "./job-index/job-index.ts";
import { withTerm } from "./job-index/search-index.ts";
import { HistorySkeleton, IndexLine, NoJobs, OlderJobsEnd, searchedSeconds } from "./list-end.tsx";
import { arrangeJobs } from "./list-layout.ts";
import { newestPageQuery, PAGE_JOBS, serviceQuestion, useListing, usePlacedDays } from "./use-listing.ts";

const route = getRouteApi("/studio/history");
/** Parameters of the URL whose change leaves the scroll position and the selection as they are. */
const OVERLAYS = ["view", "open", "compare"];

/** What the service is asked for first, for the route's loader. */
export const firstQuery = (api: Api, search: HistorySearch) => newestPageQuery(api, serviceQuestion(search).params);

/** Every job of the key in one list: see `useListing`. */
export function HistoryScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { api, queryClient } = useClient();
  const today = useToday();
  // One moment for the whole day: a new one would arrange and render every row again.
  const nowMs = useMemo(() => Math.max(Date.now(), today), [today]);
  const marks = useMarks();
  const { index, state } = useJobIndex();
  const listing = useListing(search, index, state, { marks: marks.marks, nowMs });
  // The shapes of tiles are read while the jobs are asked for.
  usePrefetchQuery(storedFactsQuery(useConnection()?.accountId ?? ""));
  const { older, isExact, reading, params, keep } = listing;
  const loadDetails = useDetailLoader(index);
  const wantEstimates = useEstimates(index);
  const { created_after: _after, created_before: _before, ...undated } = params;
  // While thousands of jobs without times are read, each page would ask for their days again.
  const isWaiting = !state.isOpen || (reading.isReading && state.isUntimed && listing.entries.length > PAGE_JOBS);
  const entries = usePlacedDays(listing.entries, { filters: undated, isWaiting });

  function change(next: SearchChange, replace = "view" in next || "q" in next) {
    const isOverlay = Object.keys(next).every((name) => OVERLAYS.includes(name));
    if (!isOverlay) resetCursor();
    // The router must not reset scroll positions while the viewer is open, because its filmstrip would jump.
    void navigate({ search: changedSearch(search, next), replace, ...(isOverlay ? { resetScroll: false } : {}) });
  }
  const isFiltered = filterCount(search) > 0 || search.q !== undefined;
  function onInView(seen: readonly JobRecord[]) {
    // The open index says what is known already and need not be asked for.
    if (state.isOpen) {
      loadDetails(seen);
      wantEstimates(seen);
    }
    // Reads ahead, so that the end of the list is rarely seen.
    if (isExact && !listing.isStale && isNearEnd(seen, entries)) older.readMore();
  }
  const wanted: WantedFiles = async (signal, onRead) => {
    if (state.isWhole && !listing.isStale) return undeletedFiles(entries);
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
          className="mx-4.5 mt-3 max-sm:mx-3"
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
          {/* The key makes it another element each time the list grows, so that it does not count as moved. */}
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

/** More jobs are read once one of this many last jobs is in view: about two screens of tiles. */
const NEAR_END_JOBS = 40;

/** Whether one of the last jobs of the list is among those in view. */
function isNearEnd(seen: readonly JobRecord[], entries: readonly JobRecord[]): boolean {
  if (seen.length === 0) return false;
  const last = new Set(entries.slice(-NEAR_END_JOBS).map(({ requestId }) => requestId));
  return seen.some(({ requestId }) => last.has(requestId));
}

interface HistoryBodyProps {
  search: HistorySearch;
  entries: readonly JobRecord[];
  isStale?: boolean;
  marks: Marks;
  nowMs: number;
  onChange: (change: SearchChange, replace?: boolean) => void;
  /** Called with the jobs in view. */
  onInView?: ((entries: readonly JobRecord[]) => void) | undefined;
  /** Shown at the right of the first heading. */
  note?: ReactNode;
  /** Shown in place of a list without jobs; false where the list could not be read. */
  empty: ReactNode;
  /** Below the last job. */
  children?: ReactNode;
}

/** The active job and the selection. They stay while other screens are open. */
const useCursor = create<GridCursor>(() => NO_CURSOR);

/** Clears the active job and the selection, because another list is shown. */
const resetCursor = () => useCursor.setState(NO_CURSOR, true);

/** The list, the bar of actions that floats over it, and the viewer. */
function HistoryBody({
  search,
  entries,
  isStale = false,
  marks,
  nowMs,
  onChange,
  onInView,
  note,
  empty,
  children,
}: HistoryBodyProps) {
  const stored = useCursor();
  const ids = useMemo(() => entries.map(({ requestId }) => requestId), [entries]);
  const active = useActiveOrNeighbor(stored.active, ids);
  // The same object while nothing in it changes, so that scrolling does not render lines that stay in sight.
  const cursor = useMemo(() => (active === stored.active ? stored : { ...stored, active }), [stored, active]);
  const setCursor = (next: GridCursor) => useCursor.setState(next, true);
  const chosen = cursor.selected.size > 0 ? entries.filter((entry) => cursor.selected.has(entry.requestId)) : [];
  const viewed = search.open === undefined ? undefined : readViewedFile(search.open);

  // The viewer steps through the files in the order of the list.
  const density = search.view ?? "grid";
  const isViewing = viewed !== undefined;
  const listed = useMemo(
    () => (isViewing ? arrangeJobs(entries, { density, nowMs, tiles: new Set() }).entries : NO_JOBS),
    [isViewing, entries, density, nowMs],
  );
  const viewedJobs = useListWhileViewed(listed, ({ requestId }) => requestId === viewed?.id);
  const strip = useJobStrip(viewedJobs, listed);
  const isEmpty = entries.length === 0 && !isStale;
  const emptyList = useRef<HTMLDivElement>(null);
  const isArchiveWaiting = useIsArchiveWaiting();
  const shownKey = useShownKey(search, isStale);

  const knownJobs = useKnownJobs(entries);

  // As in the contact sheet, acts concern the selected jobs, else the job that has the focus.
  const [hasFocus, setHasFocus] = useState(false);
  // A list that is removed with the focus in it sends no blur event.
  if (isEmpty && hasFocus) setHasFocus(false);
  const focused = hasFocus ? entries.find(({ requestId }) => requestId === cursor.active) : undefined;
  const jobActs = useJobActs({
    jobs: chosen.length > 0 ? chosen : focused ? [focused] : [],
    marks,
    knownJobs,
    onCompare: (jobs) => onChange({ compare: compareText(jobs) }),
    onDeleted: () => setCursor(withSelected(cursor, new Set())),
  });

  useCommands([
    ...commandsFor(resultCommands, jobActs.acts, { star: Star, delete: Trash2 }),
    {
      ...historyCommands.selectAll,
      icon: ListChecks,
      ...(entries.length === 0 ? { unavailable: "No jobs to select" } : {}),
      run: () => setCursor(withSelected(cursor, new Set(ids))),
    },
  ]);
  function close() {
    if (viewed && ids.includes(viewed.id)) setCursor(movedTo(cursor, viewed.id));
    onChange({ open: undefined }, true);
  }

  return (
    <>
      {isEmpty && empty && (
        <div ref={emptyList} className="min-h-0 flex-1 overflow-y-auto px-4.5 max-sm:px-3">
          {empty}
        </div>
      )}
      {!isEmpty && (
        <HistoryList
          key={shownKey}
          entries={entries}
          density={density}
          cursor={cursor}
          onCursorChange={setCursor}
          onOpen={(requestId) => onChange({ open: requestId })}
          onFocusChange={setHasFocus}
          marks={marks.marks}
          nowMs={nowMs}
          placeKey={shownKey}
          isStale={isStale}
          onInView={onInView}
          note={note}
          top={
            <ExpiryBanner
              marks={marks}
              nowMs={nowMs}
              onShow={() => onChange({ ...NO_FILTERS, q: withTerm(undefined, "expires<7") }, false)}
            />
          }
        >
          {children}
          {entries.some(({ priceMicroUsd }) => priceMicroUsd !== undefined) && (
            <p className="m-0 pb-4 text-xs text-ink-3">{SHARED_BALANCE}</p>
          )}
          {chosen.length > 0 && <div className="h-20" />}
          {isArchiveWaiting && <div className="h-36" />}
        </HistoryList>
      )}
      {/* The download panel is lowest, so that it does not move when the action bar comes or goes. */}
      <div className="pointer-events-none absolute inset-x-3 top-0 bottom-4 z-20 flex flex-col items-center justify-end gap-2 *:pointer-events-auto">
        <ArchiveWaiting className="w-full max-w-140 shadow-float" />
        {chosen.length > 0 && (
          <ActionBar
            chosen={chosen}
            marks={marks}
            jobActs={jobActs}
            onClear={() => setCursor(withSelected(cursor, new Set()))}
          />
        )}
        <BulkPanel />
      </div>
      {jobActs.dialogs}
      {viewed && (
        <Viewer
          strip={strip}
          knownJobs={knownJobs}
          viewed={viewed}
          onView={(next) => onChange({ open: viewedFileText(next) }, true)}
          onClose={close}
          onCompare={(requestId, withJobs) => {
            const jobs = withJobs ?? withNeighbor(requestId, chosen, viewedJobs);
            if (jobs.length > 1) onChange({ open: undefined, compare: compareText(jobs) }, true);
            else toast({ title: "Nothing to compare", body: "No other file of this type is in the list." });
          }}
          // If the list became empty meanwhile, the focus goes to what can be done about it.
          focusAfter={() => emptyList.current?.querySelector<HTMLElement>("a, button") ?? undefined}
        />
      )}
    </>
  );
}

const NO_JOBS: readonly JobRecord[] = [];

/** The filmstrip of the viewer. Jobs that left the list meanwhile are shown as the browser knows them now. */
function useJobStrip(jobs: readonly JobRecord[], listed: readonly JobRecord[]): Strip {
  const knownJob = useKnownJob();
  return useMemo(() => {
    if (jobs === listed) return jobStrip(jobs);
    const listedById = new Map(listed.map((job) => [job.requestId, job]));
    const latest = (job: JobRecord): JobRecord => {
      const known = knownJob(job.requestId);
      // The list may have placed it on a day without knowing its time.
      return known ? { ...mergeRecords(job, known), createdAtSeconds: job.createdAtSeconds } : job;
    };
    return jobStrip(jobs.map((job) => listedById.get(job.requestId) ?? latest(job)));
  }, [jobs, listed, knownJob]);
}

/**
 * The key of the list on the screen: while a new list loads, that of the list before. Each list gets elements of its own, so
 * that no job seems to move to where another one stood.
 */
function useShownKey(search: HistorySearch, isStale: boolean): string {
  const requestedKey = listKey(search);
  const [shown, setShown] = useState(requestedKey);
  if (!isStale && shown !== requestedKey) setShown(requestedKey);
  return isStale ? shown : requestedKey;
}

interface CompareOverlayProps {
  /** The ids in the URL, with commas between. */
  text: string | undefined;
  entries: readonly JobRecord[];
  marks: Marks;
  /** Compares other jobs; undefined closes the comparison. */
  onChange: (text: string | undefined) => void;
}

/** The comparison that the URL names, over whatever the list shows. */
function CompareOverlay({ text, entries, marks, onChange }: CompareOverlayProps) {
  const compared = useCompared(text, entries);
  const knownJobs = useKnownJobs(entries);
  if (compared.length < 2) return null;
  return (
    <Compare
      key={compareText(compared)}
      jobs={compared}
      knownJobs={knownJobs}
      marks={marks}
      onCompare={(jobs) => onChange(compareText(jobs))}
      onClose={() => onChange(undefined)}
    />
  );
}

/** The ids of compared jobs for the URL. */
function compareText(jobs: readonly JobRecord[]): string {
  return jobs.map(({ requestId }) => requestId).join(",");
}

/**
 * The compared jobs of the URL that have a file, `MAX_COMPARED` at most. Jobs that the list does not show are looked up,
 * because a comparison may come from Create.
 */
function useCompared(text: string | undefined, entries: readonly JobRecord[]): readonly JobRecord[] {
  const knownJob = useKnownJob();
  return useMemo(() => {
    const ids = text === undefined ? [] : [...new Set(text.split(","))].slice(0, MAX_COMPARED);
    return ids
      .flatMap((id) => entries.find(({ requestId }) => requestId === id) ?? knownJob(id) ?? [])
      .filter(({ media }) => media.length > 0);
  }, [text, entries, knownJob]);
}

/** All jobs of the index, or those of the list while it has more. Results of other models are looked for among them. */
function useKnownJobs(entries: readonly JobRecord[]): readonly JobRecord[] {
  const known = useJobIndex().state.entries;
  return known.length > entries.length ? known : entries;
}

/** A job of the viewer with the jobs to compare: the chosen ones, else the nearest one with a file of the same kind. */
function withNeighbor(
  requestId: string,
  chosen: readonly JobRecord[],
  entries: readonly JobRecord[],
): readonly JobRecord[] {
  const hasFile = (entry: JobRecord) => entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  const index = entries.findIndex((entry) => entry.requestId === requestId);
  const job = entries[index];
  if (!job) return [];
  const others = chosen.filter((entry) => entry.requestId !== requestId && hasFile(entry));
  if (others.length > 0) return [job, ...others].slice(0, MAX_COMPARED);
  const isSameKind = (entry: JobRecord) => hasFile(entry) && entry.media[0]?.kind === job.media[0]?.kind;
  const next = entries.slice(index + 1).find(isSameKind) ?? entries.slice(0, index).findLast(isSameKind);
  return next ? [job, next] : [job];
}

interface ListMenuProps {
  /** Resolves to the files of all jobs that match the search and the filters. */
  wanted: WantedFiles;
  isFiltered: boolean;
  isEmpty: boolean;
  onRefresh: () => void;
}

/** What can be done with the whole list, in one menu and in the palette. */
function ListMenu({ wanted, isFiltered, isEmpty, onRefresh }: ListMenuProps) {
  const state = isEmpty ? { unavailable: "No files to download" } : {};
  const zip: Command = {
    ...historyCommands.zip,
    ...(isFiltered && { label: "Download matching jobs" }),
    icon: FileArchive,
    ...state,
    run: () => void startBulk(wanted),
  };
  const folder: Command = {
    ...historyCommands.folder,
    ...(isFiltered && { label: "Save matching jobs to folder" }),
    icon: FolderDown,
    ...state,
    run: () => void startBulk(wanted, "folder"),
  };
  const refresh: Command = {
    ...historyCommands.refresh,
    detail: "Loads new and changed jobs",
    icon: RefreshCw,
    run: onRefresh,
  };
  const commands = [zip, ...(canPickFolder() ? [folder] : []), refresh];
  useCommands(commands);
  return (
    <Menu
      label="Download and refresh"
      icon={Ellipsis}
      align="end"
      items={commands.map(({ label, icon, unavailable, run }) => ({
        label,
        icon,
        onSelect: unavailable === undefined ? run : () => undefined,
      }))}
    />
  );
}
