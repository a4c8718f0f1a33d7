import type { JsonRecord } from "#lib/read.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import type { PlannedRun } from "./expand-axes.ts";
import type { CsvTable } from "./read-csv.ts";

/** What a column of a CSV means. */
export type CsvColumn = { kind: "parameter"; key: string } | { kind: "model" } | { kind: "ignored" };

interface CsvTarget {
  /** For rows without a model of their own. */
  model: string;
  /** What every row is sent with beside its cells, by model. */
  settings?: Readonly<Record<string, JsonRecord>>;
  schemas: ModelSchemas;
}

/** What each column most likely means. Never throws. */
export function matchColumns(header: readonly string[], _schemas: ModelSchemas): CsvColumn[] {
  return header.map(() => ({ kind: "ignored" }));
}

/** The models that the rows name, to be loaded before `csvRuns`. Never throws. */
export function csvModels(_table: Pick<CsvTable, "rows">, _columns: readonly CsvColumn[]): string[] {
  return [];
}

/** One run for each row. A value that is wrong stays in its run, and the check of the row names it. Never throws. */
export function csvRuns(
  _table: Pick<CsvTable, "header" | "rows">,
  _columns: readonly CsvColumn[],
  _target: CsvTarget,
): PlannedRun[] {
  return [];
}
