import type { Part } from "./build-context.ts";
import { buildNumber, buildString } from "./build-scalar.ts";
import type { Field } from "./field.ts";
import { fieldBase } from "./field-base.ts";

/** Bounds of what a schema may make the page build (reliability 1.4). */
export const MAX_OPTIONS = 2000;

/** The field of a schema of one simple type; undefined for any other type. */
export function buildSimple(part: Part, type: unknown): Field | undefined {
  switch (type) {
    case "string":
      return buildString(part);
    case "number":
    case "float":
      return buildNumber(part, false);
    case "integer":
      return buildNumber(part, true);
    case "boolean":
      return { ...fieldBase(part, "boolean"), kind: "boolean" };
    default:
      return undefined;
  }
}
