import { asAddressText, asOneOf, asRecord } from "#lib/read.ts";

const VIEWS = ["table", "sheet"] as const;

export interface BatchSearch {
  /** What is shown; the table where it is not said. */
  view?: (typeof VIEWS)[number] | undefined;
  /** Which runs the table shows, by the name of a filter; all where it is not said. */
  show?: string | undefined;
  /** The sheet: what its columns and rows are, `model` or the key of a parameter. */
  columns?: string | undefined;
  rows?: string | undefined;
  /** A recipe that is packed into the link, opened once as a new batch. */
  recipe?: string | undefined;
}

/** The search part of `/batch`, validated: what is not understood is undefined. */
export function readBatchSearch(raw: unknown): BatchSearch {
  const { view, show, columns, rows, recipe } = asRecord(raw);
  return {
    view: asOneOf(view, VIEWS),
    show: asAddressText(show),
    columns: asAddressText(columns),
    rows: asAddressText(rows),
    recipe: asAddressText(recipe),
  };
}
