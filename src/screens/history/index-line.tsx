import { clsx } from "clsx";
import { explainError } from "#api/explain-error.ts";
import { formatDateTime } from "#lib/time.ts";
import type { WantedFiles } from "#media/download/bulk-run.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { BulkButtons } from "./bulk-download.tsx";
import type { IndexState } from "./search/job-index.ts";

interface IndexLineProps {
  state: IndexState;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
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

/** The room of the line from the beginning, so that the list below does not move: two lines of text, on a phone three. */
const ROOM =
  "min-h-[47px] pointer-coarse:min-h-[53px] pointer-coarse:sm:max-md:min-h-[101px] max-sm:min-h-[85px] pointer-coarse:max-sm:min-h-[103px]";

/** How far back the index reaches, with a button to read on. */
export function IndexLine({ state, total, found, onReadAll, onStop, onShowAll, onLeave, ...all }: IndexLineProps) {
  // An empty line while the index opens, so that the list below does not move.
  if (state.phase === "opening") return <div className={clsx(ROOM, "shrink-0 border-line border-b")} />;
  const problem = state.error ? explainError(state.error, "read") : undefined;
  return (
    <div
      className={clsx(
        ROOM,
        "flex shrink-0 flex-wrap content-center items-center gap-x-3 gap-y-1 border-line border-b px-[18px] py-1 text-[12.5px] text-ink-3 tabular-nums max-sm:px-3 max-sm:py-2",
      )}
    >
      {/* As wide whatever it says: the buttons stay where they are. */}
      <span role="status" className="min-w-0 flex-1 basis-[min(100%,26rem)] max-sm:min-h-[38px]">
        {found !== undefined && <span className="text-ink">{found.toLocaleString("en-US")} found. </span>}
        {reachText(state, total)}
        {problem && ` Loading stopped: ${problem.title.toLowerCase()}.`}
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
            title={LOADS}
            command={{
              id: "history.read-all",
              group: "Find",
              detail: LOADS,
              label: state.isComplete ? "Refresh" : problem ? "Continue loading" : "Load all jobs",
              run: onReadAll,
            }}
          />
        )}
        {found === undefined ? (
          state.entries.length > 0 && (
            <CommandButton
              size="sm"
              variant="ghost"
              title={LISTS}
              command={{
                id: "history.show-all",
                group: "Find",
                label: "Show as one list",
                detail: LISTS,
                run: onShowAll,
              }}
            />
          )
        ) : (
          <CommandButton
            size="sm"
            variant="ghost"
            command={{ id: "history.service-list", group: "Find", label: "Back to pages", run: onLeave }}
          />
        )}
      </span>
      {found !== 0 && (
        <span className="flex gap-1.5">
          <BulkButtons
            place="history"
            isShort
            variant="ghost"
            wanted={all.wanted}
            label={found === undefined && !all.isFiltered ? "Download everything" : "Download matching"}
          />
        </span>
      )}
    </div>
  );
}

const LOADS = "Reads every job of the service, for the search";
const LISTS = "Shows the loaded jobs without pages";

function reachText({ phase, entries, isComplete }: IndexState, total: number | undefined): string {
  const count = entries.length.toLocaleString("en-US");
  if (phase === "reading") return `Loading: ${count} jobs so far.`;
  if (entries.length === 0) return isComplete ? "There are no jobs to search yet." : "Load all jobs to search them.";
  if (isComplete) return entries.length === 1 ? "Search covers your only job." : `Search covers all ${count} jobs.`;
  if (total !== undefined && total > entries.length)
    return `Search covers ${count} of ${total.toLocaleString("en-US")} jobs.`;
  const oldest = entries.findLast((entry) => entry.createdAtSeconds !== undefined)?.createdAtSeconds;
  const back = oldest === undefined ? "" : `, back to ${formatDateTime(oldest)}. Some in between may be missing`;
  return `Search covers ${count} of your jobs${back}.`;
}
