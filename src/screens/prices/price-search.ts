import { asFilledText, isRecord } from "#lib/read.ts";

export interface PriceSearch {
  /** The parameters of the two axes, by their keys. */
  rows?: string;
  columns?: string;
}

/** The search part of `/prices/$modelId`, validated: what is not understood is left out. */
export function readPriceSearch(raw: unknown): PriceSearch {
  if (!isRecord(raw)) return {};
  const rows = asFilledText(raw.rows);
  const columns = asFilledText(raw.columns);
  return { ...(rows === undefined ? {} : { rows }), ...(columns === undefined ? {} : { columns }) };
}
