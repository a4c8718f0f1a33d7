import { explainError } from "#api/explain-error.ts";
import { type IndexState, MAX_INDEXED } from "./job-index/job-index.ts";
import type { IndexReading } from "./job-index/use-job-index.ts";

interface IndexLineProps {
  state: IndexState;
  reading: IndexReading;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
}

/** How far the search reaches, as long as the index is being filled. It takes no room of its own. */
export function IndexLine({ state, reading, total }: IndexLineProps) {
  const text = lineText(state, reading, total);
  if (text === undefined) return null;
  return <span className="text-[12.5px] text-ink-3 tabular-nums">{text}</span>;
}

function lineText(
  { isOpen, entries, lacksOlder }: IndexState,
  { isReading, error }: IndexReading,
  total: number | undefined,
): string | undefined {
  if (!isOpen || (!lacksOlder && error === undefined)) return undefined;
  const count = entries.length;
  const all = total !== undefined && total > count ? Math.min(total, MAX_INDEXED) : undefined;
  const most = total !== undefined && total > MAX_INDEXED ? "the newest " : "";
  const jobs =
    count === 1 && all === undefined ? "1 job" : `${number(count)}${all ? ` of ${most}${number(all)}` : ""} jobs`;
  if (error === undefined) return isReading ? `Searching ${jobs}…` : `Searching ${jobs}`;
  const reason = explainError(error, "read").title.toLowerCase();
  return isReading ? `Searching ${jobs}. The rest has to wait: ${reason}` : `Searching ${jobs}: ${reason}`;
}

const number = (value: number) => value.toLocaleString("en-US");
