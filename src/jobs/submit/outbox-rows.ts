// The stored row of an intent, read back as untrusted data.
import type { JobRequest } from "#api/types.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asFilledText, asNumber, asOneOf, asText, asTexts, isRecord } from "#lib/read.ts";
import { readJobOrigin } from "#storage/job-records.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import type { StoredRow } from "#storage/rows.ts";
import type { RowKind } from "#storage/typed-rows.ts";
import { type BodyKind, OUTBOX_STATES, type OutboxRow, type PossibleJob, type Refusal } from "./submit-state.ts";

const BODY_KINDS: readonly BodyKind[] = ["stream", "relay", "plain"];

function readRequest(raw: unknown): JobRequest | undefined {
  return isRecord(raw) && typeof raw.model === "string" && isRecord(raw.payload)
    ? { model: raw.model, payload: raw.payload }
    : undefined;
}

function readRefusal(raw: unknown): Refusal | undefined {
  return isRecord(raw) && typeof raw.status === "number" && typeof raw.message === "string"
    ? { status: raw.status, message: raw.message, ...(raw.isOfHost === true ? { isOfHost: true } : {}) }
    : undefined;
}

function readPossibleJob(raw: unknown): PossibleJob | undefined {
  if (!isRecord(raw)) return undefined;
  const id = asFilledText(raw.id);
  return id === undefined ? undefined : { id, needsEcho: raw.needsEcho !== false };
}

function readAcceptedOrigin(raw: unknown): OutboxRow["how"] {
  const origin = readJobOrigin(raw);
  return origin === "duplicate" || origin === "imported" ? undefined : origin;
}

export const outboxRows: RowKind<OutboxRow> = {
  store: "outbox",
  version: ROW_VERSIONS.outbox,
  isMoney: true,
  read: (raw, { v }) => {
    if (!isRecord(raw)) return undefined;
    const intentId = asText(raw.intentId);
    const request = readRequest(raw.request);
    const state = asOneOf(raw.state, OUTBOX_STATES);
    if (!intentId || !request || !state || !isMicroUsd(raw.priceMicroUsd)) return undefined;
    return {
      intentId,
      request,
      state,
      priceMicroUsd: raw.priceMicroUsd,
      attempt: asNumber(raw.attempt) ?? 1,
      bodyKind: asOneOf(raw.bodyKind, BODY_KINDS) ?? "plain",
      hostMemory: asText(raw.hostMemory),
      sentAtMs: asNumber(raw.sentAtMs) ?? 0,
      // Version 1 took the window from the device's clock.
      listedAfterSeconds: v < 2 ? 0 : (asNumber(raw.listedAfterSeconds) ?? 0),
      baseline: asTexts(raw.baseline),
      baselineAfterSeconds: asNumber(raw.baselineAfterSeconds) ?? asNumber(raw.listedAfterSeconds) ?? 0,
      shared: raw.shared === true,
      goodLooks: asNumber(raw.goodLooks) ?? 0,
      waitedMs: asNumber(raw.waitedMs) ?? 0,
      possibleJob: readPossibleJob(raw.possibleJob),
      dismissed: raw.dismissed === true,
      requestIds: asTexts(raw.requestIds),
      how: readAcceptedOrigin(raw.how),
      refusal: readRefusal(raw.refusal),
      neverLeft: raw.neverLeft === true,
      auditDueAtMs: asNumber(raw.auditDueAtMs),
      settledAtMs: asNumber(raw.settledAtMs),
      ...(typeof raw.projectId === "string" ? { projectId: raw.projectId } : {}),
    };
  },
};

/** A row that this version may move: not of a newer one, and in a state that it knows. */
export function readRow(stored: StoredRow): OutboxRow | undefined {
  return stored.v > outboxRows.version ? undefined : outboxRows.read(stored.body, stored);
}
