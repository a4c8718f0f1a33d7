// What is shown above, below and in place of the jobs of History: loading, empty, the end of the list, the state of the index.

import { Link } from "@tanstack/react-router";
import { History, Images, SearchX } from "lucide-react";
import { explainError } from "#api/explain-error.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { counted, formatNumber } from "#lib/numbers.ts";
import { formatDateTime } from "#lib/time.ts";
import { Button, buttonClass } from "#ui/button.tsx";
import { CommandButton } from "#ui/command-button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { historyCommands } from "./commands.ts";
import { type IndexReading, type IndexState, MAX_INDEXED } from "./job-index/job-index.ts";
import type { OlderJobs } from "./use-listing.ts";

interface HistoryEmptyProps {
  isFiltered: boolean;
  /** Which jobs the search covered, in a sentence. */
  coverage: string;
  onClear: () => void;
}

/** Shows why a list is empty: nothing was ever made, or nothing matches. */
function HistoryEmpty({ isFiltered, coverage, onClear }: HistoryEmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState icon={SearchX} title="No matching jobs" actions={<Button onClick={onClear}>Clear filters</Button>}>
        {coverage}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Images}
      title="No jobs yet"
      actions={
        <Link to="/create" className={buttonClass({ variant: "primary" })}>
          Go to Create
        </Link>
      }
    >
      All jobs of this API key appear here.
    </EmptyState>
  );
}

/** Widths over heights of tiles that stand for jobs while they load. */
const SHAPES = [1.6, 1, 1.78, 0.8, 1.4, 1.78, 1, 1.33, 0.75, 1.6, 1.2, 1];
const TILES = SHAPES.map((aspect, index) => ({ aspect, id: `tile-${index}` }));

/** Empty tiles or lines while the first page loads. */
export function HistorySkeleton({ density }: { density: "grid" | "table" }) {
  return (
    <div
      aria-busy="true"
      className="min-h-0 flex-1 overflow-hidden short:h-dvh short:flex-none px-4.5 pt-10 max-sm:px-3"
    >
      <span className="sr-only">Loading jobs</span>
      {density === "grid" ? (
        <div className="flex flex-wrap gap-x-3.5 gap-y-11">
          {TILES.map(({ aspect, id }) => (
            <Skeleton
              key={id}
              className="h-37.5 max-w-full grow rounded-md sm:h-52.5"
              style={{ flexBasis: aspect * 190 }}
            />
          ))}
        </div>
      ) : (
        <div className="grid gap-3">
          {TILES.map(({ aspect, id }) => (
            <Skeleton key={id} className="h-8" style={{ width: `${60 + aspect * 20}%` }} />
          ))}
        </div>
      )}
    </div>
  );
}

interface OlderJobsEndProps {
  older: OlderJobs;
  /** How many jobs the list shows. */
  shown: number;
  /** Older jobs load by themselves as the list is scrolled. Otherwise a button searches them. */
  isAutomatic: boolean;
  /** Every job since this Unix second was searched; undefined where that is not known. */
  searchedSeconds: number | undefined;
}

/** The end of the list: older jobs are on their way, can be searched, or do not exist. */
export function OlderJobsEnd({ older, shown, isAutomatic, searchedSeconds }: OlderJobsEndProps) {
  if (older.error) {
    return <ErrorNotice error={older.error} operation="read" onRetry={older.readMore} className="my-3" />;
  }
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-3 py-3 text-sm text-ink-3 tabular-nums">
      <span role="status">{endText({ older, shown, isAutomatic, searchedSeconds })}</span>
      {older.hasMore && !isAutomatic && (
        <CommandButton
          size="sm"
          busy={older.isReading}
          command={{ ...historyCommands.searchOlder, icon: History, run: older.readMore }}
        />
      )}
    </div>
  );
}

function endText({ older, shown, isAutomatic, searchedSeconds }: OlderJobsEndProps): string {
  const jobs = counted(shown, "job");
  if (!older.hasMore) return jobs;
  if (isAutomatic) return "Loading older jobs…";
  return searchedSeconds === undefined
    ? `${jobs} found. Older jobs aren’t searched yet.`
    : `${jobs} found, back to ${formatDateTime(searchedSeconds)}`;
}

interface IndexLineProps {
  state: IndexState;
  reading: IndexReading;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
}

/** How many jobs the search covers, while the index is being filled or when that failed. */
export function IndexLine({ state, reading, total }: IndexLineProps) {
  const text = lineText(state, reading, total);
  if (text === undefined) return null;
  return <span className="text-sm text-ink-3 tabular-nums">{text}</span>;
}

function lineText(
  { isOpen, entries, lacksOlder }: IndexState,
  { isReading, error }: IndexReading,
  total: number | undefined,
): string | undefined {
  if (!isOpen || (!lacksOlder && error === undefined)) return undefined;
  const count = entries.length;
  const all = total !== undefined && total > count ? Math.min(total, MAX_INDEXED) : undefined;
  const latest = total !== undefined && total > MAX_INDEXED ? "the latest " : "";
  const jobs = all === undefined ? counted(count, "job") : `${formatNumber(count)} of ${latest}${counted(all, "job")}`;
  const covered = `Search covers ${jobs}`;
  if (error === undefined) return isReading ? `${covered}…` : covered;
  // A title begins with a capital; "API key rejected" keeps it.
  const reason = explainError(error, "read").title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  return `${covered}. ${isReading ? "Paused" : "Stopped"}: ${reason}`;
}

interface NoJobsProps {
  isFiltered: boolean;
  state: IndexState;
  isReading: boolean;
  older: OlderJobs;
  isExact: boolean;
  onClear: () => void;
}

/** Why the list is empty, and a way to search older jobs where there are any. */
export function NoJobs({ isFiltered, state, isReading, older, isExact, onClear }: NoJobsProps) {
  const canSearchOlder = older.hasMore && !isExact;
  return (
    <>
      <HistoryEmpty
        isFiltered={isFiltered}
        coverage={coverageText(state, isReading, canSearchOlder)}
        onClear={onClear}
      />
      {canSearchOlder && (
        <OlderJobsEnd older={older} shown={0} isAutomatic={false} searchedSeconds={searchedSeconds(state)} />
      )}
    </>
  );
}

function coverageText(state: IndexState, isReading: boolean, canSearchOlder: boolean): string {
  if (isReading) return `Search covers ${counted(state.entries.length, "job")} so far. Still loading older jobs.`;
  return canSearchOlder ? "Older jobs aren’t searched yet." : "All your jobs were searched.";
}

/** The Unix second since which the index has every job, else that of its oldest job; undefined where no time is known. */
export function searchedSeconds({ reachSeconds, entries }: IndexState): number | undefined {
  if (Number.isFinite(reachSeconds) && reachSeconds > 0) return reachSeconds;
  return entries.findLast((entry) => entry.createdAtSeconds !== undefined)?.createdAtSeconds;
}
