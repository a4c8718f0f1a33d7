import { isRecord, type JsonRecord } from "#lib/json.ts";
import type { TextFinding } from "./text-types.ts";

/** A text that is not empty, or undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The records in a list, or none. */
export function recordsOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Id and model of an answer, where it tells either. */
export function aboutOf(record: JsonRecord): TextFinding[] {
  const id = textOf(record.id);
  const model = textOf(record.model);
  return id === undefined && model === undefined ? [] : [{ kind: "about", id, model }];
}

/** The usage object of an answer, where there is one. It may be null, come often, or never. */
export function usageOf(value: unknown): TextFinding[] {
  return isRecord(value) ? [{ kind: "usage", raw: value }] : [];
}
