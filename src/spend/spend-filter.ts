import { asAddressText, asOneOf, asRecord } from "#lib/read.ts";

// In a file of its own, because the address of Spend is read before its calculations are loaded.
export const SPEND_RANGES = ["7", "30", "month", "all"] as const;
export type SpendRange = (typeof SPEND_RANGES)[number];

/** Which lines the ledger list shows. */
export const LINE_STATES = ["charged", "refunded", "pending", "unknown", "estimated", "not-charged"] as const;
export type LineState = (typeof LINE_STATES)[number];

export interface SpendFilter {
  range: SpendRange;
  /** Undefined: all models. The empty text: lines without a model. */
  model?: string | undefined;
  /** Undefined: all projects. The empty text: no project. */
  project?: string | undefined;
  /** Filters the list alone. */
  state?: LineState | undefined;
}

/** The address of Spend: the range and the filters, each left out where it is the usual one. */
export interface SpendSearch {
  range?: SpendRange | undefined;
  /** `NONE`: lines without a model, or without a project. */
  model?: string | undefined;
  project?: string | undefined;
  state?: LineState | undefined;
}

export const USUAL_RANGE = "30";
export const NONE = "none";

/** The search part of `/spend`, validated: what is not understood is undefined. */
export function readSpendSearch(raw: unknown): SpendSearch {
  const { range, model, project, state } = asRecord(raw);
  const known = asOneOf(asAddressText(range), SPEND_RANGES);
  return {
    range: known === USUAL_RANGE ? undefined : known,
    model: asAddressText(model)?.slice(0, 300),
    project: asAddressText(project)?.slice(0, 300),
    state: asOneOf(state, LINE_STATES),
  };
}
