import type { JobRequest } from "#api/types.ts";
import { isRecord } from "#lib/json.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { RowKind } from "#storage/typed-rows.ts";
import type { BodyKind } from "./submit-effects.ts";
import type { AcceptedHow, Refusal } from "./submit-state.ts";

/**
 * `sending` is written before each POST; found by a later page it means that the answer is lost. `absent`: enough looks
 * found no job. `not-sent`: the row was written and the POST was not made.
 */
export const OUTBOX_STATES = [
  "sending",
  "retrying",
  "unconfirmed",
  "absent",
  "accepted",
  "rejected",
  "not-sent",
] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

/** One consent to spend. Its key is the intent id, so that a second tab with the same draft cannot send it again. */
export interface OutboxRow {
  intentId: string;
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  state: OutboxState;
  attempt: number;
  bodyKind: BodyKind;
  /** Wall clock of the last attempt. For people; nothing is concluded from it. */
  sentAtMs: number;
  /** Fixed lower bound of every list call of this intent, so that the set difference is exact. */
  listedAfterSeconds: number;
  /** Job ids of the model that the list showed before anything was sent. */
  baseline: string[];
  /** Some job in the baseline was not ours: other clients use this key too. */
  shared: boolean;
  goodLooks: number;
  /** Time spent looking since the attempt ended, by clocks that never go back, over all pages. */
  waitedMs: number;
  surelyCharged: boolean;
  /** The person has read that no job was found. The looking goes on for a while all the same. */
  dismissed: boolean;
  requestIds: string[];
  how: AcceptedHow | undefined;
  refusal: Refusal | undefined;
  /** When the audit for jobs that the network made twice is due; undefined once it is done or was never needed. */
  auditDueAtMs: number | undefined;
  settledAtMs: number | undefined;
}

/** States in which the outcome is open: they hold the model's slot. */
export function isUnsettled(state: OutboxState): boolean {
  return state === "sending" || state === "retrying" || state === "unconfirmed";
}

export const slotOf = (accountId: string, model: string) => `${accountId}|${model}`;

const text = (value: unknown) => (typeof value === "string" ? value : undefined);
const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const strings = (value: unknown) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);
const oneOf = <T extends string>(value: unknown, words: readonly T[]): T | undefined =>
  words.find((word) => word === value);

function readRequest(raw: unknown): JobRequest | undefined {
  return isRecord(raw) && typeof raw.model === "string" && isRecord(raw.payload)
    ? { model: raw.model, payload: raw.payload }
    : undefined;
}

function readRefusal(raw: unknown): Refusal | undefined {
  return isRecord(raw) && typeof raw.status === "number" && typeof raw.message === "string"
    ? { status: raw.status, message: raw.message }
    : undefined;
}

export const outboxRows: RowKind<OutboxRow> = {
  store: "outbox",
  version: 1,
  read: (raw) => {
    if (!isRecord(raw)) return undefined;
    const intentId = text(raw.intentId);
    const request = readRequest(raw.request);
    const state = oneOf(raw.state, OUTBOX_STATES);
    if (!intentId || !request || !state || !isMicroUsd(raw.priceMicroUsd)) return undefined;
    return {
      intentId,
      request,
      state,
      priceMicroUsd: raw.priceMicroUsd,
      attempt: number(raw.attempt) ?? 1,
      bodyKind: oneOf<BodyKind>(raw.bodyKind, ["stream", "relay", "plain"]) ?? "plain",
      sentAtMs: number(raw.sentAtMs) ?? 0,
      listedAfterSeconds: number(raw.listedAfterSeconds) ?? 0,
      baseline: strings(raw.baseline),
      shared: raw.shared === true,
      goodLooks: number(raw.goodLooks) ?? 0,
      waitedMs: number(raw.waitedMs) ?? 0,
      surelyCharged: raw.surelyCharged === true,
      dismissed: raw.dismissed === true,
      requestIds: strings(raw.requestIds),
      how: oneOf<AcceptedHow>(raw.how, ["answered", "recovered", "probable"]),
      refusal: readRefusal(raw.refusal),
      auditDueAtMs: number(raw.auditDueAtMs),
      settledAtMs: number(raw.settledAtMs),
    };
  },
};
