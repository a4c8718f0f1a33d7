import { ListChecks, Star, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { allowArchiveFolder, archiveFolder, useArchiveFolder } from "#media/download/archive-folder.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import { useArchive } from "#results/archive/archive-store.ts";
import { resultCommands } from "#results/commands.ts";
import type { Marks } from "#results/marks/use-marks.ts";
import { jobStrip, type Strip } from "#results/viewer/strip.ts";
import { useListWhileViewed } from "#results/viewer/use-list-while-viewed.ts";
import { Viewer } from "#results/viewer/viewer.tsx";
import { SHARED_BALANCE } from "#runs/ledger/spend-limits.ts";
import { type JobRecord, mergeRecords } from "#storage/job-records.ts";
import { Button } from "#ui/button.tsx";
import { commandsFor, useCommands } from "#ui/commands.ts";
import { type GridCursor, movedTo, NO_CURSOR, useActiveOrNeighbor, withSelected } from "#ui/grid-cursor.ts";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import { ActionBar } from "./action-bar.tsx";
import { historyCommands } from "./commands.ts";
import { compareText, useKnownJobs, withNeighbour } from "./compare-overlay.tsx";
import { NO_FILTERS, type SearchChange } from "./filter-bar.tsx";
import { withTerm } from "./filters/search-terms.ts";
import { HistoryList } from "./history-list.tsx";
import { type HistorySearch, listKey, readViewedFile, viewedFileText } from "./history-search.ts";
import { useJobActs } from "./job-acts.tsx";
import { useKnownJob } from "./job-index/use-job-index.ts";
import { ExpiryBanner } from "./list/expiry-banner.tsx";
import { arrangeJobs } from "./list-layout.ts";

interface HistoryBodyProps {
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
  /** In place of a list without jobs; nothing where it could not be read. */
  empty: ReactNode;
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
  empty,
  children,
}: HistoryBodyProps) {
  const stored = useCursor();
  const ids = useMemo(() => entries.map(({ requestId }) => requestId), [entries]);
  const active = useActiveOrNeighbor(stored.active, ids);
  // The same object while nothing in it changes: lines that stay in sight are not rendered again by scrolling.
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

  // As in the contact sheet: with what is selected, else with the one that has the focus.
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
      ...(entries.length === 0 ? { unavailable: "The list is empty" } : {}),
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
        <div ref={emptyList} className="min-h-0 flex-1 overflow-y-auto px-[18px] max-sm:px-3">
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
            <p className="m-0 pb-4 text-[12px] text-ink-3">{SHARED_BALANCE}</p>
          )}
          {chosen.length > 0 && <div className="h-20" />}
          {isArchiveWaiting && <div className="h-36" />}
        </HistoryList>
      )}
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
      {viewed && (
        <Viewer
          strip={strip}
          knownJobs={knownJobs}
          viewed={viewed}
          onView={(next) => onChange({ open: viewedFileText(next) }, true)}
          onClose={close}
          onCompare={(requestId, withJobs) => {
            const jobs = withJobs ?? withNeighbour(requestId, chosen, viewedJobs);
            if (jobs.length > 1) onChange({ open: undefined, compare: compareText(jobs) }, true);
            else toast({ title: "Nothing to compare", body: "The list has no other file of this type." });
          }}
          // Where the list has become empty meanwhile: to what can be done about it.
          focusAfter={() => emptyList.current?.querySelector<HTMLElement>("a, button") ?? undefined}
        />
      )}
    </>
  );
}

const NO_JOBS: readonly JobRecord[] = [];

/** The strip of the viewer. Jobs that are not listed any more are shown as they are known now. */
function useJobStrip(jobs: readonly JobRecord[], listed: readonly JobRecord[]): Strip {
  const knownJob = useKnownJob();
  return useMemo(() => {
    if (jobs === listed) return jobStrip(jobs);
    const now = new Map(listed.map((job) => [job.requestId, job]));
    const latest = (job: JobRecord): JobRecord => {
      const known = knownJob(job.requestId);
      // Its day is that of the list.
      return known ? { ...mergeRecords(job, known), createdAtSeconds: job.createdAtSeconds } : job;
    };
    return jobStrip(jobs.map((job) => now.get(job.requestId) ?? latest(job)));
  }, [jobs, listed, knownJob]);
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

/** Whether the browser wants a press before the page may write into the folder again. */
function useIsArchiveWaiting(): boolean {
  const { isOn } = useArchive();
  const { phase, folder } = useArchiveFolder();
  useEffect(() => {
    if (isOn) void archiveFolder();
  }, [isOn]);
  return isOn && phase === "asking" && folder !== undefined;
}

/** After a restart a browser may want a press before it lets the page write into the folder again: asks for it. */
export function ArchiveWaiting({ className }: { className?: string }) {
  const { folder } = useArchiveFolder();
  if (!useIsArchiveWaiting() || !folder) return null;
  return (
    <Notice
      tone="info"
      title="Finished jobs are waiting to be saved"
      className={className}
      actions={
        <Button size="sm" onClick={() => void allowArchiveFolder()}>
          Allow access
        </Button>
      }
    >
      The browser asks for your permission to write to {folder.name} again. Nothing is lost: the service keeps the files
      for 60 days.
    </Notice>
  );
}
