import type { FormSchema } from "./field.ts";

/** The form's name of a field by its position: parameter keys are never names (reliability 1.4). */
export const fieldName = (position: number): string => `f${position}`;

interface Names {
  names: readonly string[];
  positions: ReadonlyMap<string, number>;
}

// Made once for a form, because they are looked up at every key.
const made = new WeakMap<FormSchema, Names>();

function namesOf(schema: FormSchema): Names {
  const known = made.get(schema);
  if (known) return known;
  const names = schema.fields.map((_, position) => fieldName(position));
  const fresh = { names, positions: new Map(schema.fields.map((field, position) => [field.key, position])) };
  made.set(schema, fresh);
  return fresh;
}

/** The names of a form's fields, in order. */
export const fieldNames = (schema: FormSchema): readonly string[] => namesOf(schema).names;

/** Where the field of each parameter key stands. */
export const fieldPositions = (schema: FormSchema): ReadonlyMap<string, number> => namesOf(schema).positions;
