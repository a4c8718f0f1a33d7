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
  /** Of the list alone. */
  state?: LineState | undefined;
}
