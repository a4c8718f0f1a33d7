import type { FileFacts, Job, MediaItem, MediaKind } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "./keys.ts";
import { readFileFacts } from "./stored-files.ts";
import type { RowKind } from "./typed-rows.ts";

/**
 * How a job came to be known. `answered`: the answer to its submit named it. `recovered`: that answer was lost, and the
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

/** The origin in any spelling that was ever stored; undefined for anything else. Never throws. */
export function readJobOrigin(raw: unknown): JobOrigin | undefined {
  return JOB_ORIGINS.find((origin) => {
    const { jobs, ledger } = STORED_SPELLING[origin];
    return raw === origin || raw === jobs || raw === ledger;
  });
}

/** The spelling of an origin in one of the two stores. Never throws. */
export function storedOrigin(origin: JobOrigin, store: "jobs" | "ledger"): string {
  return STORED_SPELLING[origin][store];
}

/** A job that this browser knows of and watches until it is final. */
export interface TrackedJob {
  requestId: string;
  /** Absent where the service did not say. */
  model: string | undefined;
  payload: JsonRecord;
  /** The exact charge where it is known: the estimate of the payload that was sent (spec 2). */
  priceMicroUsd: MicroUsd | undefined;
  submittedAtMs: number;
  /** As last reported by the service; `gone` once it no longer knows the job. */
  status: string;
  origin: JobOrigin;
  /** When this browser first saw a final status. */
  finishedAtMs?: number;
  /** What the service last reported, where anything was read after the submit. */
  job?: Job;
  /** What its files turned out to be when they were shown here, in their order. It stays when they expire. */
  files?: FileFacts[];
  /** What the model's schema named as defaults when the result was first shown here. */
  defaults?: JsonRecord;
}

/**
 * A job that this studio stored, or sent to another tab, read field by field as untrusted data. Fields of a wrong type
 * are left out, and so are files that cannot be read. Undefined where it is no job. Never throws.
 */
export function readStoredJob(raw: unknown): Job | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  if (!Array.isArray(raw.media) || !isRecord(raw.raw)) return undefined;
  return {
    requestId: raw.requestId,
    model: asString(raw.model),
    status: raw.status,
    media: raw.media.flatMap((item: unknown) => readStoredMedia(item) ?? []),
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
    failureReason: asString(raw.failureReason),
    raw: raw.raw,
  };
}

const MEDIA_KINDS: readonly MediaKind[] = ["image", "video", "audio", "other"];

/** A file as it was stored: untrusted, undefined where it is none. Never throws. */
export function readStoredMedia(raw: unknown): MediaItem | undefined {
  if (!isRecord(raw) || typeof raw.url !== "string") return undefined;
  const posterUrl = asString(raw.posterUrl);
  return {
    id: asString(raw.id) ?? raw.url,
    kind: MEDIA_KINDS.find((kind) => kind === raw.kind) ?? "other",
    url: raw.url,
    ...readFileFacts(raw),
    ...(posterUrl === undefined ? {} : { posterUrl }),
    ...(raw.isElsewhere === true ? { isElsewhere: true } : {}),
  };
}

const asString = (value: unknown) => (typeof value === "string" ? value : undefined);
const asNumber = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);

export const trackedRows: RowKind<TrackedJob> = {
  store: "jobs",
  version: ROW_VERSIONS.jobs,
  read: (body) => {
    if (!isRecord(body) || typeof body.requestId !== "string" || typeof body.submittedAtMs !== "number")
      return undefined;
    const job = readStoredJob(body.job);
    return {
      requestId: body.requestId,
      model: typeof body.model === "string" ? body.model : undefined,
      payload: isRecord(body.payload) ? body.payload : {},
      priceMicroUsd: isMicroUsd(body.priceMicroUsd) ? body.priceMicroUsd : undefined,
      submittedAtMs: body.submittedAtMs,
      status: typeof body.status === "string" ? body.status : "queued",
      origin: readJobOrigin(body.origin) ?? "imported",
      ...(typeof body.finishedAtMs === "number" ? { finishedAtMs: body.finishedAtMs } : {}),
      ...(job ? { job } : {}),
      ...(Array.isArray(body.files) ? { files: body.files.map(readFileFacts) } : {}),
      ...(isRecord(body.defaults) ? { defaults: body.defaults } : {}),
    };
  },
  write: (tracked) => ({ ...tracked, origin: storedOrigin(tracked.origin, "jobs") }),
};

/**
 * Whether a job of this origin belongs to an intent. Jobs that were imported, or reported as duplicates, belong to none yet:
 * they may turn out to be the one that an open attempt waits for. Never throws.
 */
export const isClaim = (origin: JobOrigin) => origin !== "imported" && origin !== "duplicate";

/** The key of a tracked job's row. It has the account in it: two accounts may know one job. Never throws. */
export const trackedKey = (accountId: string, requestId: string) => `${accountId}|${requestId}`;
