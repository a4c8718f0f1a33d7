// One consent to spend, as it is stored: its row, the list that it was compared with, and both read back as untrusted data.
import type { JobRequest } from "#api/types.ts";
import { isMicroUsd, type MicroUsd } from "#lib/money.ts";
import { asFilledText, asNumber, asOneOf, asText, asTexts, isRecord } from "#lib/read.ts";
import { type JobOrigin, readJobOrigin } from "#storage/job-records.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import type { RowChange, StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind } from "#storage/typed-rows.ts";

/** How the job of a submit is known to be ours. */
export type AcceptedOrigin = Exclude<JobOrigin, "duplicate" | "imported">;

/** The words of an answer that was no job, a 2xx among them. They are shown in every state that follows from it. */
export interface Refusal {
  status: number;
  message: string;
  /** They are the words of the studio's own host. */
  isOfHost?: boolean;
}

/** An id in an answer that may be the job's. */
export interface PossibleJob {
  id: string;
  /** The answer spoke of an error, so the job may be another one's: only one that repeats what was sent is ours. */
  needsEcho: boolean;
}

/**
 * How the body of a submit travels. `relay`: through the studio's own host, which forwards each attempt once and
 * remembers that it did. Without a host: `stream`, over HTTP/2, which the browser cannot send twice, or `plain`, text,
 * which a browser's network stack may deliver twice when the connection dies, so an audit follows.
 */
export type BodyKind = "stream" | "relay" | "plain";

/** The states of an intent, as stored. What each of them promises is in `transitions.ts` and in the README. */
export const INTENT_STATES = [
  "sending",
  "retrying",
  "unconfirmed",
  "absent",
  "accepted",
  "rejected",
  "not-sent",
] as const;
export type IntentState = (typeof INTENT_STATES)[number];

/** One consent to spend. Its key is the intent id, so that a second tab with the same draft cannot send it again. */
export interface Intent {
  intentId: string;
  request: JobRequest;
  priceMicroUsd: MicroUsd;
  state: IntentState;
  attempt: number;
  bodyKind: BodyKind;
  /** With `relay`: the host's memory that the attempt was given to. Another memory can promise nothing about it. */
  hostMemory: string | undefined;
  /** Wall clock of the last attempt. Shown, and used to tell whether the host can still remember the attempt (`askHost`). */
  sentAtMs: number;
  /**
   * Fixed lower bound of every list call of this intent, in Unix seconds of the service's own clock, so that the set
   * difference is exact. 0: no bound.
   */
  listedAfterSeconds: number;
  /** Some job in the baseline was not ours: other clients use this key too. */
  shared: boolean;
  /** Polls of the job list that could be read and showed no job of this intent. */
  goodLooks: number;
  /** Time spent polling since the attempt ended, by clocks that never go back, over all pages. */
  waitedMs: number;
  /** What the answer named without proof: the service is asked for it before the list. */
  possibleJob: PossibleJob | undefined;
  /** The person has read that no job was found. The polling goes on for a while all the same. */
  dismissed: boolean;
  requestIds: string[];
  how: AcceptedOrigin | undefined;
  refusal: Refusal | undefined;
  /** With `not-sent`: the host promised that the attempt never left it and never will. */
  neverLeft: boolean;
  /** When the audit for jobs that the network made twice is due; undefined once it is done or was never needed. */
  auditDueAtMs: number | undefined;
  settledAtMs: number | undefined;
  /** What it is spent on, as it was chosen when Run was pressed. */
  projectId?: string;
}

/** Whether the outcome is open in a state: then the row holds the model's slot and the price. Never throws. */
export function isUnsettled(state: IntentState): boolean {
  return state === "sending" || state === "retrying" || state === "unconfirmed";
}

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

function readAcceptedOrigin(raw: unknown): Intent["how"] {
  const origin = readJobOrigin(raw);
  return origin === "duplicate" || origin === "imported" ? undefined : origin;
}

/** From this version of its row on, the baseline of an intent is a row of its own. */
export const LIST_APART = 3;
const NOT_SENT_IN_V3 = "never-sent";
const WAITED_LONG_MS = 3_600_000;

export const intentRows: RowKind<Intent> = {
  store: "outbox",
  version: ROW_VERSIONS.outbox,
  isMoney: true,
  // A tab of version 2 reads these rows and cannot change them. If it understood three of their facts, it would repeat an audit
  // that is due and the submit of a run that never left without end, and poll every few seconds for one that is unconfirmed.
  // So they are spelled differently, and `waitedMs` is a large constant: it then polls once a minute at most.
  write: ({ auditDueAtMs, waitedMs, state, ...row }) => ({
    ...row,
    state: state === "not-sent" ? NOT_SENT_IN_V3 : state,
    auditAtMs: auditDueAtMs,
    polledMs: waitedMs,
    waitedMs: WAITED_LONG_MS,
  }),
  read: (raw, { v }) => {
    if (!isRecord(raw)) return undefined;
    const intentId = asText(raw.intentId);
    const request = readRequest(raw.request);
    const state = raw.state === NOT_SENT_IN_V3 ? "not-sent" : asOneOf(raw.state, INTENT_STATES);
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
      shared: raw.shared === true,
      goodLooks: asNumber(raw.goodLooks) ?? 0,
      waitedMs: asNumber(v < LIST_APART ? raw.waitedMs : raw.polledMs) ?? 0,
      possibleJob: readPossibleJob(raw.possibleJob),
      dismissed: raw.dismissed === true,
      requestIds: asTexts(raw.requestIds),
      how: readAcceptedOrigin(raw.how),
      refusal: readRefusal(raw.refusal),
      neverLeft: raw.neverLeft === true,
      auditDueAtMs: asNumber(v < LIST_APART ? raw.auditDueAtMs : raw.auditAtMs),
      settledAtMs: asNumber(raw.settledAtMs),
      ...(typeof raw.projectId === "string" ? { projectId: raw.projectId } : {}),
    };
  },
};

/** A row that this version may move: not of a newer one, and in a state that it knows. */
export function readMovable(stored: StoredRow): Intent | undefined {
  return stored.v > intentRows.version ? undefined : intentRows.read(stored.body, stored);
}

/**
 * What the job list showed of a model before the first attempt of an intent. It is a row of its own: it holds up to
 * thousands of ids, and whoever looks at intents needs none of them. The last audit deletes it; where none follows, the next
 * page that starts.
 */
export interface Baseline {
  ids: ReadonlySet<string>;
  /** It holds the jobs that were made after this, by the service's clock in Unix seconds. */
  afterSeconds: number;
}

/** For an intent whose list is not there: any job may have been there before, so that the list proves none to be new. */
export const NO_BASELINE: Baseline = { ids: new Set(), afterSeconds: Number.POSITIVE_INFINITY };

export const baselineRows: RowKind<Baseline> = {
  store: "outbox",
  version: ROW_VERSIONS.outbox,
  read: (raw) => {
    const afterSeconds = isRecord(raw) ? asNumber(raw.afterSeconds) : undefined;
    if (!isRecord(raw) || !Array.isArray(raw.ids) || afterSeconds === undefined) return undefined;
    return { ids: new Set(asTexts(raw.ids)), afterSeconds };
  },
  write: ({ ids, afterSeconds }) => ({ ids: [...ids], afterSeconds }),
};

/** The key of the row with an intent's baseline. */
export const baselineKey = (intentId: string) => `${intentId}${LIST}`;
const LIST = ":list";

/** The intent that a baseline belongs to, by the key of its row. */
export const intentOfBaseline = (key: string) => key.slice(0, -LIST.length);

/** A scope of its own, so that whoever reads the intents of an account reads no list. */
export const baselineScope = (accountId: string) => `${accountId}|lists`;

/** The change that writes the baseline of an intent. Writes nothing by itself. */
export function baselineChange(accountId: string, intentId: string, baseline: Baseline): RowChange {
  return putChange(baselineRows, baselineScope(accountId), baselineKey(intentId), baseline);
}

/** In version 2 a search that was in vain ended after this. */
const GIVEN_UP_MS = 15 * 60_000;

/** The baseline that stands in the row of an intent itself, up to version 2; undefined from version 3 on. */
export function inlineBaseline({ v, body }: StoredRow): Baseline | undefined {
  if (v >= LIST_APART || !isRecord(body)) return undefined;
  // Once nothing was to be looked for any more, the list was emptied: it does not say that there were no jobs.
  const isAbsent = body.state === "absent" && (asNumber(body.waitedMs) ?? 0) >= GIVEN_UP_MS;
  const isOver = isAbsent || body.state === "accepted" || body.state === "rejected" || body.state === "not-sent";
  if (isOver && body.auditDueAtMs === undefined && asTexts(body.baseline).length === 0) return undefined;
  // Version 1 took the window of its list from the device's clock.
  const afterSeconds = asNumber(body.baselineAfterSeconds) ?? asNumber(body.listedAfterSeconds) ?? 0;
  return { ids: new Set(asTexts(body.baseline)), afterSeconds };
}
