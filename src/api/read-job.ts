import { isRecord, type JsonRecord } from "#lib/json.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { messageOf } from "./read-error.ts";
import { readMedia } from "./read-media.ts";
import type { Job } from "./types.ts";

const FIRST_MS_VALUE = 1e11;

/**
 * Reads a job record (spec 2). Fields that the specification does not show are taken from where real services put
 * them. `requestId` stands in where a single-job answer does not repeat it. Throws `UnreadableAnswerError` for anything
 * that is no record or names no job.
 */
export function readJob(raw: unknown, requestId?: string): Job {
  const record = jobRecord(raw);
  const id = record === undefined ? undefined : (idOf(record) ?? requestId);
  if (record === undefined || id === undefined) {
    throw new UnreadableAnswerError({ status: 200, excerpt: excerptOf(raw), reason: "The answer names no job." });
  }
  const status = readStatus(record.status);
  return {
    requestId: id,
    model: textOf(record.model) ?? textOf(record.model_id),
    status,
    media: readMedia(record.outcome),
    payload: isRecord(record.payload) ? record.payload : undefined,
    createdAtSeconds: readSeconds(record.created_at) ?? readSeconds(record.queued_at),
    updatedAtSeconds: readSeconds(record.updated_at),
    failureReason: status === "success" ? undefined : failureReasonOf(record),
    raw: record,
  };
}

/** Unix seconds from seconds, milliseconds or an ISO date. The specification shows no timestamp of a job. */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)) {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1000);
  }
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return undefined;
  return Math.floor(number >= FIRST_MS_VALUE ? number / 1000 : number);
}

function jobRecord(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw)) return undefined;
  if (idOf(raw) !== undefined) return raw;
  for (const key of ["request", "data"]) {
    const inner = raw[key];
    if (isRecord(inner) && idOf(inner) !== undefined) return inner;
  }
  return raw.status === undefined ? undefined : raw;
}

function idOf(record: JsonRecord): string | undefined {
  return textOf(record.request_id) ?? textOf(record.id);
}

/** Lower case, and one spelling of cancelled. A missing status becomes `unknown`, which is not final. */
function readStatus(value: unknown): string {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word === "canceled") return "cancelled";
  return word === "" ? "unknown" : word;
}

function failureReasonOf(record: JsonRecord): string | undefined {
  const outcome = record.outcome;
  const inOutcome = isRecord(outcome) ? (messageOf(outcome.error) ?? messageOf(outcome.message)) : messageOf(outcome);
  return (
    inOutcome ??
    messageOf(record.error) ??
    messageOf(record.reason) ??
    messageOf(record.failure_reason) ??
    messageOf(record.error_message)
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function excerptOf(raw: unknown): string {
  return (JSON.stringify(raw) ?? "").slice(0, 200);
}
