import { asAddressText, asRecord } from "#lib/read.ts";

export interface PriceSearch {
  /** The parameters of the two axes, by their keys. `none`: the table has one line of prices. */
  rows?: string | undefined;
  columns?: string | undefined;
  /** What was typed as values of an axis without options of its own: "1, 2, 4". */
  rowValues?: string | undefined;
  columnValues?: string | undefined;
}

/** The longest list of values that an address carries, in characters. */
const LONGEST_VALUES = 200;

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
  return text !== undefined && text.length <= LONGEST_VALUES ? text : undefined;
}
