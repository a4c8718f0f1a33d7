// Said where money is about to be spent. Apart from `ledger-words.ts`, which is needed where the ledger is listed.
import type { Cap } from "./spend-limits.ts";

/** What the limits are called, after "your". */
export const CAP_WORDS: Record<Cap, string> = {
  run: "limit per run",
  session: "limit per session",
  day: "limit per day",
  project: "limit of this project",
};

/** Said once on each screen that shows money (spec 4.1 rule 1): what is shown is not all that is spent. */
export const SHARED_BALANCE = "Other users of your organization share this balance.";
