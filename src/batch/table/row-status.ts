import type { ItemView } from "#batch/runner/item-states.ts";
import { phaseOf } from "#batch/runner/item-states.ts";
import type { Price } from "#runs/prices/estimate-queries.ts";
import { runWords } from "#runs/status-words.ts";
import type { StatusTone } from "#ui/indicators.tsx";

/** What the table can be filtered by, in the order of the line above it. */
export const ROW_FILTERS = [
  { name: "ready", label: "Ready" },
  { name: "pricing", label: "Pricing" },
  { name: "attention", label: "Needs attention" },
  { name: "waiting", label: "Waiting" },
  { name: "running", label: "Running" },
  { name: "unconfirmed", label: "Unconfirmed" },
  { name: "done", label: "Done" },
  { name: "failed", label: "Failed" },
  { name: "cancelled", label: "Cancelled" },
] as const;
export type RowFilter = (typeof ROW_FILTERS)[number]["name"];

const FILTER_WORDS = Object.fromEntries(ROW_FILTERS.map(({ name, label }) => [name, label])) as Record<
  RowFilter,
  string
>;

/** Of the dot before a filter or a status: a tone, or an outline for what was not submitted. */
export type RowTone = StatusTone | "outline";

export const FILTER_TONES: Record<RowFilter, RowTone> = {
  ready: "outline",
  pricing: "outline",
  attention: "unconfirmed",
  waiting: "outline",
  running: "queued",
  unconfirmed: "unconfirmed",
  done: "success",
  failed: "failed",
  cancelled: "cancelled",
};

/** Which filter shows a row. A row is in exactly one. */
export function filterOf({ state }: ItemView, hasProblem: boolean, price: Price): RowFilter {
  const phase = phaseOf(state);
  if (phase !== "draft") return phase;
  if (hasProblem || price.state === "failed") return "attention";
  return price.state === "pricing" ? "pricing" : "ready";
}

/** The word of a row's status and its dot. */
export function rowWord({ state }: ItemView, filter: RowFilter): { word: string; tone: RowTone } {
  if (state.kind === "draft") return { word: FILTER_WORDS[filter], tone: FILTER_TONES[filter] };
  const words = runWords(state);
  return state.kind === "waiting" ? { ...words, tone: "outline" } : words;
}
