import type { Row } from "./media-keys.ts";

/** What can be done with the table of a batch and with its runs. */
export const BATCH_ROWS: readonly Row[] = [];

/** What can be done with the results of a batch. */
export const SHEET_ROWS: readonly Row[] = [];

/** What can be done with chosen results: the next step, clips that are joined. */
export const CHAIN_ROWS: readonly Row[] = [
  ["chain.add", "Add to batch"],
  ["chain.join", "Join and save"],
];

/** What can be done with a price table. */
export const PRICE_ROWS: readonly Row[] = [];
