import { itemWord } from "#jobs/batch/batch-words.ts";
import type { ItemView } from "#jobs/batch/item-states.ts";
import { itemTone } from "#jobs/batch/item-states.ts";
import type { Price } from "#jobs/price/estimate-queries.ts";
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

/** Which filter shows a row. A row is in exactly one. Never throws. */
export function filterOf({ state }: ItemView, hasProblem: boolean, price: Price): RowFilter {
  switch (state.kind) {
    case "draft":
      if (hasProblem || price.state === "failed") return "attention";
      return price.state === "pricing" ? "pricing" : "ready";
    case "waiting":
      return "waiting";
    case "sending":
      return "running";
    case "unconfirmed":
    case "absent":
      return "unconfirmed";
    case "input-deleted":
    case "refused":
      return "failed";
    case "sent": {
      const tone = itemTone(state);
      if (tone === "queued") return "running";
      return tone === "success" ? "done" : tone === "failed" ? "failed" : "cancelled";
    }
  }
}

/** The word of a row's status and its dot. Never throws. */
export function rowWord(view: ItemView, filter: RowFilter): { word: string; tone: RowTone } {
  const { state } = view;
  if (state.kind === "draft") return { word: DRAFT_WORDS[filter] ?? "Ready", tone: FILTER_TONES[filter] };
  if (state.kind === "waiting") return { word: "Waiting", tone: "outline" };
  if (state.kind === "input-deleted") return { word: "Input deleted", tone: "failed" };
  if (state.kind === "refused") return { word: "Refused", tone: "failed" };
  return { word: itemWord(state), tone: itemTone(state) };
}

const DRAFT_WORDS: Partial<Record<RowFilter, string>> = {
  attention: "Needs attention",
  pricing: "Pricing",
  ready: "Ready",
};

/** Whether the price of a run is no charge in the end: refused, or refunded in full. Never throws. */
export function isNotCharged({ state, money }: ItemView): boolean {
  return state.kind === "refused" || (money !== undefined && money.refunded > 0 && money.refunded === money.charged);
}
