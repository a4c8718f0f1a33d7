import { explainError } from "#api/explain-error.ts";
import type { IndexState } from "./search/job-index.ts";
import { MOST_INDEXED } from "./search/job-index.ts";

interface IndexLineProps {
  state: IndexState;
  /** How many jobs the service lists without a filter, where it says so. */
  total: number | undefined;
}

/** How far the search reaches, as long as the index is being filled. It takes no room of its own. */
export function IndexLine({ state, total }: IndexLineProps) {
  const text = lineText(state, total);
  if (text === undefined) return null;
  return <span className="text-[12.5px] text-ink-3 tabular-nums">{text}</span>;
}

function lineText({ phase, entries, lacksOlder, error }: IndexState, total: number | undefined): string | undefined {
  if (phase === "opening" || (!lacksOlder && error === undefined)) return undefined;
  const count = entries.length;
  const all = total !== undefined && total > count ? Math.min(total, MOST_INDEXED) : undefined;
  const most = total !== undefined && total > MOST_INDEXED ? "the newest " : "";
  const jobs =
    count === 1 && all === undefined ? "1 job" : `${number(count)}${all ? ` of ${most}${number(all)}` : ""} jobs`;
  if (error === undefined) return phase === "reading" ? `Searching ${jobs}…` : `Searching ${jobs}`;
  const reason = explainError(error, "read").title.toLowerCase();
  return phase === "reading" ? `Searching ${jobs}. The rest has to wait: ${reason}` : `Searching ${jobs}: ${reason}`;
}

const number = (value: number) => value.toLocaleString("en-US");
