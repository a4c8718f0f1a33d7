import { isRecord, type JsonRecord } from "#lib/read.ts";
import { type FormSchema, fieldName, fieldPositions } from "../read/field.ts";
import type { Problem } from "./problems.ts";

/**
 * Why a value or a key must not be sent, as a sentence; undefined where it may. Gets a parameter's value, or its key.
 */
export type TextTest = (value: unknown) => string | undefined;

/**
 * A problem for each parameter whose key or value the test refuses. The screen brings the test, such as for API keys.
 */
export function textProblems(schema: FormSchema, payload: JsonRecord, test: TextTest): Problem[] {
  return Object.entries(payload).flatMap(([key, value]): Problem[] => {
    const mayHaveText = typeof value === "string" || Array.isArray(value) || isRecord(value);
    const message = test(key) ?? (mayHaveText ? test(value) : undefined);
    if (message === undefined) return [];
    const position = fieldPositions(schema).get(key);
    const label = (position === undefined ? undefined : schema.fields[position]?.label) ?? key;
    return [{ name: position === undefined ? "" : fieldName(position), label, path: [key], message, missing: false }];
  });
}
