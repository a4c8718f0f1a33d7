import { asFilledText, isRecord } from "#lib/read.ts";

export interface PriceSearch {
  /** The parameters of the two axes, by their keys. `none`: the table has one line of prices. */
  rows?: string;
  columns?: string;
  /** What was typed as values of an axis without options of its own: "1, 2, 4". */
  rowValues?: string;
  columnValues?: string;
}

/** The longest list of values that an address carries, in characters. */
const LONGEST_VALUES = 200;

/** The search part of `/prices/$modelId`, validated: what is not understood is left out. */
export function readPriceSearch(raw: unknown): PriceSearch {
  if (!isRecord(raw)) return {};
  const rows = asFilledText(raw.rows);
  const columns = asFilledText(raw.columns);
  const rowValues = valuesText(raw.rowValues);
  const columnValues = valuesText(raw.columnValues);
  return {
    ...(rows === undefined ? {} : { rows }),
    ...(columns === undefined ? {} : { columns }),
    ...(rowValues === undefined ? {} : { rowValues }),
    ...(columnValues === undefined ? {} : { columnValues }),
  };
}

// The router reads a lone number in a query as one.
function valuesText(raw: unknown): string | undefined {
  const text = typeof raw === "number" ? String(raw) : asFilledText(raw);
  return text !== undefined && text.length <= LONGEST_VALUES ? text : undefined;
}
