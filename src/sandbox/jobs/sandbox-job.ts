import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { ModelDefinition, PlannedFile } from "../catalogue/model-definition.ts";
import { FAIL_REASONS, textsWithin } from "../documented-inputs.ts";
import { seededFraction, seededHex } from "../seeded-ids.ts";

/** How a job will end: fixed at submit, reported once its time has come. */
export type JobEnding = { status: "success" } | { status: "cancelled" } | { status: "failed"; reason: string };

/** A job as the sandbox stores it. Times are milliseconds. */
export interface SandboxJob {
  requestId: string;
  user: string;
  organisation: string;
  model: ModelDefinition;
  payload: JsonRecord;
  priceMicroUsd: MicroUsd;
  createdAtMs: number;
  finishesAtMs: number;
  ending: JobEnding;
  files: readonly PlannedFile[];
  /** Ids of the uploaded inputs that its payload names. */
  inputIds: readonly string[];
  mediaDeletedAtMs?: number;
  /** Files that were fetched: the CDN may serve those for a while after a deletion (spec 8). */
  fetchedFiles: Set<number>;
}

/** The status of a job (spec 3): queued until its time has come, then final. Only the clock changes it. */
export function jobStatus(job: SandboxJob, nowMs: number): "queued" | JobEnding["status"] {
  return nowMs < job.finishesAtMs ? "queued" : job.ending.status;
}

interface JobPlan {
  ending: JobEnding;
  /** Seconds of work at speed 1 until the ending; 0 means within the submit. */
  durationSeconds: number;
}

/** Decides at submit how and when a job ends. `missingInput` is an address on the service's storage without a file. */
export function planJob(
  model: ModelDefinition,
  payload: JsonRecord,
  requestId: string,
  missingInput: string | undefined,
): JobPlan {
  const words = textsWithin(payload);
  if (words.includes("stuck:hour")) return { ending: { status: "success" }, durationSeconds: 3600 };
  const durationSeconds = modelSeconds(model, requestId);
  if (words.includes("cancel:operator")) return { ending: { status: "cancelled" }, durationSeconds };
  const reason = model.alwaysFails ?? failReason(words) ?? fetchFailure(words, missingInput);
  return { ending: reason === undefined ? { status: "success" } : { status: "failed", reason }, durationSeconds };
}

function modelSeconds(model: ModelDefinition, requestId: string): number {
  if (model.timing === "sync") return 0;
  const { minSeconds, maxSeconds } = model.timing;
  return minSeconds + Math.round((maxSeconds - minSeconds) * seededFraction("duration", requestId));
}

function failReason(words: string): string | undefined {
  return Object.entries(FAIL_REASONS).find(([word]) => words.includes(word))?.[1];
}

/** Spec 4.1 rule 4: some hosts block fetches from data centers, and the job fails on that address. */
function fetchFailure(words: string, missingInput: string | undefined): string | undefined {
  const refused = /https?:\/\/\S*host-refused\S*/.exec(words)?.[0];
  const address = refused ?? missingInput;
  return address === undefined ? undefined : `Could not fetch the input ${address}: the host refused the request.`;
}

const EXTENSIONS = { png: "png", jpeg: "jpeg", mp4: "mp4", wav: "wav" } as const;

/**
 * The record of a job (spec 2). `outcome` is there only on success; the reason of a failure is in `error`
 * (spec 2 leaves its place open). Times are unix seconds.
 */
export function jobRecord(job: SandboxJob, nowMs: number, base: string): JsonRecord {
  return { ...submitRecord(job, nowMs, base), org_id: job.organisation, is_public: false, payload: job.payload };
}

/** The answer to a submit: the record without the payload, with the outcome where it is there already (spec 2). */
export function submitRecord(job: SandboxJob, nowMs: number, base: string): JsonRecord {
  const status = jobStatus(job, nowMs);
  const created = Math.floor(job.createdAtMs / 1000);
  return {
    request_id: job.requestId,
    model: job.model.id,
    status,
    created_at: created,
    queued_at: created,
    updated_at: status === "queued" ? created : Math.floor(job.finishesAtMs / 1000),
    ...(status === "success"
      ? { outcome: { media_urls: job.files.map((file, index) => mediaItem(job, file, index, base)) } }
      : {}),
    ...(status === "failed" && job.ending.status === "failed" ? { error: job.ending.reason } : {}),
  };
}

function mediaItem(job: SandboxJob, file: PlannedFile, index: number, base: string): JsonRecord {
  const size = file.width === undefined ? {} : { width: file.width, height: file.height };
  return {
    id: String(index),
    type: file.kind,
    url: `${base}/storage/media/${job.requestId}/${mediaFileName(job, index)}`,
    ...size,
  };
}

/** Spec 2: an unguessable address. The token depends on the job's id, which is unguessable itself. */
export function mediaFileName(job: SandboxJob, index: number): string {
  const file = job.files[index];
  return `${seededHex(24, "media", job.requestId, index)}-${index}.${EXTENSIONS[file?.format ?? "png"]}`;
}
