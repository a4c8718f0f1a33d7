import { ownNamed, plainName } from "#lib/find-value.ts";
import { asLooseNumber, asText, isRecord, type JsonRecord, ownString, tryParseJson } from "#lib/read.ts";
import { type Evidence, isJobStatus, needsEcho, provesJob, provesRecord } from "#runs/rules/answers.ts";
import { type UnprovenJob, UnreadableAnswerError } from "./api-error.ts";
import { failureReason } from "./failure-reason.ts";
import { readMedia } from "./media.ts";
import { readErrorMessage } from "./read-error.ts";
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
const MAX_DEPTH = 3;
const MAX_ENVELOPES = 20;

/** A record that may be the job. */
interface Candidate {
  /** Its fields; those of `attributes` are among them. */
  record: JsonRecord;
  /** The records that it stands in, from the nearest outwards. */
  around: readonly JsonRecord[];
  /** Its key says that it is a job. */
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
  throw unreadable(raw, NO_JOB);
}

const NO_JOB = "The response has no job ID.";

const unreadable = (raw: unknown, reason: string, unproven?: UnprovenJob) =>
  new UnreadableAnswerError({ status: 200, excerpt: JSON.stringify(raw) ?? "", reason, unproven });

/** As `readJob`, but undefined where that throws. `least`: the lowest score at which a record is a job, see `scoreOf`. */
export function tryReadJob(raw: unknown, requestId?: string, least = 1): Job | undefined {
  const all = candidatesIn(raw);
  let found = bestOf(all, requestId, least);
  if (requestId !== undefined) found ??= all.find(({ record }) => firstValue([record], STATUSES) !== undefined);
  const id = found && (requestId ?? idOf(found.record));
  if (found === undefined || id === undefined) return undefined;
  return toJob(found, id, isRecord(raw) ? raw : found.record);
}

const ERROR_FIELDS = ["error", "errors", "error_message", "error_msg", "err_msg", "error_description", "exception"];
const CODE_FIELDS = ["code", "error_code", "err_code", "errno", "status_code"];
const GOOD_CODE = /^(0*|2\d\d|ok|okay|success(ful)?|succeed(ed)?|none|null)$/i;
const SUCCESS_FLAGS = ["success", "ok"];

/**
 * Reads the answer to a submit, which has to prove a job (`provesJob`). Anything else throws `UnreadableAnswerError` whose
 * `unproven` has the words of the answer, and an id that may be the job's: the service can be asked for it (`isRecordOf`).
 */
export function readSubmitted(raw: unknown): Job {
  const evidence = readEvidence(raw);
  const { job, id } = evidence;
  if (job && provesJob(evidence)) return job;
  const reason = id === undefined ? NO_JOB : "The response has an ID but does not confirm a job.";
  throw unreadable(raw, reason, { id, words: wordsOf(raw), needsEcho: needsEcho(evidence) });
}

/** Whether the answer to a request for one job is the record of that very job (`provesRecord`). */
export const isRecordOf = (raw: unknown, requestId: string): boolean =>
  provesRecord(readEvidence(raw, requestId), requestId);

/** The job in an answer to a submit or to a request for one job, and the evidence for and against it. */
function readEvidence(raw: unknown, requestId?: string): Evidence & { job: Job | undefined } {
  const all = candidatesIn(raw);
  // The id of a trace may stand around a record that names its namedJobs job and its status.
  const namedJobs = all.filter(
    ({ record }) => jobIdOf(record) !== undefined && firstValue([record], STATUSES) !== undefined,
  );
  const found =
    bestOf(namedJobs.length > 0 ? namedJobs : all, requestId) ?? (requestId === undefined ? undefined : all[0]);
  // An id in a record that does not look like a job's may be the job's all the same: asking for it costs nothing.
  const ids = (found ? [found] : all).flatMap(({ record }) => idsOf(record));
  const id = requestId !== undefined && ids.includes(requestId) ? requestId : ids[0];
  if (!found) {
    const hasError = all.some(({ record }) => reportsError(record) || reportsBadCode(record));
    return {
      job: undefined,
      id,
      hasModelAndStatus: false,
      hasNoResult: false,
      hasFields: false,
      namesJob: false,
      hasError,
    };
  }
  // An inner record with an id of its namedJobs is about something else.
  const within = envelopesOf(found.record).filter(({ record }) => idsOf(record).length === 0);
  const records = [found.record, ...within.map(({ record }) => record), ...found.around];
  const status = statusOf(
    found.record,
    within.map(({ record }) => record),
    found.around,
  );
  const model = modelOf(firstValue(records, MODELS));
  const job = { ...toJob(found, id ?? "", isRecord(raw) ? raw : found.record), status, model };
  const around = [found.record, ...found.around];
  const hasModelAndStatus = model !== undefined && (isJobStatus(status) || hasNoResult(status));
  return {
    job,
    id,
    hasModelAndStatus,
    hasNoResult: hasNoResult(status),
    hasFields: job.payload !== undefined || job.media.length > 0 || records.some(hasStartTime),
    namesJob: jobIdOf(found.record) !== undefined,
    hasError: around.some(reportsError) || (!hasModelAndStatus && around.some(reportsBadCode)),
  };
}

const jobIdOf = (record: JsonRecord) => firstId(record, ["request_id", ...JOB_IDS]);

const idsOf = (record: JsonRecord) =>
  ["request_id", ...JOB_IDS, ...PLAIN_IDS].flatMap((name) => idText(named(record, name)) ?? []);

/** Whether a record has an error with anything in it: `null`, `""`, `{code: 0, message: ""}` do not count. */
function reportsError(record: JsonRecord): boolean {
  return ERROR_FIELDS.some((name) => hasContent(named(record, name)));
}

function hasContent(value: unknown): boolean {
  if (typeof value === "string") return !/^\s*(none|null)?\s*$/i.test(value);
  if (typeof value !== "object" || value === null) return Boolean(value);
  return Object.values(value).some(hasContent);
}

function reportsBadCode(record: JsonRecord): boolean {
  const isBad = (value: unknown) =>
    (typeof value === "number" || typeof value === "string") && !GOOD_CODE.test(String(value).trim());
  return (
    CODE_FIELDS.some((name) => isBad(named(record, name))) ||
    SUCCESS_FLAGS.some((name) => ["false", "0"].includes(String(named(record, name))))
  );
}

const LONGEST_WORDS = 600;

/** The words of an answer, without what it repeats of the request; empty where it has none. */
function wordsOf(raw: unknown): string {
  const isEcho = (key: string) => PAYLOADS.includes(key) || key === "request";
  const withoutEcho = isRecord(raw) ? Object.fromEntries(Object.entries(raw).filter(([key]) => !isEcho(key))) : raw;
  return (readErrorMessage(withoutEcho) ?? "").slice(0, LONGEST_WORDS);
}

/** The candidate with the highest score, where that is `least` or more. */
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
  const media = mediaOf(record, around, status, payload);
  const lacksOutcome = media.length === 0 && [record, ...around].every((one) => ownNamed(one, "outcome") === undefined);
  return {
    requestId,
    model: modelOf(firstValue(records, MODELS)),
    status,
    media,
    ...(lacksOutcome ? { lacksOutcome } : {}),
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
  for (let depth = 0; depth <= MAX_DEPTH && found.length < MAX_ENVELOPES; depth += 1) {
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

/** Whether a record is a job by itself. A payload may have an `id` or a `status` of its own, but not these two fields. */
const isWholeJob = (record: JsonRecord) =>
  idText(named(record, "request_id")) !== undefined && firstValue([record], STATUSES) !== undefined;

const withAttributes = (record: JsonRecord): JsonRecord =>
  isRecord(record.attributes) ? { ...record.attributes, ...record } : record;

/**
 * The score of a record as the job: the specification's own name of an id most, then one that names a job, and
 * a status beside a plain id. An `id` alone may be anything's, and counts at the top only. The id that was asked for
 * outweighs everything else. 0 or less: not the job.
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

/** A cache of a pure function, for as long as the record lives. */
const plainFields = new WeakMap<JsonRecord, ReadonlyMap<string, unknown>>();

/**
 * The value under a name in any spelling, its own spelling first. A record is asked for dozens of names, so its plain
 * names are worked out once.
 */
function named(record: JsonRecord, name: string): unknown {
  if (Object.hasOwn(record, name)) return record[name];
  const known =
    plainFields.get(record) ?? new Map(Object.entries(record).map(([key, value]) => [plainName(key), value]));
  plainFields.set(record, known);
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
  const ownStatus = firstValue([record, ...within], STATUSES);
  if (ownStatus !== undefined) return readStatus(ownStatus);
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
      // A record that is a job itself is no output.
      const isOutput =
        OUTPUTS.test(plainName(key)) && !(isRecord(value) && scoreOf({ record: value, around: [] }, undefined) > 2);
      if (isOutput) others[key] ??= value;
    }
  }
  return readMedia(others, payload);
}

/** An id as text; it may have been sent as a number. */
function idText(value: unknown): string | undefined {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  const text = asText(value);
  return text === "" ? undefined : text;
}

/** The years 2001 to 2100. A job was made between them; a number outside is a length or something else. */
const FIRST_SECOND = 1e9;
const LAST_SECOND = 4_102_444_800;
/** The units in which a time may be counted: how many of them make a second. */
const UNITS = [1, 1e3, 1e6, 1e9];

/** A zone at the end of a written date: `Z`, `UTC`, `GMT`, `+02:00`, `-0700`. */
const ZONE = /(?:z|utc?|gmt|[+-]\d\d(?::?\d\d)?)(?:\s*\(.*\))?$/i;
const ISO_DAY = /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[t\s]+(\d.*))?$/i;
const LONGEST_DATE = 80;

/**
 * Unix seconds from seconds, milliseconds, microseconds or nanoseconds, as a number or a text, or from a written date: ISO
 * with a T or a space, RFC 2822 and what JavaScript prints. A date without a zone is meant in UTC. Undefined for anything
 * else, and for what is not between 2001 and 2100. The specification shows no time of a job.
 */
export function readSeconds(value: unknown): number | undefined {
  if (isRecord(value)) return readSeconds(value.seconds ?? value._seconds ?? value.$date ?? value.$numberLong);
  if (typeof value === "string" && !/^\s*\d+(\.\d+)?\s*$/.test(value)) {
    return value.length > LONGEST_DATE ? undefined : readDate(value.trim());
  }
  const number = asLooseNumber(value);
  if (number === undefined) return undefined;
  for (const unit of UNITS) if (isPlausible(number / unit)) return Math.floor(number / unit);
  return undefined;
}

const isPlausible = (seconds: number) => seconds >= FIRST_SECOND && seconds < LAST_SECOND;

function readDate(text: string): number | undefined {
  const iso = ISO_DAY.exec(text);
  // Only dates that name their day and their year: a text such as "May 7" or "in 5 minutes" is not enough.
  const isWords = /^[a-z]{3,9},?\s/i.test(text) || /^\d\d?[\s-][a-z]{3}/i.test(text);
  if (!iso && !(isWords && /\b\d{4}\b/.test(text) && /\d:\d\d/.test(text))) return undefined;
  const seconds = Date.parse(iso ? isoText(iso) : ZONE.test(text) ? text : `${text} UTC`) / 1000;
  return isPlausible(seconds) ? Math.floor(seconds) : undefined;
}

/** The date as every browser reads it: two digits, a T, a zone with a colon, three digits of a second. */
function isoText([, year, month = "", day = "", rest]: RegExpExecArray): string {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (rest === undefined) return `${date}T00:00:00Z`;
  const zone = ZONE.exec(rest)?.[0] ?? "Z";
  const time = rest.slice(0, ZONE.test(rest) ? -zone.length : undefined).trim();
  const [clock = "", fraction = ""] = time.split(/[.,]/, 2);
  const offset = /^[+-]\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(":", "") || "00"}` : "Z";
  return `${date}T${clock.split(":").length === 2 ? `${clock}:00` : clock}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`;
}

/** A pattern for a time's name in its forms: `created_at`, `dateCreated`, `createTime`, `created_at_ms`, `created`. */
const timeName = (stems: string) =>
  new RegExp(
    `^(?:date|time|ts|job|task|request|gmt|utc)?(?:${stems})(?:at|on|time|date|timestamp|ts)*(?:ms|millis|us|ns|utc|unix|epoch|sec|seconds|iso)*$`,
  );

/** Names of times by their meaning, the likeliest first: when a job was made, and when it ended or changed. */
const TIME_NAMES = [
  timeName("created?|creation|inserted|added|initiated|posted|registered"),
  timeName("submitted|submit|submission|requested|request|received|accepted"),
  timeName("queued?|enqueued?"),
  timeName("started|start|began"),
  /^(?:timestamp|datetime|ts|time|date|ctime)$/,
  timeName("finished|finish|completed|completion|done|ended|end|succeeded|failed|cancell?ed|settled|resolved"),
  timeName("(?:last)?(?:updated|update|modified|changed)"),
];
/** The index of the names that may be about anything, such as the answer itself. */
const OF_ANYTHING = 4;
/** From this index on the names mean an end or a change. */
const ENDED = 5;

const MAX_KNOWN_NAMES = 2000;
/** A cache of a pure function, with no more entries than `MAX_KNOWN_NAMES`. */
const knownNames = new Map<string, number>();

/** The index in `TIME_NAMES` of a plain name, or -1. A list of a thousand jobs has the same few names a thousand times. */
function timeNameIndex(plain: string): number {
  const known = knownNames.get(plain) ?? TIME_NAMES.findIndex((name) => name.test(plain));
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
  knownNames.set(plain, known);
  return known;
}

/** Names of records within a job in which its times may stand. */
const HOLDS_TIMES =
  /^(?:timestamps?|times?|timings?|dates?|metadata|meta|attributes|info|details|audit|stats|metrics|lifecycle)$/;

interface JobTimes {
  createdAtSeconds: number | undefined;
  /** When it ended, where the record says so; else when it last changed. */
  updatedAtSeconds: number | undefined;
}

/**
 * The times of a job under any usual name, from its records, which are looked into one level deep. Unix seconds.
 */
export function readTimes(records: readonly JsonRecord[]): JobTimes {
  const times: (number | undefined)[] = TIME_NAMES.map(() => undefined);
  const note = (record: JsonRecord, isTop: boolean) => {
    for (const [key, value] of Object.entries(record)) {
      const plain = plainName(key);
      const place = timeNameIndex(plain);
      if (place >= 0) times[place] ??= readSeconds(value);
      if (isTop && isRecord(value) && HOLDS_TIMES.test(plain)) note(value, false);
    }
  };
  for (const record of records) note(record, true);
  const first = (some: typeof times) => some.find((time) => time !== undefined);
  return { createdAtSeconds: first(times.slice(0, ENDED)), updatedAtSeconds: first(times.slice(ENDED)) };
}

/**
 * Whether a record says when its job was made, queued or started, under a name that says so: a plain `timestamp` may be the
 * answer's own.
 */
function hasStartTime(record: JsonRecord): boolean {
  return Object.entries(record).some(([key, value]) => {
    const place = timeNameIndex(plainName(key));
    return place >= 0 && place < OF_ANYTHING && readSeconds(value) !== undefined;
  });
}

/**
 * The words of other services that plainly mean one of the three final statuses (spec 3). A word that says so less
 * plainly, such as "ready" or "stopped", is not among them: it means still running.
 */
const STATUS_OF_WORD: Readonly<Record<string, string>> = {
  success: "success",
  successful: "success",
  succeeded: "success",
  succeed: "success",
  complete: "success",
  completed: "success",
  done: "success",
  finished: "success",
  failed: "failed",
  failure: "failed",
  fail: "failed",
  error: "failed",
  errored: "failed",
  rejected: "failed",
  cancelled: "cancelled",
  canceled: "cancelled",
  aborted: "cancelled",
};

/**
 * Words for an end without a result of which the specification does not say that they count as failed. They are final,
 * and stay as they are: a refund is promised for `failed` alone.
 */
const OTHER_END = /^(timed_?out|timeout|expired|nsfw|moderated|(content|request|prompt|input|output)_moderated)$/;

/**
 * Whether polling stops at a status as `readStatus` gives it (spec 3, spec 4.1 rule 2). Any word that is not final
 * means: still running.
 */
export function isFinal(status: string): boolean {
  return status === "success" || hasNoResult(status);
}

/** Whether a status is final and is not success. */
export function hasNoResult(status: string): boolean {
  return status === "failed" || status === "cancelled" || OTHER_END.test(status);
}

/**
 * The studio's own status of a job that the service did not know any more, three times over a minute. It is polled no
 * more.
 */
export const GONE = "gone";

/** Whether a job may still end in some way, as far as the service says. */
export const isJobRunning = ({ status }: { status: string }): boolean => !isFinal(status) && status !== GONE;

/** Whether nobody knows if the charge of an ended job came back: a refund is promised for `failed` alone. */
export const isRefundUnknown = (status: string): boolean =>
  status === GONE || (hasNoResult(status) && status !== "failed");

const LONGEST_WORD = 60;
const STATUS_NAMES = ["state", "status", "phase", "value", "name", "code", "label", "text"];
/** The status before a colon or a bracket, after which its reason comes: `failed: moderation`, `Failed (moderation)`. */
const headOf = (word: string) =>
  /^\s*(failed|cancell?ed|error)\s*[:(]/i.exec(word.slice(0, LONGEST_WORD))?.[1]?.toLowerCase() ?? "";
/** What some services put before each of their statuses: `JOB_STATE_`, `TASK_STATUS_`. */
const PREFIX = /^(?:[a-z]+_)?(?:state|status)_(?=[a-z])/;
/** `task_failed`, `JobCompleted`, `status.success`: the word after the noun decides. */
const NOUN = /^(?:job|task|request|run|prediction|generation|status|state)_/;

/**
 * A status in one spelling: small letters with underscores between words, whatever it was sent in, and one word for each
 * final status of the specification. A missing one is `unknown`, which is not final.
 */
export function readStatus(value: unknown): string {
  const word = (isRecord(value) ? ownString(value, ...STATUS_NAMES) : asText(value)) ?? "";
  const plain = word
    .slice(0, LONGEST_WORD)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "")
    .replace(PREFIX, "");
  if (plain === "") return "unknown";
  return meaning(plain) ?? meaning(plain.replace(NOUN, "")) ?? meaning(headOf(word)) ?? plain;
}

function meaning(word: string): string | undefined {
  return Object.hasOwn(STATUS_OF_WORD, word) ? STATUS_OF_WORD[word] : undefined;
}
