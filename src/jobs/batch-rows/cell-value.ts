import type { Field } from "#schema-form/read/field.ts";

/** What the text of a cell is sent as; undefined: not sent. Text that cannot be read stays the text. Never throws. */
export function readCell(_field: Field | undefined, text: string): unknown {
  return text === "" ? undefined : text;
}

/** A value as the text of a cell. With its field the text is exact: `readCell` gives the value back. Never throws. */
export function cellText(value: unknown, _field?: Field): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}
