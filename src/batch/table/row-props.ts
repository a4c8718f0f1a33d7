import type { MouseEvent, ReactNode } from "react";
import type { ItemView } from "#batch/runner/item-states.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { TrackedJob } from "#storage/job-records.ts";
import type { TableColumn } from "./table-columns.ts";
import type { RowFilter } from "./table-lines.ts";

/** What can be done with rows: the same object for as long as the table is there, so that rows need not render for it. */
export interface RowActs {
  /** A cell was pressed. */
  press(id: string, column: number, event: MouseEvent): void;
  /** Opens a cell, or the whole form of the run where there is no such column. */
  edit(id: string, column: number): void;
  toggle(id: string): void;
  /** Opens what is wrong with a row. */
  fix(id: string): void;
  duplicate(id: string): void;
  move(id: string, by: -1 | 1): void;
  remove(id: string): void;
  retry(id: string): void;
}

export interface RunRowProps {
  view: ItemView;
  filter: RowFilter;
  number: number;
  index: number;
  rowIndex: number;
  top: number;
  columns: readonly TableColumn[];
  template: string;
  schemas: ModelSchemas;
  /** The price in words; undefined while it is not known. */
  price: string | undefined;
  problem: string | undefined;
  job: TrackedJob | undefined;
  ends: { start: number; end: number } | undefined;
  /** The column of the cell that is the active one; -1 where it is in another row. */
  active: number;
  isSelected: boolean;
  acts: RowActs;
  /** What stands in the place of the cell that is edited. */
  editor?: { column: number; element: ReactNode } | undefined;
}
