import type { JsonRecord } from "#lib/json.ts";
import type { PlannedFile } from "./catalogue/model-definition.ts";
import { jobStatus, type SandboxJob } from "./sandbox-job.ts";
import { seededHex } from "./seeded-ids.ts";

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
