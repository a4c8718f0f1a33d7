import { numberFromText } from "#schema-form/check/number-text.ts";
import type { NumberField } from "#schema-form/read/field.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";

interface NumberList {
  values: unknown[];
  /** Why it cannot be read, in a sentence. */
  problem?: string;
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:\\.\\.(${NUMBER}))?$`, "i");
const SINGLE = new RegExp(`^${NUMBER}$`, "i");

/** Numbers and ranges: `1, 2.5, 5`, `1..4`, `0..1..0.25`, parted by commas, spaces or lines. */
export function readNumberList(field: NumberField, text: string): NumberList {
  const values: unknown[] = [];
  for (const piece of text.split(/[\s,;]+/)) {
    if (piece === "") continue;
    const [, from, to, by] = RANGE.exec(piece) ?? [];
    if (from !== undefined && to !== undefined) {
      const range = readRange(Number(from), Number(to), by === undefined ? 1 : Number(by));
      if (range === undefined) return { values: [], problem: `${piece} makes too many values.` };
      for (const number of range) values.push(numberFromText(field, String(number)));
    } else if (SINGLE.test(piece)) values.push(numberFromText(field, piece));
    else
      return {
        values: [],
        problem: `“${piece.slice(0, 40)}” is not a number. Enter numbers such as 1, 2.5, 5 or 1..4.`,
      };
    if (values.length > MAX_ITEMS) return { values: [], problem: `These are more than ${MAX_ITEMS} values.` };
  }
  return { values };
}

function readRange(from: number, to: number, by: number): number[] | undefined {
  const step = Math.abs(by) || 1;
  // Binary noise must not cost the last value.
  const count = Math.floor(Math.abs(to - from) / step + 1e-9) + 1;
  if (!(count <= MAX_ITEMS)) return undefined;
  const sign = to < from ? -step : step;
  return Array.from({ length: count }, (_, at) => Number((from + at * sign).toFixed(10)));
}

/** Values as the text that `readNumberList` reads back. */
export const numberListText = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === "number" || typeof value === "string" ? String(value) : "")).join(", ");
