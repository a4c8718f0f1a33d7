import { plainName } from "#lib/find-value.ts";
import { asText, isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { failureReason } from "./failure-reason.ts";
import { hasNoResult, isFinal, readStatus } from "./final-status.ts";
import { readTimes } from "./job-times.ts";
import { readMedia } from "./media.ts";
import { messageOf } from "./read-error.ts";
import type { Job, MediaItem } from "./types.ts";

/** Names of a job's fields, the specification's own first (spec 2); each in any spelling. */
const JOB_IDS = ["job_id", "task_id", "prediction_id", "generation_id"];
const PLAIN_IDS = ["uuid", "id"];
const STATUSES = ["status", "state", "phase", "task_status", "job_status", "request_status", "lifecycle"];
const MODELS = ["model", "model_id", "model_name"];
const PAYLOADS = ["payload", "input", "inputs", "arguments", "args", "parameters", "params", "request_payload"];
const OUTPUTS =
  /^(outputs?|results?|taskresult|response|data|content|generat(ed|ions)|creations|artifacts|assets|deliverables|media|mediaurls|files|(image|video|audio)(s|urls?)?)$/;

/** Names under which an answer wraps a job, or a job wraps a part of its record. */
const ENVELOPE =
  /^(data|request|job|result|task|prediction|generation|response|record|item|body|object|resource|entity|run|operation|doc)$/;
/** Names that are envelopes only where the record within names its job as the specification does. */
const MAYBE_ENVELOPE = /^(payload|content|value)$/;
const JOB_KEY = /^(job|task|prediction|generation)$/;
const DEEPEST = 3;
const MOST_ENVELOPES = 20;

/** A record that may be the job, with what stands around it and, level by level, within. */
interface Candidate {
  /** Its fields; those of `attributes` are among them. */
  record: JsonRecord;
  /** From the nearest outwards. */
  around: readonly JsonRecord[];
  /** It stands under a key that says that it is a job. */
  isNamed?: boolean;
}

/**
 * Reads a job record (spec 2). Fields that the specification does not show are taken from where real services put them:
 * under any usual name, in any spelling, in an envelope. `requestId` is the job that was asked for, and stays its id
 * whatever else the answer is numbered by. Throws `UnreadableAnswerError` for anything that is no record or names no job.
 */
export function readJob(raw: unknown, requestId?: string): Job {
  const job = tryReadJob(raw, requestId);
  if (job !== undefined) return job;
  const excerpt = JSON.stringify(raw) ?? "";
  throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The response names no job." });
}

/** Status words of a call, good or bad. Beside an id they say nothing of a job. */
const OF_THE_CALL = /^\s*(ok|okay|error|fail)\s*$/i;
const ERRORS = [
  "error",
  "errors",
  "error_message",
  "error_msg",
  "err_msg",
  "error_code",
  "error_description",
  "exception",
];
const SUCCESSES = ["success", "ok"];

/**
 * Reads the answer to a submit. A good status and an id are no proof that a job was made: servers also answer 200 with an
 * error, with the id of a trace, with a page of their own. Proof is an id in a record that names its model or a status
 * other than a failure, and no error in the answer. Anything else throws `UnreadableAnswerError` with what is `unproven`:
 * the words of the answer, and the id that may be a job's, for which the service can be asked (`isRecordOf`).
 */
export function readSubmitted(raw: unknown): Job {
  const { job, id, namesJob, saysError } = findSubmitted(raw);
  if (job && namesJob && !saysError && !hasNoResult(job.status)) return job;
  const reason = id === undefined ? "The response names no job." : "The response names an ID and confirms no job.";
  const excerpt = JSON.stringify(raw) ?? "";
  throw new UnreadableAnswerError({ status: 200, excerpt, reason, unproven: { id, words: messageOf(raw) ?? "" } });
}

/**
 * Whether the answer to a request for one job is the record of that very job: it repeats the id, and names its model or a
 * status. Never throws.
 */
export function isRecordOf(raw: unknown, requestId: string): boolean {
  const { id, namesJob } = findSubmitted(raw);
  return id === requestId && namesJob;
}

/** What speaks for a job in an answer whose id is not known beforehand, and what against it. */
function findSubmitted(raw: unknown) {
  const all = candidatesIn(raw);
  const found = bestOf(all, undefined);
  const id = (found ? [found] : all).map(({ record }) => idOf(record)).find((each) => each !== undefined);
  const job = found && id !== undefined ? toJob(found, id, isRecord(raw) ? raw : found.record) : undefined;
  const around = found ? [found.record, ...envelopesOf(found.record).map(({ record }) => record), ...found.around] : [];
  const word = firstValue(around, STATUSES);
  const namesStatus = job !== undefined && job.status !== "unknown" && !OF_THE_CALL.test(asText(word) ?? "");
  return {
    job,
    id,
    namesJob: job?.model !== undefined || namesStatus,
    saysError: all.some(({ record }) => saysError(record)),
  };
}

/** Whether a record says that something went wrong. `error: null` and `error: ""` say that nothing did. */
function saysError(record: JsonRecord): boolean {
  const isFilled = (value: unknown) =>
    isRecord(value) ? Object.keys(value).length > 0 : Array.isArray(value) ? value.length > 0 : Boolean(value);
  return (
    ERRORS.some((name) => isFilled(named(record, name))) || SUCCESSES.some((name) => named(record, name) === false)
  );
}

/** The same; undefined where `readJob` throws. `least`: how much must speak for a job, see `scoreOf`. Never throws. */
export function tryReadJob(raw: unknown, requestId?: string, least = 1): Job | undefined {
  const all = candidatesIn(raw);
  let found = bestOf(all, requestId, least);
  if (requestId !== undefined) found ??= all.find(({ record }) => firstValue([record], STATUSES) !== undefined);
  const id = found && (requestId ?? idOf(found.record));
  if (found === undefined || id === undefined) return undefined;
  return toJob(found, id, isRecord(raw) ? raw : found.record);
}

/** The candidate for which most speaks, where that is `least` or more. */
function bestOf(all: readonly Candidate[], requestId: string | undefined, least = 1): Candidate | undefined {
  let found: Candidate | undefined;
  let best = least - 1;
  for (const candidate of all) {
    const score = scoreOf(candidate, requestId);
    if (score > best) [found, best] = [candidate, score];
  }
  return found;
}

function toJob({ record, around }: Candidate, requestId: string, raw: JsonRecord): Job {
  const within = envelopesOf(record).map((inner) => inner.record);
  const records = [record, ...within, ...around];
  const status = statusOf(record, within, around);
  const payload = payloadOf(records);
  return {
    requestId,
    model: modelOf(firstValue(records, MODELS)),
    status,
    media: mediaOf(record, around, status, payload),
    payload,
    ...readTimes(records),
    // A job that runs may speak of its queue, or of a step that is tried again.
    failureReason: hasNoResult(status) || status === "unknown" ? failureReason([record, ...around]) : undefined,
    raw,
  };
}

function candidatesIn(raw: unknown): Candidate[] {
  const found: Candidate[] = [];
  const top: unknown = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
  let level: Candidate[] = isRecord(top) ? [{ record: withAttributes(top), around: [] }] : [];
  for (let depth = 0; depth <= DEEPEST && found.length < MOST_ENVELOPES; depth += 1) {
    found.push(...level);
    level = level.flatMap(({ record, around }) =>
      envelopesOf(record).map((inner) => ({ ...inner, around: [record, ...around] })),
    );
  }
  return found;
}

/** The records that a record holds under the name of an envelope. A list of one is taken for what is in it. */
function envelopesOf(record: JsonRecord): Pick<Candidate, "record" | "isNamed">[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = plainName(key);
    if (typeof value !== "object" || !(ENVELOPE.test(name) || MAYBE_ENVELOPE.test(name))) return [];
    const inner: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
    if (isRecord(inner) && !ENVELOPE.test(name) && !isWholeJob(inner)) return [];
    return isRecord(inner) ? [{ record: withAttributes(inner), isNamed: JOB_KEY.test(name) }] : [];
  });
}

/** What a job was given may have an `id` or a `status` of its own, and no record of a job. */
const isWholeJob = (record: JsonRecord) =>
  idText(named(record, "request_id")) !== undefined && firstValue([record], STATUSES) !== undefined;

const withAttributes = (record: JsonRecord): JsonRecord =>
  isRecord(record.attributes) ? { ...record.attributes, ...record } : record;

/**
 * How much speaks for a record being the job: the specification's own name of an id most, then one that names a job, and
 * a status beside a plain id. An `id` alone may be anything's, and counts at the top only. 0 or less: it is none.
 */
function scoreOf({ record, around, isNamed = false }: Candidate, requestId: string | undefined): number {
  const spec = idText(named(record, "request_id"));
  const job = firstId(record, JOB_IDS);
  const plain = firstId(record, PLAIN_IDS);
  const byId = spec !== undefined ? 8 : job !== undefined ? 2 : plain !== undefined ? 1 : undefined;
  if (byId === undefined) return 0;
  const isAsked = requestId !== undefined && [spec, job, plain].includes(requestId);
  const hasStatus = firstValue([record], STATUSES) !== undefined;
  const hasModel = firstValue([record], MODELS) !== undefined;
  return byId + (isAsked ? 100 : 0) + (hasStatus ? 3 : hasModel ? 1 : 0) - (around.length > 0 && !isNamed ? 1 : 0);
}

function idOf(record: JsonRecord): string | undefined {
  return idText(named(record, "request_id")) ?? firstId(record, JOB_IDS) ?? firstId(record, PLAIN_IDS);
}

function firstId(record: JsonRecord, names: readonly string[]): string | undefined {
  for (const name of names) {
    const id = idText(named(record, name));
    if (id !== undefined) return id;
  }
  return undefined;
}

const fields = new WeakMap<JsonRecord, ReadonlyMap<string, unknown>>();

/** The value under a name in any spelling, its own spelling first. A record is asked for dozens of names, so it is gone through once. */
function named(record: JsonRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const known = fields.get(record) ?? new Map(Object.entries(record).map(([key, value]) => [plainName(key), value]));
  fields.set(record, known);
  return known.get(plainName(name));
}

/** The first value of these names that is not null: record by record, and in each in the order of the names. */
function firstValue(records: readonly JsonRecord[], names: readonly string[]): unknown {
  for (const record of records) {
    for (const name of names) {
      const value = named(record, name);
      if (value !== undefined && value !== null) return value;
    }
  }
  return undefined;
}

/**
 * The record's own status, else one within it. The status of an envelope may be that of the call: a final one counts only
 * where other fields of the job stand beside it.
 */
function statusOf(record: JsonRecord, within: readonly JsonRecord[], around: readonly JsonRecord[]): string {
  const own = firstValue([record, ...within], STATUSES);
  if (own !== undefined) return readStatus(own);
  for (const outer of around) {
    const status = readStatus(firstValue([outer], STATUSES));
    const isOfJob = firstValue([outer], ["outcome", "payload", "model", "created_at"]) !== undefined;
    if (status !== "unknown" && (!isFinal(status) || isOfJob)) return status;
  }
  return "unknown";
}

function modelOf(value: unknown): string | undefined {
  return isRecord(value) ? firstId(value, ["id", "model_id", "model", "name"]) : idText(value);
}

function payloadOf(records: readonly JsonRecord[]): JsonRecord | undefined {
  for (const record of records) {
    for (const name of PAYLOADS) {
      const value = named(record, name);
      const payload = typeof value === "string" && value.startsWith("{") ? tryParseJson(value) : value;
      if (isRecord(payload) && !isWholeJob(payload)) return payload;
    }
  }
  return undefined;
}

/** The files of the outcome; of a success without any there, those under the names that other services use. */
function mediaOf(record: JsonRecord, around: readonly JsonRecord[], status: string, payload: unknown): MediaItem[] {
  const media = readMedia(firstValue([record, ...around], ["outcome"]), payload);
  if (media.length > 0 || status !== "success") return media;
  const others: JsonRecord = {};
  for (const holder of [record, ...around]) {
    for (const [key, value] of Object.entries(holder)) {
      const isOutput =
        OUTPUTS.test(plainName(key)) && !(isRecord(value) && scoreOf({ record: value, around: [] }, undefined) > 2);
      if (isOutput) others[key] ??= value;
    }
  }
  return readMedia(others, payload);
}

/** An id may be a number. */
function idText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  const text = asText(value);
  return text === "" ? undefined : text;
}
