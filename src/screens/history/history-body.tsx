import { ListChecks, Star, Trash2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { create } from "zustand";
import { ArchiveWaiting, useIsArchiveWaiting } from "#jobs/archive/archive-waiting.tsx";
import { resultCommands } from "#jobs/commands.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { jobPlaces } from "#jobs/viewer/strip-places.ts";
import { useLastWith, Viewer } from "#jobs/viewer/viewer.tsx";
import { SHARED_BALANCE } from "#ledger/limit-words.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { commandsFor, useCommands } from "#ui/command-store.ts";
import { type GridCursor, movedTo, NO_CURSOR, useActiveOrNeighbor, withSelected } from "#ui/grid-cursor.ts";
import { toast } from "#ui/toast-store.ts";
import { ActionBar } from "./action-bar.tsx";
import { historyCommands } from "./commands.ts";
import { compareText, useComparePool, withNeighbour } from "./compared-jobs.ts";
import { NO_FILTERS, type SearchChange } from "./filter-bar.tsx";
import { withTerm } from "./filters/search-terms.ts";
import { HistoryList } from "./history-list.tsx";
import { type HistorySearch, listKey, placeText, readPlace } from "./history-search.ts";
import { useJobActs } from "./job-acts.tsx";
import { arrangeJobs } from "./list/arrange-jobs.ts";
import { ExpiryBanner } from "./list/expiry-banner.tsx";

export interface HistoryBodyProps {
  search: HistorySearch;
  entries: readonly JobRecord[];
  isStale?: boolean;
  marks: Marks;
  nowMs: number;
  onChange: (change: SearchChange, replace?: boolean) => void;
  /** Hears which jobs are in view. */
  onInView?: ((entries: readonly JobRecord[]) => void) | undefined;
  /** On the right of the first heading. */
  note?: ReactNode;
  /** Below the last job. */
  children?: ReactNode;
}

/** The keyboard's place and the selection. They stay while other screens are open. */
const useCursor = create<GridCursor>(() => NO_CURSOR);

/** Clears place and selection: for another list or another connection. */
export const resetCursor = () => useCursor.setState(NO_CURSOR, true);

/** The list, the bar of actions that floats over it, and the viewer. */
export function HistoryBody({
  search,
  entries,
  isStale = false,
  marks,
  nowMs,
  onChange,
  onInView,
  note,
  children,
}: HistoryBodyProps) {
  const stored = useCursor();
  const ids = useMemo(() => entries.map(({ requestId }) => requestId), [entries]);
  const active = useActiveOrNeighbor(stored.active, ids);
  // The same object while nothing in it changes: lines that stay in sight are not rendered again by scrolling.
  const cursor = useMemo(() => (active === stored.active ? stored : { ...stored, active }), [stored, active]);
  const setCursor = (next: GridCursor) => useCursor.setState(next, true);
  const chosen = cursor.selected.size > 0 ? entries.filter((entry) => cursor.selected.has(entry.requestId)) : [];
  const place = search.open === undefined ? undefined : readPlace(search.open);

  // One goes on from file to file in the order of the screen.
  const density = search.view ?? "grid";
  const isViewing = place !== undefined;
  const listed = useMemo(
    () => (isViewing ? arrangeJobs(entries, { density, nowMs, tiles: new Set() }).entries : NO_JOBS),
    [isViewing, entries, density, nowMs],
  );
  const viewed = useCurrent(
    useLastWith(listed, ({ requestId }) => requestId === place?.id),
    listed,
  );
  const places = useMemo(() => jobPlaces(viewed), [viewed]);
  const isArchiveWaiting = useIsArchiveWaiting();
  const shownKey = useShownKey(search, isStale);

  const pool = useComparePool(entries);

  // As in the contact sheet: with what is selected, else with the one that has the focus.
  const [hasFocus, setHasFocus] = useState(false);
  const focused = hasFocus ? entries.find(({ requestId }) => requestId === cursor.active) : undefined;
  const jobActs = useJobActs({
    jobs: chosen.length > 0 ? chosen : focused ? [focused] : [],
    marks,
    pool,
    onCompare: (jobs) => onChange({ compare: compareText(jobs) }),
    onDeleted: () => setCursor(withSelected(cursor, new Set())),
  });

  useCommands([
    ...commandsFor(resultCommands, jobActs.acts, { star: Star, delete: Trash2 }),
    {
      ...historyCommands.selectAll,
      icon: ListChecks,
      ...(entries.length === 0 ? { unavailable: "The list is empty" } : {}),
      run: () => setCursor(withSelected(cursor, new Set(ids))),
    },
  ]);
  function close() {
    if (place && ids.includes(place.id)) setCursor(movedTo(cursor, place.id));
    onChange({ open: undefined }, true);
  }

  return (
    <>
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
          <p className="m-0 pb-4 text-[12px] text-ink-3">{SHARED_BALANCE}</p>
        )}
        {chosen.length > 0 && <div className="h-20" />}
        {isArchiveWaiting && <div className="h-36" />}
      </HistoryList>
      {/* As high as the list, and the download lowest: it stands still when the bar comes and goes. */}
      <div className="pointer-events-none absolute inset-x-3 top-0 bottom-4 z-20 flex flex-col items-center justify-end gap-2 *:pointer-events-auto">
        <ArchiveWaiting className="w-full max-w-[560px] shadow-float" />
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
      {place && (
        <Viewer
          places={places}
          pool={pool}
          place={place}
          onPlace={(next) => onChange({ open: placeText(next) }, true)}
          onClose={close}
          onCompare={(requestId, withJobs) => {
            const jobs = withJobs ?? withNeighbour(requestId, chosen, viewed);
            if (jobs.length > 1) onChange({ open: undefined, compare: compareText(jobs) }, true);
            else toast({ title: "Nothing to compare", body: "The list has no other file of this type." });
          }}
        />
      )}
    </>
  );
}

const NO_JOBS: readonly JobRecord[] = [];

/** Jobs of which some are not listed any more, as this browser knows them now. */
function useCurrent(jobs: readonly JobRecord[], listed: readonly JobRecord[]): readonly JobRecord[] {
  const tracked = useTrackedJobs();
  return useMemo(() => {
    if (jobs === listed) return jobs;
    const known = new Map([...tracked, ...listed].map((job) => [job.requestId, job]));
    return jobs.map((job) => known.get(job.requestId) ?? job);
  }, [jobs, listed, tracked]);
}

/**
 * Which list is on the screen. While the next page is on its way it is still the one before; the next one is a list of its
 * own, so that no job seems to move to where another one stood.
 */
function useShownKey(search: HistorySearch, isStale: boolean): string {
  const asked = listKey(search);
  const [shown, setShown] = useState(asked);
  if (!isStale && shown !== asked) setShown(asked);
  return isStale ? shown : asked;
}
