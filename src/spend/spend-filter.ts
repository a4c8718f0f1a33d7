import { asAddressText, asOneOf, asRecord } from "#lib/read.ts";

// The filters of Spend in its address. The file is apart, because the address is read before the calculations are loaded.
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
  /** Filters the list of lines, and not the sums. */
  state?: LineState | undefined;
}

/** The address of Spend: the range and the filters, each left out where it has its default. */
export interface SpendSearch {
  range?: SpendRange | undefined;
  /** `NONE_WORD`: lines without a model, or without a project. */
  model?: string | undefined;
  project?: string | undefined;
  state?: LineState | undefined;
}

export const DEFAULT_RANGE = "30";
/** Stands for the empty text in the address, which cannot have an empty value. */
export const NONE_WORD = "none";

/** An address may have any length. */
const MAX_ID_CHARS = 300;

/** Reads the search part of `/spend` as untrusted data: what is not understood is undefined. */
export function readSpendSearch(raw: unknown): SpendSearch {
  const { range, model, project, state } = asRecord(raw);
  const known = asOneOf(asAddressText(range), SPEND_RANGES);
  return {
    range: known === DEFAULT_RANGE ? undefined : known,
    model: asAddressText(model)?.slice(0, MAX_ID_CHARS),
    project: asAddressText(project)?.slice(0, MAX_ID_CHARS),
    state: asOneOf(state, LINE_STATES),
  };
}
