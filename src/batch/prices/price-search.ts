import { asAddressText, asRecord } from "#lib/read.ts";

export interface PriceSearch {
  /** The key of the parameter of the rows; `none`: the table has a single row. */
  rows?: string | undefined;
  /** The key of the parameter of the columns; `none`: a single column. */
  columns?: string | undefined;
  /** Values that were typed for the rows, where their parameter has no options: "1, 2, 4". */
  rowValues?: string | undefined;
  /** Values that were typed for the columns. */
  columnValues?: string | undefined;
}

/** A longer list of values is ignored. */
const MAX_VALUES_CHARACTERS = 200;

/** The search part of `/prices/$modelId`, validated: what is not understood is undefined. */
export function readPriceSearch(raw: unknown): PriceSearch {
  const { rows, columns, rowValues, columnValues } = asRecord(raw);
  return {
    rows: asAddressText(rows),
    columns: asAddressText(columns),
    rowValues: valuesText(rowValues),
    columnValues: valuesText(columnValues),
  };
}

function valuesText(raw: unknown): string | undefined {
  const text = asAddressText(raw);
  return text !== undefined && text.length <= MAX_VALUES_CHARACTERS ? text : undefined;
}
