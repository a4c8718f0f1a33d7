import type { Job } from "#api/types.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asNumber, asText, isRecord, type JsonRecord } from "#lib/read.ts";

/*
 * How the version before read its rows of jobs, of the index and of intents, and what it wrote. A tab of it may be open beside
 * this version, and it may be put back. Not to be changed with the product.
 */

/** A followed job: what was sent stands beside what the service reported. */
export interface TrackedBefore {
  requestId: string;
  model: string | undefined;
  payload: JsonRecord;
  priceMicroUsd: number | undefined;
  submittedAtMs: number;
  status: string;
  origin: string;
  finishedAtMs?: number;
  job?: Omit<Job, "lacksOutcome">;
  files?: JsonRecord[];
  defaults?: JsonRecord;
}

function readJobBefore(raw: unknown): TrackedBefore["job"] | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  if (!Array.isArray(raw.media) || !isRecord(raw.raw)) return undefined;
  return {
    requestId: raw.requestId,
    model: asText(raw.model),
    status: raw.status,
    media: raw.media.filter((item) => isRecord(item) && typeof item.url === "string"),
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
    failureReason: asText(raw.failureReason),
    raw: raw.raw,
  };
}

export function readTrackedBefore(body: unknown): TrackedBefore | undefined {
  if (!isRecord(body) || typeof body.requestId !== "string" || typeof body.submittedAtMs !== "number") return undefined;
  const job = readJobBefore(body.job);
  return {
    requestId: body.requestId,
    model: asText(body.model),
    payload: isRecord(body.payload) ? body.payload : {},
    priceMicroUsd: isMicroUsd(body.priceMicroUsd) ? body.priceMicroUsd : undefined,
    submittedAtMs: body.submittedAtMs,
    status: asText(body.status) ?? "queued",
    // An unknown spelling was taken for "adopted".
    origin: String(body.origin),
    ...(typeof body.finishedAtMs === "number" ? { finishedAtMs: body.finishedAtMs } : {}),
    ...(job ? { job } : {}),
    ...(Array.isArray(body.files) ? { files: body.files } : {}),
    ...(isRecord(body.defaults) ? { defaults: body.defaults } : {}),
  };
}

/** A job of the index, with its prompt and the shape of its tile. */
export function readEntryBefore(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  return {
    requestId: raw.requestId,
    model: asText(raw.model),
    status: raw.status,
    prompt: asText(raw.prompt) ?? "",
    media: Array.isArray(raw.media) ? raw.media : [],
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    aspect: typeof raw.aspect === "number" && raw.aspect > 0 ? raw.aspect : 1,
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
    failureReason: asText(raw.failureReason),
    priceMicroUsd: isMicroUsd(raw.priceMicroUsd) ? raw.priceMicroUsd : undefined,
    ...(isMicroUsd(raw.estimatedMicroUsd) ? { estimatedMicroUsd: raw.estimatedMicroUsd } : {}),
    ...(raw.lacksOutcome === true ? { lacksOutcome: true } : {}),
  };
}

/** Where the index goes on reading the service's list. */
export function readPlanBefore(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw)) return undefined;
  const { gaps, offset, isUntimed, newestSeconds, fromSeconds } = raw;
  const isBound = (value: unknown) => value === undefined || typeof value === "number";
  if (!Array.isArray(gaps) || typeof offset !== "number" || typeof isUntimed !== "boolean" || !isBound(newestSeconds)) {
    return undefined;
  }
  if (!gaps.every((gap) => isRecord(gap) && isBound(gap.before) && isBound(gap.after))) return undefined;
  return { gaps, offset, isUntimed, newestSeconds, ...(typeof fromSeconds === "number" ? { fromSeconds } : {}) };
}

/** How far an import came. Without `next` it was taken to be at its end, and offered to begin anew. */
export function readImportBefore(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw)) return undefined;
  return { read: asNumber(raw.read) ?? 0, added: asNumber(raw.added) ?? 0, total: asNumber(raw.total), next: raw.next };
}

/** The newest version of an intent's row that it moved, and that it wrote. */
export const INTENT_VERSION_BEFORE = 2;

/**
 * An intent, with the list of jobs that it was compared with in its own row. A row of a newer version that could be read
 * was shown, held its slot, and was moved by nobody: the last is `RowStore.edit`.
 */
export function readIntentBefore(raw: unknown): JsonRecord | undefined {
  if (!isRecord(raw) || typeof raw.intentId !== "string" || !isRecord(raw.request)) return undefined;
  const { intentId, request, state, priceMicroUsd } = raw;
  const states = ["sending", "retrying", "unconfirmed", "absent", "accepted", "rejected", "not-sent"];
  if (typeof request.model !== "string" || !isRecord(request.payload)) return undefined;
  if (!states.includes(String(state)) || !isMicroUsd(priceMicroUsd)) return undefined;
  return {
    intentId,
    request: { model: request.model, payload: request.payload },
    state,
    priceMicroUsd,
    attempt: asNumber(raw.attempt) ?? 1,
    sentAtMs: asNumber(raw.sentAtMs) ?? 0,
    baseline: Array.isArray(raw.baseline) ? raw.baseline : [],
    requestIds: Array.isArray(raw.requestIds) ? raw.requestIds : [],
    refusal: raw.refusal,
    dismissed: raw.dismissed === true,
    waitedMs: asNumber(raw.waitedMs) ?? 0,
    auditDueAtMs: asNumber(raw.auditDueAtMs),
  };
}
