import type { Cap, SpendLimits } from "#runs/rules/limits.ts";

export type LimitName = Exclude<keyof SpendLimits, "dayFromSession">;

/** The limits that a person sets, in the order in which they are listed. */
export const LIMIT_LABELS: Record<LimitName, string> = {
  confirmAboveMicroUsd: "Confirm runs above",
  perRunMicroUsd: "Limit per run",
  perDayMicroUsd: "Limit per day",
};
export const LIMIT_NAMES = Object.keys(LIMIT_LABELS) as LimitName[];

/** What the limits are called, after "your". */
export const CAP_WORDS: Record<Cap, string> = {
  run: "limit per run",
  day: "limit per day",
  project: "limit of this project",
};

/** Said once on each screen that shows money (spec 4.1 rule 1): what is shown is not all that is spent. */
export const SHARED_BALANCE = "Other users of your organization share this balance.";
