import type { Field } from "../read/field.ts";

/** A text to be checked against a pattern of the listing. */
export interface PatternJob {
  /** The form's name of the field. */
  name: string;
  label: string;
  pattern: string;
  text: string;
}

/** The patterns of a form that have a text to check: those of its text fields. */
export function patternJobs(fields: readonly { name: string; field: Field; value: unknown }[]): PatternJob[] {
  return fields.flatMap(({ name, field, value }) =>
    field.kind === "text" && field.pattern !== undefined && typeof value === "string" && value !== ""
      ? [{ name, label: field.label, pattern: field.pattern, text: value }]
      : [],
  );
}
