import { isFinal } from "#api/jobs.ts";
import type { FileFacts, Job, MediaItem, MediaKind } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asNumber, asRecord, asText, isRecord, type JsonRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "./keys.ts";
import { readFileFacts } from "./stored-files.ts";
import type { RowKind } from "./typed-rows.ts";

/**
 * How a job came to be known. `answered`: the response to its submit named it. `recovered`: that response was lost, and the
 * job list showed it for certain. `probable`: the same, but other jobs appeared meanwhile. `duplicate`: it appeared beside
 * the one that was asked for. `imported`: somebody else's submit, taken over by the person.
 */
export type JobOrigin = "answered" | "recovered" | "probable" | "duplicate" | "imported";

/**
 * How each origin is spelled in the stored jobs and in the ledger. Version 0.1 reads these spellings and no others (it
 * would take an unknown one of a job for `adopted`, and put a ledger line aside), so they go on being written.
 */
const STORED_SPELLING: Record<JobOrigin, { jobs: string; ledger: string }> = {
  answered: { jobs: "submitted", ledger: "submit-accepted" },
  recovered: { jobs: "recovered", ledger: "found-in-list" },
  probable: { jobs: "probable", ledger: "probably-ours" },
  duplicate: { jobs: "duplicate", ledger: "appeared-beside" },
  imported: { jobs: "adopted", ledger: "brought-in" },
};

export const JOB_ORIGINS = Object.keys(STORED_SPELLING) as JobOrigin[];

/** The origin in any spelling that was ever stored; undefined for anything else. */
export function readJobOrigin(raw: unknown): JobOrigin | undefined {
  return JOB_ORIGINS.find((origin) => {
    const { jobs, ledger } = STORED_SPELLING[origin];
    return raw === origin || raw === jobs || raw === ledger;
  });
}

/** The spelling of an origin in one of the two stores. */
export function storedOrigin(origin: JobOrigin, store: "jobs" | "ledger"): string {
  return STORED_SPELLING[origin][store];
}

/**
 * A job as this browser knows it: what the service last reported, and beside it what no service reports. The fields below are
 * absent where they are not known, so that a job as it was just reported is a record, too.
 */
export interface JobRecord extends Job {
  /**
   * The exact charge where it is known: the estimate of the payload that was sent (spec 2). It stands here beside the row of
   * its run, because a refund is written from the job's row alone, also once the run's has gone.
   */
  priceMicroUsd?: MicroUsd | undefined;
  /** What its payload costs today, for a job from elsewhere. The exact price wins where there is one. */
  estimatedMicroUsd?: MicroUsd | undefined;
  /** The start of the day in which the service lists it, Unix seconds, or `EARLIER`: for a record without a time. */
  daySeconds?: number | undefined;
  /** Read from the job's own record, which has files that a list leaves out. This field is never stored. */
  isReadHere?: true | undefined;
  /** Its prompt, where the payload is not at hand. */
  prompt?: string | undefined;
  /** How this browser came to follow the job. Absent for a job that is only listed, or read for a screen. */
  origin?: JobOrigin | undefined;
  /** When it was sent, if it was sent from here; else when the service made it. Unix milliseconds. */
  submittedAtMs?: number | undefined;
  /** When this browser first saw a final status. */
  finishedAtMs?: number | undefined;
  /** When the service last reported something new of it, by this device's clock. */
  reportedAtMs?: number | undefined;
  /** What its files turned out to be when they were shown here, in their order. It stays when they expire. */
  files?: FileFacts[] | undefined;
  /** What the model's schema named as defaults when the result was first shown here. */
  defaults?: JsonRecord | undefined;
}

/**
 * A job that this browser follows until it is final: a row of the store `jobs`. Its status is `gone` once the service no
 * longer knows it, and its payload is the one that was sent from here, else the one that the service repeats.
 */
export type TrackedJob = JobRecord & { origin: JobOrigin; submittedAtMs: number };

/** What is followed of a job before the service has reported more than that it is there. */
export function newRecord(known: Pick<TrackedJob, "requestId" | "origin" | "submittedAtMs"> & Partial<JobRecord>) {
  return { ...NOTHING_REPORTED, ...known };
}

const NOTHING_REPORTED = {
  model: undefined,
  status: "queued",
  media: [],
  payload: undefined,
  createdAtSeconds: undefined,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
};

/** Whether a record contains the payload of its job. Services that do not report it may give an empty record. */
export const hasPayload = ({ payload }: Pick<Job, "payload">) =>
  payload !== undefined && Object.keys(payload).length > 0;

/**
 * Merges a report of a job, or what is known of it from elsewhere, into its record. A final status never goes back. The
 * payload that was sent from here stays, and so does what the report leaves out: a list may contain no more of a job than
 * its status. Files stay where the report has no outcome. An empty outcome may mean that they were deleted.
 */
export function mergeRecords<Known extends JobRecord>(known: Known, reported: JobRecord): Known {
  if (isFinal(known.status) && !isFinal(reported.status)) return known;
  const isSame = known.status === reported.status;
  const estimatedMicroUsd = reported.estimatedMicroUsd ?? known.estimatedMicroUsd;
  const saysNothingOfFiles =
    reported.lacksOutcome === true || (known.isReadHere === true && reported.isReadHere !== true);
  const keepsFiles = isSame && reported.media.length === 0 && saysNothingOfFiles && known.media.length > 0;
  return {
    ...known,
    model: known.model ?? reported.model,
    status: reported.status,
    media: keepsFiles ? known.media : reported.media,
    // A report of the same status has shown an outcome before.
    lacksOutcome: keepsFiles || (isSame && known.lacksOutcome !== true) ? undefined : reported.lacksOutcome,
    payload: hasPayload(known) ? known.payload : (reported.payload ?? known.payload),
    createdAtSeconds: reported.createdAtSeconds ?? known.createdAtSeconds,
    updatedAtSeconds: reported.updatedAtSeconds ?? (isSame ? known.updatedAtSeconds : undefined),
    failureReason: reported.failureReason ?? (isSame ? known.failureReason : undefined),
    raw: reported.raw,
    prompt: known.prompt ?? reported.prompt,
    ...(reported.isReadHere ? { isReadHere: true } : {}),
    priceMicroUsd: known.priceMicroUsd ?? reported.priceMicroUsd,
    ...(estimatedMicroUsd === undefined ? {} : { estimatedMicroUsd }),
  };
}

/** Whether a record says anything that a screen shows and that was not known. */
export function isNews(known: JobRecord, latest: JobRecord): boolean {
  return (
    known.status !== latest.status ||
    known.media.length !== latest.media.length ||
    known.media[0]?.url !== latest.media[0]?.url ||
    known.failureReason !== latest.failureReason ||
    (known.lacksOutcome === true) !== (latest.lacksOutcome === true) ||
    known.createdAtSeconds !== latest.createdAtSeconds ||
    known.estimatedMicroUsd !== latest.estimatedMicroUsd ||
    (latest.priceMicroUsd !== undefined && latest.priceMicroUsd !== known.priceMicroUsd) ||
    (known.payload === undefined && latest.payload !== undefined)
  );
}

/**
 * The report that came last, except that a final status never goes back, and that one which says nothing of an outcome takes
 * no files away.
 */
export function getLaterReport<Report extends Job>(known: Report | undefined, reported: Report): Report {
  if (known === undefined || !isFinal(known.status)) return reported;
  const isSilent = known.status === reported.status && reported.lacksOutcome === true && known.media.length > 0;
  return isSilent || !isFinal(reported.status) ? known : reported;
}

/** How far a time by the service's whole seconds may be from the same time by this browser's clock. */
const NEAR_MS = 2000;
/** A shorter time is no measurement. */
const SHORTEST_MS = 100;

/**
 * How long a job took, in ms: by this browser's clock where it watched it from the submit to the end, else by the service's
 * whole seconds. Undefined where neither is known, and while it runs.
 */
export function tookMs(job: JobRecord): number | undefined {
  const { status, createdAtSeconds, updatedAtSeconds, submittedAtMs, finishedAtMs, origin } = job;
  if (!isFinal(status)) return undefined;
  const isTimed =
    createdAtSeconds !== undefined && updatedAtSeconds !== undefined && updatedAtSeconds > createdAtSeconds;
  const reported = isTimed ? (updatedAtSeconds - createdAtSeconds) * 1000 : undefined;
  const isOwn = origin !== undefined && isClaim(origin) && submittedAtMs !== undefined && finishedAtMs !== undefined;
  const watched = isOwn ? finishedAtMs - submittedAtMs : undefined;
  // A page that was closed meanwhile saw the end late.
  const isNear = watched !== undefined && (reported === undefined || Math.abs(watched - reported) <= NEAR_MS);
  const took = isNear ? watched : reported;
  return took !== undefined && took >= SHORTEST_MS ? took : undefined;
}

/** A followed job with what the service reports now. `nowMs`: when it did, where the report does not say. */
export function withReported(tracked: TrackedJob, reported: JobRecord, nowMs: number): TrackedJob {
  // Since this response left the service, another tab has read the files that it lacks.
  const isOlder = reported.reportedAtMs !== undefined && (tracked.reportedAtMs ?? 0) > reported.reportedAtMs;
  if (isOlder && tracked.status === reported.status && tracked.media.length > 0 && reported.media.length === 0)
    return tracked;
  const next = mergeRecords(tracked, reported);
  if (next === tracked) return tracked;
  const isOver = isFinal(next.status);
  const reportedAtMs = reported.reportedAtMs ?? nowMs;
  return { ...next, reportedAtMs, ...(isOver ? { finishedAtMs: tracked.finishedAtMs ?? nowMs } : {}) };
}

// Outcomes may hold whole files inline. What can be read again from the service stays out of the database.
const MAX_RAW_CHARACTERS = 32_000;

/** A record as it is stored: without files that came inline and without a large response, for the service has both. */
export function withoutBulk<Known extends JobRecord>(record: Known): Known {
  const isSmall = JSON.stringify(record.raw).length <= MAX_RAW_CHARACTERS;
  const media = record.media.filter(({ url }) => !/^(data|blob):/.test(url));
  if (isSmall && media.length === record.media.length) return record;
  const lacksOutcome = record.lacksOutcome === true || (media.length === 0 && record.media.length > 0);
  return { ...record, media, raw: {}, ...(lacksOutcome ? { lacksOutcome } : {}) };
}

/**
 * A job as the index has it, or within the row of a followed one: read field by field as untrusted data. Fields of a wrong
 * type are left out, and so are files that cannot be read. Undefined where it is no job.
 */
export function readStoredJob(raw: unknown): JobRecord | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  if (!Array.isArray(raw.media)) return undefined;
  const { priceMicroUsd, estimatedMicroUsd, prompt } = raw;
  const payload = isRecord(raw.payload) ? raw.payload : undefined;
  return {
    requestId: raw.requestId,
    model: asText(raw.model),
    status: raw.status,
    media: raw.media.flatMap((item: unknown) => readStoredMedia(item) ?? []),
    payload,
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
    failureReason: asText(raw.failureReason),
    ...(raw.lacksOutcome === true ? { lacksOutcome: true } : {}),
    raw: asRecord(raw.raw),
    priceMicroUsd: isMicroUsd(priceMicroUsd) ? priceMicroUsd : undefined,
    ...(isMicroUsd(estimatedMicroUsd) ? { estimatedMicroUsd } : {}),
    // A payload that was too large to be stored has left its prompt.
    ...(payload === undefined && typeof prompt === "string" && prompt !== "" ? { prompt } : {}),
  };
}

const MEDIA_KINDS: readonly MediaKind[] = ["image", "video", "audio", "other"];

/** A file as it was stored: untrusted, undefined where it is not a file. */
function readStoredMedia(raw: unknown): MediaItem | undefined {
  if (!isRecord(raw) || typeof raw.url !== "string") return undefined;
  const posterUrl = asText(raw.posterUrl);
  return {
    id: asText(raw.id) ?? raw.url,
    kind: MEDIA_KINDS.find((kind) => kind === raw.kind) ?? "other",
    url: raw.url,
    ...readFileFacts(raw),
    ...(posterUrl === undefined ? {} : { posterUrl }),
    ...(raw.isElsewhere === true ? { isElsewhere: true } : {}),
  };
}

/**
 * Rows of followed jobs. Version 0.1 reads and writes them, too, so they have its form: what the service reported stands
 * in `job`, and model, payload and status stand beside it once more.
 */
export const trackedRows: RowKind<TrackedJob> = {
  store: "jobs",
  version: ROW_VERSIONS.jobs,
  read: (body) => {
    if (!isRecord(body) || typeof body.requestId !== "string" || typeof body.submittedAtMs !== "number")
      return undefined;
    const reported: JobRecord = readStoredJob(body.job) ?? { ...NOTHING_REPORTED, requestId: body.requestId };
    const sent = asRecord(body.payload);
    const status = asText(body.status) ?? "queued";
    // Version 0.1 left files out that came inline and did not say so. Its rows do not say when they were reported.
    const isEmpty = reported.status === "success" && reported.media.length === 0;
    const isSilent = isEmpty && typeof body.reportedAtMs !== "number";
    return {
      ...reported,
      ...(isSilent ? { lacksOutcome: true } : {}),
      requestId: body.requestId,
      model: asText(body.model) ?? reported.model,
      payload: hasPayload({ payload: sent }) ? sent : reported.payload,
      // Version 0.1 wrote over the status of a job that was deleted at the service long after its end.
      status: isFinal(reported.status) && !isFinal(status) ? reported.status : status,
      priceMicroUsd: isMicroUsd(body.priceMicroUsd) ? body.priceMicroUsd : undefined,
      submittedAtMs: body.submittedAtMs,
      origin: readJobOrigin(body.origin) ?? "imported",
      ...(typeof body.finishedAtMs === "number" ? { finishedAtMs: body.finishedAtMs } : {}),
      ...(typeof body.reportedAtMs === "number" ? { reportedAtMs: body.reportedAtMs } : {}),
      ...(Array.isArray(body.files) ? { files: body.files.map(readFileFacts) } : {}),
      ...(isRecord(body.defaults) ? { defaults: body.defaults } : {}),
    };
  },
  write: ({ origin, priceMicroUsd, submittedAtMs, finishedAtMs, reportedAtMs, files, defaults, ...job }) => ({
    requestId: job.requestId,
    model: job.model,
    payload: job.payload ?? {},
    priceMicroUsd,
    submittedAtMs,
    status: job.status,
    origin: storedOrigin(origin, "jobs"),
    ...(finishedAtMs === undefined ? {} : { finishedAtMs }),
    ...(reportedAtMs === undefined ? {} : { reportedAtMs }),
    job,
    ...(files === undefined ? {} : { files }),
    ...(defaults === undefined ? {} : { defaults }),
  }),
};

/**
 * Whether a job of this origin belongs to an intent. Jobs that were imported, or reported as duplicates, belong to none yet:
 * they may turn out to be the one that an open attempt waits for.
 */
export const isClaim = (origin: JobOrigin) => origin !== "imported" && origin !== "duplicate";

/** The key of a tracked job's row. It has the account in it: two accounts may know one job. */
export const trackedKey = (accountId: string, requestId: string) => `${accountId}|${requestId}`;
