import { isRecord, type JsonRecord } from "#lib/read.ts";
import { type FormSchema, fieldName, fieldPositions } from "../read/field.ts";
import type { JsonPath } from "./check-json.ts";
import type { Problem } from "./problems.ts";

const DEEPEST = 8;

/**
 * A problem for each address in a payload of a file that is known to be deleted: a job would fail on it. `isDeleted` is
 * asked for every text that is a web address. Never throws.
 */
export function deletedFileProblems(
  schema: FormSchema,
  payload: JsonRecord,
  isDeleted: (address: string) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(payload)) {
    const position = fieldPositions(schema).get(key);
    const label = (position === undefined ? undefined : schema.fields[position]?.label) ?? key;
    const name = position === undefined ? "" : fieldName(position);
    for (const path of deletedPaths(value, [key], isDeleted)) {
      problems.push({ name, label, path, message: deletedText(label, path, name === ""), missing: false });
    }
  }
  return problems;
}

function deletedText(label: string, path: JsonPath, isUnknown: boolean): string {
  const place = path.at(-1);
  const which = typeof place === "number" ? `File ${place + 1} was deleted.` : "This file was deleted.";
  // Deeper than a list of files: the field that it is in shows the words, with its own name before them.
  const inside = isUnknown || path.length > 2 || (path.length === 2 && typeof place !== "number") ? `${label}: ` : "";
  return `${inside}${which} Choose another file.`;
}

function deletedPaths(value: unknown, path: JsonPath, isDeleted: (address: string) => boolean): JsonPath[] {
  if (typeof value === "string") return /^https?:\/\/\S+$/i.test(value) && isDeleted(value) ? [path] : [];
  if (path.length > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => deletedPaths(item, [...path, at], isDeleted));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => deletedPaths(item, [...path, key], isDeleted));
}
