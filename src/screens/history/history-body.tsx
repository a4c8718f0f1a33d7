import { ListChecks } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ArchiveWaiting, useIsArchiveWaiting } from "#jobs/archive/archive-waiting.tsx";
import { SHARED_BALANCE } from "#jobs/ledger/ledger-words.ts";
import type { Marks } from "#jobs/marks/use-marks.ts";
import { useTrackedJobs } from "#jobs/use-tracked-jobs.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import { BulkPanel } from "#media/download/bulk-panel.tsx";
import { useCommands } from "#ui/command-store.ts";
import { toast } from "#ui/toast.tsx";
import { ActionBar, MOST_COMPARED } from "./action-bar.tsx";
import { Compare } from "./compare/compare.tsx";
import type { SearchChange } from "./filter-bar.tsx";
import { type HistoryEntry, toEntry } from "./history-entry.ts";
import { HistoryList } from "./history-list.tsx";
import { type HistorySearch, listKey } from "./history-search.ts";
import { useCursor } from "./list-cursor.ts";
import { Viewer } from "./viewer/viewer.tsx";
import { placeText, readPlace } from "./viewer/viewer-place.ts";

export interface HistoryBodyProps {
  search: HistorySearch;
  entries: readonly HistoryEntry[];
  isStale?: boolean;
  marks: Marks;
  nowMs: number;
  onChange: (change: SearchChange, replace?: boolean) => void;
  /** Hears which jobs are in view. */
  onInView?: ((entries: readonly HistoryEntry[]) => void) | undefined;
  /** Below the last job. */
  children?: ReactNode;
}

/** The list, the bar of actions that floats over it, the comparison and the viewer. */
export function HistoryBody({
  search,
  entries,
  isStale = false,
  marks,
  nowMs,
  onChange,
  onInView,
  children,
}: HistoryBodyProps) {
  const [cursor, setCursor] = useCursor();
  const chosen = cursor.selected.size > 0 ? entries.filter((entry) => cursor.selected.has(entry.requestId)) : [];
  const place = search.open === undefined ? undefined : readPlace(search.open);

  const isArchiveWaiting = useIsArchiveWaiting();
  const shownKey = useShownKey(search, isStale);

  const compared = useCompared(search.compare?.split(",").slice(0, MOST_COMPARED) ?? [], entries);

  useCommands([
    {
      id: "history.select-all",
      label: "Select all jobs in the list",
      group: "Selected jobs",
      icon: ListChecks,
      ...(entries.length === 0 ? { unavailable: "The list is empty" } : {}),
      run: () => setCursor({ ...cursor, selected: new Set(entries.map(({ requestId }) => requestId)) }),
    },
  ]);
  function open(index: number) {
    const entry = entries[index];
    if (entry) onChange({ open: entry.requestId });
  }
  function close() {
    const index = entries.findIndex((entry) => entry.requestId === place?.requestId);
    if (index >= 0) setCursor({ ...cursor, active: index, anchor: index });
    onChange({ open: undefined }, true);
  }

  return (
    <>
      <HistoryList
        key={shownKey}
        entries={entries}
        density={search.view ?? "grid"}
        cursor={cursor}
        onCursorChange={setCursor}
        onOpen={open}
        marks={marks.marks}
        nowMs={nowMs}
        placeKey={shownKey}
        isStale={isStale}
        onInView={onInView}
      >
        {children}
        {entries.some(({ priceMicroUsd }) => priceMicroUsd !== undefined) && (
          <p className="m-0 pb-4 text-[12px] text-ink-3">{SHARED_BALANCE}</p>
        )}
        {chosen.length > 0 && <div className="h-20" />}
        {isArchiveWaiting && <div className="h-36" />}
      </HistoryList>
      <div className="pointer-events-none absolute inset-x-3 bottom-4 z-20 flex flex-col items-center gap-2 *:pointer-events-auto">
        <ArchiveWaiting className="w-full max-w-[560px] shadow-float" />
        <BulkPanel />
        {chosen.length > 0 && (
          <ActionBar
            chosen={chosen}
            marks={marks}
            onCompare={() => onChange({ compare: chosen.map((entry) => entry.requestId).join(",") })}
            onClear={() => setCursor({ ...cursor, selected: new Set() })}
          />
        )}
      </div>
      {compared.length >= 2 && <Compare entries={compared} onClose={() => onChange({ compare: undefined }, true)} />}
      {place && (
        <Viewer
          entries={entries}
          place={place}
          onPlace={(next) => onChange({ open: placeText(next) }, true)}
          onClose={close}
          onCompare={(requestId) => {
            const compare = withNeighbour(requestId, chosen, entries);
            if (compare) onChange({ open: undefined, compare }, true);
            else toast({ title: "Nothing to compare", body: "The list has no other file of this type." });
          }}
          marks={marks}
          nowMs={nowMs}
        />
      )}
    </>
  );
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

// Compare, pressed in the viewer: with the chosen jobs, else with the next job that has a file of that kind.
function withNeighbour(
  requestId: string,
  chosen: readonly HistoryEntry[],
  entries: readonly HistoryEntry[],
): string | undefined {
  const isThere = (entry: HistoryEntry) => entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  const others = chosen.filter((entry) => entry.requestId !== requestId && isThere(entry));
  if (others.length > 0)
    return [requestId, ...others.map((entry) => entry.requestId)].slice(0, MOST_COMPARED).join(",");
  const index = entries.findIndex((entry) => entry.requestId === requestId);
  const kind = entries[index]?.media[0]?.kind;
  const isLike = (entry: HistoryEntry) => isThere(entry) && entry.media[0]?.kind === kind;
  const next = entries.slice(index + 1).find(isLike) ?? entries.slice(0, Math.max(0, index)).findLast(isLike);
  return next ? `${requestId},${next.requestId}` : undefined;
}

/**
 * The jobs of these ids that have a file to compare: as the list has them, else as this browser knows them, for a
 * comparison may come from Create while the list shows another page.
 */
function useCompared(ids: readonly string[], entries: readonly HistoryEntry[]): HistoryEntry[] {
  const tracked = useTrackedJobs();
  return ids
    .flatMap((id) => {
      const listed = entries.find(({ requestId }) => requestId === id);
      if (listed) return listed;
      const ours = tracked.find(({ requestId }) => requestId === id);
      return ours?.job ? toEntry({ ...ours.job, payload: ours.job.payload ?? ours.payload }, ours.priceMicroUsd) : [];
    })
    .filter(({ media }) => media.length > 0);
}
