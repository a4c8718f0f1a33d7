import { History } from "lucide-react";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { formatDateTime } from "#lib/time.ts";
import { CommandButton } from "#ui/command-button.tsx";
import { historyCommands } from "./commands.ts";
import type { OlderJobs } from "./use-older-jobs.ts";

interface OlderJobsEndProps {
  older: OlderJobs;
  /** How many jobs the list shows. */
  shown: number;
  /** The list goes on by itself as it is scrolled. Otherwise a press searches the older jobs. */
  isAutomatic: boolean;
  /** Back to when everything was searched; undefined where that is not known. */
  searchedSeconds: number | undefined;
}

/** The end of the list: older jobs are on their way, can be searched, or there are none. */
export function OlderJobsEnd({ older, shown, isAutomatic, searchedSeconds }: OlderJobsEndProps) {
  if (older.error) {
    return <ErrorNotice error={older.error} operation="read" onRetry={older.readMore} className="my-3" />;
  }
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-3 py-3 text-[12.5px] text-ink-3 tabular-nums">
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
  const jobs = shown === 1 ? "1 job" : `${shown.toLocaleString("en-US")} jobs`;
  if (!older.hasMore) return jobs;
  if (isAutomatic) return "Loading older jobs…";
  return searchedSeconds === undefined
    ? `${jobs} found. Older jobs were not searched.`
    : `${jobs} found, back to ${formatDateTime(searchedSeconds)}.`;
}
