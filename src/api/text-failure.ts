import { isRecord, type JsonRecord } from "#lib/json.ts";
import { messageOf } from "./read-error.ts";
import type { TextFinding } from "./text-types.ts";

type Failure = Extract<TextFinding, { kind: "failure" }>;

/**
 * The error in an event or body, in any of its shapes: `{error: {message, type, code}}`, `{error: "text"}`,
 * `{type: "error", …}` flat or nested, `{object: "error", message}`, or any event of that name. Undefined where there is
 * none: `error: null` is the usual sign of success.
 */
export function failureOf(record: JsonRecord, name: string | undefined): Failure | undefined {
  const inner = record.error;
  const saysError = record.type === "error" || record.object === "error" || name === "error";
  if (!saysError && (inner === undefined || inner === null || inner === false || inner === "")) return undefined;
  return failure(record, isRecord(inner) ? inner : record);
}

/** The same for an error object that stands where the format puts it, such as `response.error`. */
export function failure(record: unknown, fields: JsonRecord): Failure {
  const type = typeof fields.type === "string" && fields.type !== "error" ? fields.type : undefined;
  const code = typeof fields.code === "string" || typeof fields.code === "number" ? String(fields.code) : undefined;
  const message = messageOf(record) ?? "The service ended the answer with an error and gave no reason.";
  return { kind: "failure", message, type, code };
}
