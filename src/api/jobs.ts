import { asLooseNumber, isRecord, type JsonRecord } from "#lib/read.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { readMedia } from "./media.ts";
import { messageOf } from "./read-error.ts";
import type { FinalStatus, Job, JobPage } from "./types.ts";

const FINAL_STATUSES: readonly FinalStatus[] = ["success", "failed", "cancelled"];

/**
 * Whether polling stops at a status (spec 3, spec 4.1 rule 2). Any word that is not final means: still running. Never
 * throws.
 */
export function isFinal(status: string): status is FinalStatus {
  return (FINAL_STATUSES as readonly string[]).includes(status);
}

const FIRST_MS_VALUE = 1e11;

/**
 * Reads a job record (spec 2). Fields that the specification does not show are taken from where real services put them.
 * `requestId` is used where a single-job answer does not repeat it. Throws `UnreadableAnswerError` for anything that is
 * no record or names no job.
 */
export function readJob(raw: unknown, requestId?: string): Job {
  const record = jobRecord(raw);
  const id = record === undefined ? undefined : (idOf(record) ?? requestId);
  if (record === undefined || id === undefined) {
    throw new UnreadableAnswerError({
      status: 200,
      excerpt: JSON.stringify(raw) ?? "",
      reason: "The answer names no job.",
    });
  }
  const status = readStatus(record.status);
  return {
    requestId: id,
    model: idText(record.model) ?? idText(record.model_id),
    status,
    media: readMedia(record.outcome),
    payload: isRecord(record.payload) ? record.payload : undefined,
    createdAtSeconds: readSeconds(record.created_at) ?? readSeconds(record.queued_at),
    updatedAtSeconds: readSeconds(record.updated_at),
    failureReason: status === "success" ? undefined : failureReasonOf(record),
    raw: record,
  };
}

/**
 * Unix seconds from seconds, milliseconds or an ISO date; undefined for anything else. The specification shows no
 * timestamp of a job. Never throws.
 */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)) {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : Math.floor(parsed / 1000);
  }
  const number = asLooseNumber(value);
  if (number === undefined || number <= 0) return undefined;
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
  return idText(record.request_id) ?? idText(record.id);
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

/** An id may be a number. */
function idText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

const LIST_KEYS = ["requests", "data", "items", "jobs"];

/**
 * Reads the job list (spec 4.1 rule 5: body not shown): `{requests, total}`, or the list under another common name, or
 * bare. The list may be null where it is empty. Throws `UnreadableAnswerError` for an object that shows no sign of
 * being a list, so that the answer of some other server is never taken for "no jobs". Records without an id are left
 * out.
 */
export function readJobPage(raw: unknown): JobPage {
  if (Array.isArray(raw)) return { jobs: readJobs(raw), total: undefined };
  if (raw === null) return { jobs: [], total: undefined };
  if (isRecord(raw)) {
    const total = isCount(raw.total) ? raw.total : undefined;
    for (const key of LIST_KEYS) {
      const list = raw[key];
      if (Array.isArray(list)) return { jobs: readJobs(list), total };
    }
    const saysEmpty =
      LIST_KEYS.some((key) => raw[key] === null) || total !== undefined || Object.keys(raw).length === 0;
    if (saysEmpty) return { jobs: [], total };
  }
  const excerpt = JSON.stringify(raw) ?? "";
  throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The answer is not a list of jobs." });
}

function readJobs(list: unknown[]): Job[] {
  const jobs = new Map<string, Job>();
  for (const entry of list) {
    const job = tryReadJob(entry);
    if (job !== undefined && !jobs.has(job.requestId)) jobs.set(job.requestId, job);
  }
  return [...jobs.values()];
}

function tryReadJob(entry: unknown): Job | undefined {
  try {
    return readJob(entry);
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
