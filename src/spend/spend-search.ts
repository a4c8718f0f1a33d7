import { asAddressText, asOneOf, asRecord } from "#lib/read.ts";
import { LINE_STATES, type LineState, SPEND_RANGES, type SpendRange } from "./spend-filter.ts";

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
