import type { BatchItem } from "../stored-batches.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";

type Row = Pick<BatchItem, "request" | "unavailable">;

/** Why a row must not be run, in sentences; none while its model loads. Never throws. */
export function rowProblems(_item: Row, _schemas: ModelSchemas): readonly string[] {
  return [];
}

/** The keys of the parameters that are wrong in a row. Never throws. */
export function problemKeys(_item: Row, _schemas: ModelSchemas): ReadonlySet<string> {
  return new Set();
}
