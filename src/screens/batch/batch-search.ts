import { asFilledText, asOneOf, isRecord } from "#lib/read.ts";

const VIEWS = ["table", "sheet"] as const;

export interface BatchSearch {
  /** What is shown; the table where it is not said. */
  view?: (typeof VIEWS)[number];
  /** Which runs the table shows, by the name of a filter; all where it is not said. */
  show?: string;
  /** The sheet: what its columns and rows are, `model` or the key of a parameter. */
  columns?: string;
  rows?: string;
  /** A recipe that is packed into the link, opened once as a new batch. */
  recipe?: string;
}

/** The search part of `/batch`, validated: what is not understood is left out. */
export function readBatchSearch(raw: unknown): BatchSearch {
  if (!isRecord(raw)) return {};
  const view = asOneOf(raw.view, VIEWS);
  const words = (["show", "columns", "rows", "recipe"] as const).flatMap((name) => {
    // The router reads digits as a number.
    const text = typeof raw[name] === "number" ? String(raw[name]) : asFilledText(raw[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...(view ? { view } : {}), ...Object.fromEntries(words) };
}
