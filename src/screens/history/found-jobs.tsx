import { SearchX } from "lucide-react";
import { Button } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { HistoryBody, type HistoryBodyProps } from "./history-body.tsx";
import type { HistoryEntry } from "./history-entry.ts";
import { HistorySkeleton } from "./history-skeleton.tsx";
import type { IndexState } from "./local/job-index.ts";
import { usePlacedDays } from "./use-placed-days.ts";

interface FoundJobsProps extends Pick<HistoryBodyProps, "search" | "marks" | "nowMs" | "onChange"> {
  found: readonly HistoryEntry[];
  state: IndexState;
}

const NO_LIMITS = {};

/** What the index found, all of it in one list. */
export function FoundJobs({ found: listed, state, search, marks, nowMs, onChange }: FoundJobsProps) {
  // Each once for all searches, so of the whole index.
  const found = usePlacedDays(listed, {
    among: state.entries,
    filters: NO_LIMITS,
    nowMs,
    isWaiting: state.phase !== "ready",
  });
  if (state.phase === "opening") return <HistorySkeleton density={search.view ?? "grid"} />;
  if (found.length > 0)
    return <HistoryBody search={search} entries={found} marks={marks} nowMs={nowMs} onChange={onChange} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <EmptyState
        icon={SearchX}
        title="Nothing found in what is indexed"
        actions={<Button onClick={() => onChange({ q: undefined }, false)}>Clear the search</Button>}
      >
        {state.isComplete
          ? "All of your jobs were looked through."
          : "Only indexed jobs are looked through. Reading all of them may find more."}
        {/\bcost[:<>]/i.test(search.q ?? "") &&
          " A record tells no price, so only jobs that were run in this browser have one here."}
      </EmptyState>
    </div>
  );
}
