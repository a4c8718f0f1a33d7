import type { Job } from "#api/types.ts";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { RowKind } from "./typed-rows.ts";

/** How a job came to be ours: the submit answered, its answer was lost and it was found again, or it was brought in. */
export type TrackedOrigin = "submitted" | "recovered" | "probable" | "duplicate" | "adopted";

/** A job this browser keeps an eye on. */
export interface TrackedJob {
  requestId: string;
  /** Absent where the service did not say. */
  model: string | undefined;
  payload: JsonRecord;
  /** The exact charge where it is known: the estimate of the payload that was sent (spec 2). */
  priceMicroUsd: MicroUsd | undefined;
  submittedAtMs: number;
  /** As last told by the service; `unknown` once it no longer knows the job. */
  status: string;
  origin: TrackedOrigin;
  /** When this browser first saw a final status. */
  finishedAtMs?: number;
  /** What the service last told, where anything was read after the submit. */
  job?: Job;
}

/** A job that this studio wrote down or told another tab, read back as untrusted data. */
export function readStoredJob(raw: unknown): Job | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  return Array.isArray(raw.media) && isRecord(raw.raw) ? (raw as unknown as Job) : undefined;
}

const ORIGINS: readonly string[] = [
  "submitted",
  "recovered",
  "probable",
  "duplicate",
  "adopted",
] satisfies TrackedOrigin[];

export const trackedRows: RowKind<TrackedJob> = {
  store: "jobs",
  version: 1,
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
      origin: ORIGINS.includes(String(body.origin)) ? (body.origin as TrackedOrigin) : "adopted",
      ...(typeof body.finishedAtMs === "number" ? { finishedAtMs: body.finishedAtMs } : {}),
      ...(job ? { job } : {}),
    };
  },
};

/** Rows are keyed by accountId and id: two keys may know one job. */
export const trackedKey = (accountId: string, requestId: string) => `${accountId}|${requestId}`;
