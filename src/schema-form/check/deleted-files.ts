import { isRecord, type JsonRecord } from "#lib/read.ts";
import { type FormSchema, fieldName, fieldPositions } from "../read/field.ts";
import type { JsonPath } from "./check-json.ts";
import type { Problem } from "./problems.ts";

/** Levels of a payload that are searched for addresses. */
const MAX_LEVELS = 8;

/** Whether the file at an address was deleted; `perhaps` where the request to delete it got no response. */
export type DeletedTest = (address: string) => boolean | "perhaps";

/**
 * A problem for each address in a payload of a file that was deleted: a job would fail on it. `isDeleted` is asked for
 * every text that is a web address.
 */
export function deletedFileProblems(schema: FormSchema, payload: JsonRecord, isDeleted: DeletedTest): Problem[] {
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(payload)) {
    const position = fieldPositions(schema).get(key);
    const label = (position === undefined ? undefined : schema.fields[position]?.label) ?? key;
    const name = position === undefined ? "" : fieldName(position);
    for (const { path, isSure } of deletedFiles(value, [key], isDeleted)) {
      const place = path.at(-1);
      const file = typeof place === "number" ? `File ${place + 1}` : "This file";
      const message = `${fieldPrefix(label, path, name)}${file} ${isSure ? "was" : "may have been"} deleted. Choose another file.`;
      problems.push({ name, label, path, message, missing: false });
    }
  }
  return problems;
}

/** The prefix of a message: the field's label, unless the field itself is one file or a list of files. */
function fieldPrefix(label: string, path: JsonPath, name: string): string {
  const isWholeField = path.length === 1 || (path.length === 2 && typeof path[1] === "number");
  return isWholeField && name !== "" ? "" : `${label}: `;
}

interface DeletedFile {
  path: JsonPath;
  isSure: boolean;
}

function deletedFiles(value: unknown, path: JsonPath, isDeleted: DeletedTest): DeletedFile[] {
  if (typeof value === "string") {
    const found = /^https?:\/\/\S+$/i.test(value) && isDeleted(value);
    return found ? [{ path, isSure: found === true }] : [];
  }
  if (path.length > MAX_LEVELS) return [];
  if (Array.isArray(value)) return value.flatMap((item, at) => deletedFiles(item, [...path, at], isDeleted));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => deletedFiles(item, [...path, key], isDeleted));
}
