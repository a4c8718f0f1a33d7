import { liveRowsOf } from "../live-rows.ts";
import { type Batch, batchRows } from "./batch-row.ts";

/** The lines of runs of one key as this browser keeps them, newest first. */
export const batchesOf = liveRowsOf(batchRows, (a: Batch, b: Batch) => b.createdAtMs - a.createdAtMs);
