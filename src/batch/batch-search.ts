import { asAddressText, asOneOf, asRecord } from "#lib/read.ts";

const VIEWS = ["table", "sheet"] as const;

export interface BatchSearch {
  /** Undefined: the table. */
  view?: (typeof VIEWS)[number] | undefined;
  /** The name of the filter of the table; undefined: all runs. */
  show?: string | undefined;
  /** The axis of the contact sheet's columns: `model` or the key of a parameter. */
  columns?: string | undefined;
  /** The axis of its rows, in the same form. */
  rows?: string | undefined;
  /** A template that is packed into the link, opened once as a new batch. */
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
