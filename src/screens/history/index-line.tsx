import { explainError } from "#api/explain-error.ts";
import { formatDateTime } from "#lib/time.ts";
import type { WantedFiles } from "#media/download/bulk-run.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { BulkButtons } from "./bulk-download.tsx";
import type { IndexState } from "./search/job-index.ts";

interface IndexLineProps {
  state: IndexState;
  /** How many jobs the search found; undefined: no search. */
  found: number | undefined;
  onReadAll: () => void;
  onStop: () => void;
  onShowAll: () => void;
  onLeave: () => void;
  /** Every file that the search or the filters let through. */
  wanted: WantedFiles;
  isFiltered: boolean;
}

/** How far back the index reaches, with a button to read on. */
export function IndexLine({ state, found, onReadAll, onStop, onShowAll, onLeave, ...all }: IndexLineProps) {
  // An empty line while the index opens, so that the list below does not move.
  if (state.phase === "opening") return <div className="min-h-[43px] shrink-0 border-line border-b" />;
  const count = state.entries.length.toLocaleString("en-US");
  const problem = state.error ? explainError(state.error, "read") : undefined;
  return (
    <div className="flex min-h-[43px] shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-[18px] py-1 text-[12.5px] text-ink-3 tabular-nums max-sm:px-3 max-sm:py-2">
      <span role="status">
        {found !== undefined && <span className="text-ink">{found.toLocaleString("en-US")} found. </span>}
        {reachText(state, count)}
        {problem && ` Reading stopped: ${problem.title.toLowerCase()}.`}
      </span>
      <span className="flex gap-1.5">
        {state.phase === "reading" ? (
          <CommandButton
            size="sm"
            variant="ghost"
            command={{ id: "history.stop-reading", group: "Find", label: "Stop", run: onStop }}
          />
        ) : (
          <CommandButton
            size="sm"
            variant="ghost"
            command={{
              id: "history.read-all",
              group: "Find",
              label: state.isComplete ? "Read what is new" : problem ? "Read on" : "Read all",
              run: onReadAll,
            }}
          />
        )}
        {found === undefined ? (
          state.entries.length > 0 && (
            <CommandButton
              size="sm"
              variant="ghost"
              command={{ id: "history.show-all", group: "Find", label: "Show all indexed", run: onShowAll }}
            />
          )
        ) : (
          <CommandButton
            size="sm"
            variant="ghost"
            command={{ id: "history.service-list", group: "Find", label: "Back to the service's list", run: onLeave }}
          />
        )}
      </span>
      <span className="flex-1 max-sm:hidden" />
      {found !== 0 && (
        <span className="flex gap-1.5">
          <BulkButtons
            place="history"
            isShort
            variant="ghost"
            wanted={all.wanted}
            label={found === undefined && !all.isFiltered ? "Download everything" : "Download all that match"}
          />
        </span>
      )}
    </div>
  );
}

function reachText({ phase, entries, isComplete }: IndexState, count: string): string {
  if (phase === "reading") return `Reading, ${count} jobs indexed so far.`;
  if (entries.length === 0) return "None of your jobs is indexed in this browser yet.";
  if (isComplete) return entries.length === 1 ? "Your one job is indexed." : `All of your ${count} jobs are indexed.`;
  const oldest = entries.findLast((entry) => entry.createdAtSeconds !== undefined)?.createdAtSeconds;
  const back = oldest === undefined ? "" : `, with gaps, back to ${formatDateTime(oldest)}`;
  return `${count} of your jobs are indexed${back}.`;
}
