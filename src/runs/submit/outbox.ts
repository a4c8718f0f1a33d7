// The outbox: one durable row per intent, and one for its baseline. Rows are untrusted when they are read back. `addIntent`
// writes them before a request leaves, also again before another attempt; from then on `record` alone moves them, with the
// ledger, the jobs and the reservations in one transaction.
import type { Job, JobRequest } from "#api/types.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asFilledText, asNumber, asOneOf, asText, asTexts, isRecord } from "#lib/read.ts";
import {
  type LedgerLine,
  ledgerChange,
  ledgerId,
  ledgerRows,
  removeLine,
  trackedChanges,
} from "#runs/ledger/ledger.ts";
import {
  checkStoredLimits,
  projectsKey,
  readCurrentProject,
  readReservations,
  reservationReads,
  reservationsChange,
  reservationsKey,
} from "#runs/ledger/spend-limits.ts";
import {
  type BodyKind,
  type Claim,
  INTENT_STATES,
  type Intent,
  isUnsettled,
  type LineWithoutJob,
  type PossibleJob,
  type Refusal,
  type SubmitEvent,
  transition,
  writesLedger,
} from "#runs/rules/intent.ts";
import {
  type BrokenCap,
  type ProjectCap,
  type Reservation,
  withoutOpenReservation,
  withReservation,
} from "#runs/rules/limits.ts";
import { type Baseline, NO_BASELINE } from "#runs/rules/proofs.ts";
import {
  isClaim,
  type JobOrigin,
  newRecord,
  readJobOrigin,
  trackedKey,
  trackedRows,
  withReported,
} from "#storage/job-records.ts";
import { ROW_VERSIONS } from "#storage/keys.ts";
import { type EditTarget, type RowChange, type RowStore, SlotTakenError, type StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./effects.ts";

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

/** From this version of the outbox on, the baseline of an intent is a row of its own. */
export const BASELINE_ROW_VERSION = 3;
/** The stored word of the state `not-sent`, and the stored `waitedMs`: see `write` below. */
const STORED_NOT_SENT = "never-sent";
const STORED_WAITED_MS = 3_600_000;

/** The rows of intents. A page reads them as untrusted data: of an older version, or changed by hand. */
export const intentRows: RowKind<Intent> = {
  store: "outbox",
  version: ROW_VERSIONS.outbox,
  isMoney: true,
  // A tab of version 2 reads these rows and cannot change them. So three facts are spelled in a way that it does not understand.
  // With `auditDueAtMs` it would repeat an audit without end. With the state `not-sent` it would submit a run without end. With
  // the true `waitedMs` it would poll every few seconds: the large constant makes it poll once a minute at most. `goodLooks` is
  // only the older name.
  write: ({ auditDueAtMs, waitedMs, goodPolls, state, ...row }) => ({
    ...row,
    goodLooks: goodPolls,
    state: state === "not-sent" ? STORED_NOT_SENT : state,
    auditAtMs: auditDueAtMs,
    polledMs: waitedMs,
    waitedMs: STORED_WAITED_MS,
  }),
  read: (raw, { v }) => {
    if (!isRecord(raw)) return undefined;
    const intentId = asText(raw.intentId);
    const request = readRequest(raw.request);
    const state = raw.state === STORED_NOT_SENT ? "not-sent" : asOneOf(raw.state, INTENT_STATES);
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
      goodPolls: asNumber(raw.goodLooks) ?? 0,
      waitedMs: asNumber(v < BASELINE_ROW_VERSION ? raw.waitedMs : raw.polledMs) ?? 0,
      possibleJob: readPossibleJob(raw.possibleJob),
      dismissed: raw.dismissed === true,
      requestIds: asTexts(raw.requestIds),
      how: readAcceptedOrigin(raw.how),
      refusal: readRefusal(raw.refusal),
      neverLeft: raw.neverLeft === true,
      auditDueAtMs: asNumber(v < BASELINE_ROW_VERSION ? raw.auditDueAtMs : raw.auditAtMs),
      settledAtMs: asNumber(raw.settledAtMs),
      ...(typeof raw.projectId === "string" ? { projectId: raw.projectId } : {}),
    };
  },
};

/** The intent of a row that this version may move; undefined for a row of a newer version or in an unknown state. */
export function readMovable(stored: StoredRow): Intent | undefined {
  return stored.v > intentRows.version ? undefined : intentRows.read(stored.body, stored);
}

/**
 * The baseline of an intent is a row of its own: it holds up to thousands of ids, and whoever looks at intents needs none of
 * them. The last audit deletes it; where none follows, the next page that starts does.
 */
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

const BASELINE_SUFFIX = ":list";

/** The key of the row with an intent's baseline. */
export const baselineKey = (intentId: string) => `${intentId}${BASELINE_SUFFIX}`;

/** The intent that a baseline belongs to, by the key of its row. */
export const intentOfBaseline = (key: string) => key.slice(0, -BASELINE_SUFFIX.length);

/** The scope of baselines. It differs from that of intents, so that reading the intents of an account reads no baseline. */
export const baselineScope = (accountId: string) => `${accountId}|lists`;

/** The change that writes the baseline of an intent. Writes nothing by itself. */
export function baselineChange(accountId: string, intentId: string, baseline: Baseline): RowChange {
  return putChange(baselineRows, baselineScope(accountId), baselineKey(intentId), baseline);
}

/** After this much polling in vain, version 2 stopped looking for a job. */
const GIVE_UP_V2_MS = 15 * 60_000;

/** The baseline that stands in the row of an intent itself, up to version 2; undefined from version 3 on. */
function inlineBaseline({ v, body }: StoredRow): Baseline | undefined {
  if (v >= BASELINE_ROW_VERSION || !isRecord(body)) return undefined;
  // Version 2 emptied the list once the intent was settled for good. An empty one then does not say that there were no jobs.
  const isGivenUp = body.state === "absent" && (asNumber(body.waitedMs) ?? 0) >= GIVE_UP_V2_MS;
  const isSettled = isGivenUp || body.state === "accepted" || body.state === "rejected" || body.state === "not-sent";
  if (isSettled && body.auditDueAtMs === undefined && asTexts(body.baseline).length === 0) return undefined;
  // Version 1 took the window of its list from the device's clock.
  const afterSeconds = asNumber(body.baselineAfterSeconds) ?? asNumber(body.listedAfterSeconds) ?? 0;
  return { ids: new Set(asTexts(body.baseline)), afterSeconds };
}

type OutboxAccess = Pick<SubmitEffects, "accountId" | "rows">;
type TimedAccess = OutboxAccess & Pick<SubmitEffects, "nowMs">;

/** One intent; undefined where there is none, or none that can be read. Rejects when the store cannot be read. */
export async function readIntent({ rows }: OutboxAccess, intentId: string): Promise<Intent | undefined> {
  const row = await readOne(rows, intentRows, intentId);
  if (row) forgetSettled(rows, row);
  return row;
}

/** Every readable intent of the account, in no order. Rejects when the store cannot be read. */
export async function readIntents({ accountId, rows }: OutboxAccess): Promise<Intent[]> {
  const all = await readAll(rows, intentRows, accountId);
  for (const row of all) forgetSettled(rows, row);
  return all;
}

/**
 * What the job list showed before an intent was sent. `NO_BASELINE` where that is not there: the database was lost, or the
 * row was imported from another browser without it. Rejects when the store cannot be read.
 */
export async function readBaseline({ rows }: OutboxAccess, { intentId, attempt }: Intent): Promise<Baseline> {
  const open = openIntents.get(rows)?.get(intentId);
  // Another tab may have sent the same intent again, as its next attempt and with a baseline of its own.
  if (open?.baseline && open.row.attempt === attempt) return open.baseline;
  const row = await rows.get("outbox", intentId);
  // Both places are read, in this order: another tab may move the list out of the row in between, and none moves it back.
  const baseline = (row && inlineBaseline(row)) ?? (await readOne(rows, baselineRows, baselineKey(intentId)));
  if (open?.row.attempt === attempt && baseline) open.baseline = baseline;
  return baseline ?? NO_BASELINE;
}

/**
 * The slot of a model and account, for at most one open attempt: the row of an open outcome holds it, and the store
 * refuses another row with it.
 */
export const getAttemptSlot = (accountId: string, model: string) => `${accountId}|${model}`;

/**
 * The change that writes an outbox row. It holds the model's slot exactly as long as the outcome is open. Writes
 * nothing by itself.
 */
export function intentChange(accountId: string, row: Intent): RowChange {
  const slot = isUnsettled(row.state) ? getAttemptSlot(accountId, row.request.model) : undefined;
  return putChange(intentRows, accountId, row.intentId, row, slot);
}

/** What `run.ts` knows of a new intent. `addIntent` fills in the rest. */
type NewIntent = Pick<
  Intent,
  "intentId" | "request" | "priceMicroUsd" | "bodyKind" | "hostMemory" | "listedAfterSeconds" | "shared" | "projectId"
>;

type Added =
  | { kind: "added"; row: Intent }
  | { kind: "already-sent" | "unsettled" | "newer-version" }
  | ({ kind: "over-cap" } & BrokenCap);

/**
 * Commits a new intent as `sending` with its baseline, the ids that the list shows now, and reserves its price, in one
 * transaction over all tabs. Resolves to `already-sent` where its id is known and may have left (another tab sent the same
 * draft), `unsettled` where the model has an open attempt, `newer-version` where that attempt is one that only a newer
 * studio can read, and `over-cap` where a limit would be broken. Rejects with a `StorageError` when nothing was written.
 */
export async function addIntent(
  { accountId, rows, nowMs }: TimedAccess,
  intent: NewIntent,
  listedIds: ReadonlySet<string>,
  projectCap?: ProjectCap,
): Promise<Added> {
  const baseline = { ids: listedIds, afterSeconds: intent.listedAfterSeconds };
  const row: Intent = {
    ...intent,
    state: "sending",
    attempt: 1,
    sentAtMs: nowMs(),
    goodPolls: 0,
    waitedMs: 0,
    possibleJob: undefined,
    dismissed: false,
    requestIds: [],
    how: undefined,
    refusal: undefined,
    neverLeft: false,
    auditDueAtMs: undefined,
    settledAtMs: undefined,
  };
  const target: EditTarget = { store: "outbox", key: row.intentId, reads: reservationReads(accountId) };
  try {
    const added = await rows.edit<Added>(target, (current, stored) => {
      const earlier = current && readMovable(current);
      // A run of a batch that never left keeps its id, and its next attempt gets a number that the host does not know.
      if (earlier?.state === "not-sent") row.attempt = earlier.attempt + 1;
      else if (current !== undefined) return { changes: [], result: { kind: "already-sent" } };
      const { reservations, broken } = checkStoredLimits(stored, row.priceMicroUsd, row.sentAtMs, projectCap);
      if (broken) return { changes: [], result: { kind: "over-cap", ...broken } };
      const reserved = reservationsChange(accountId, withReservation(reservations, createReservation(row)));
      const changes = [intentChange(accountId, row), baselineChange(accountId, row.intentId, baseline), reserved];
      return { changes, result: { kind: "added", row } };
    });
    if (added.kind === "added") remember(rows, accountId, row, baseline);
    return added;
  } catch (error) {
    if (!(error instanceof SlotTakenError)) throw error;
    return { kind: (await isTakenByNewer(rows, accountId, row.request.model)) ? "newer-version" : "unsettled" };
  }
}

/** Whether the slot of a model is taken by a row that this version cannot read, and so must not touch. */
async function isTakenByNewer(rows: RowStore, accountId: string, model: string): Promise<boolean> {
  const slot = getAttemptSlot(accountId, model);
  const holder = (await rows.all("outbox", accountId)).find((stored) => stored.slot === slot);
  return holder !== undefined && readMovable(holder) === undefined;
}

interface OpenIntent {
  accountId: string;
  row: Intent;
  /** Undefined until it was read. */
  baseline: Baseline | undefined;
}

/**
 * The open intents that this page wrote, by store. A browser may delete the database while the page is open, and each of
 * them may be a charge, so they can be written again.
 */
const openIntents = new WeakMap<RowStore, Map<string, OpenIntent>>();
/** Stores that have lost their rows once. */
const lostStores = new WeakSet<RowStore>();

function remember(rows: RowStore, accountId: string, row: Intent, baseline: Baseline | undefined): void {
  const intents = openIntents.get(rows) ?? new Map<string, OpenIntent>();
  openIntents.set(rows, intents);
  if (isUnsettled(row.state)) intents.set(row.intentId, { accountId, row, baseline });
  else intents.delete(row.intentId);
}

/** Drops an intent that another tab has settled. */
function forgetSettled(rows: RowStore, row: Intent): void {
  if (!isUnsettled(row.state)) openIntents.get(rows)?.delete(row.intentId);
}

/** Takes note that the database has lost its rows: from now on `restoreOpenIntents` writes. */
export function noteRowsLost({ rows }: OutboxAccess): void {
  lostStores.add(rows);
}

/**
 * Writes the open intents of this page again that the database has lost, with their reservations. Rows that are still
 * there stay as they are. One that cannot be written, for want of room or because another intent has the model's slot
 * by now, is left for the next call. Never rejects.
 */
export async function restoreOpenIntents({ rows, accountId }: OutboxAccess): Promise<void> {
  if (!lostStores.has(rows)) return;
  for (const { accountId: owner, row, baseline } of [...(openIntents.get(rows)?.values() ?? [])]) {
    if (owner !== accountId) continue;
    const { intentId } = row;
    const reads: EditTarget["reads"] = [
      { store: "settings", key: reservationsKey(accountId) },
      { store: "outbox", key: baselineKey(intentId) },
    ];
    const written = rows.edit({ store: "outbox", key: intentId, reads }, (current, [reserved, storedBaseline]) => {
      const changes = current
        ? []
        : [intentChange(accountId, row), ...reservationChanges(accountId, row, reserved, [])];
      // Another tab may have written the row again without its baseline, which that tab never read.
      const stored = current ? readMovable(current) : row;
      const isSame = stored?.attempt === row.attempt && isUnsettled(stored.state);
      if (baseline && !storedBaseline && isSame) changes.push(baselineChange(accountId, intentId, baseline));
      return { changes, result: undefined };
    });
    await written.catch(() => {});
  }
}

/**
 * Moves an intent on from the state in which it is stored now: applies the table of `#runs/rules/intent.ts` to one event, in one
 * transaction with the ledger, the jobs and the reservations. Resolves to the row as it stands afterwards, moved or not;
 * undefined where there is none that this version may move. An open intent of this page that the database has lost is
 * moved on from memory. Rejects with a `StorageError` when nothing was written, and with a
 * `SlotTakenError` where the intent needs the model's slot and another one has it: the row was lost, or came with an import.
 */
export async function record(
  { accountId, rows, nowMs }: TimedAccess,
  intentId: string,
  event: SubmitEvent,
): Promise<Intent | undefined> {
  // Each page that moves an intent reads its baseline once, so that it can write a lost database again.
  const needsBaseline = openIntents.get(rows)?.get(intentId)?.baseline === undefined;
  const found = foundJobs(event);
  // The line whose project the row follows: before an audit the open one of the intent became the charge of its job.
  const ofJob = event.kind === "audited" ? event.ofJob : undefined;
  const target: EditTarget = {
    store: "outbox",
    key: intentId,
    also: writesLedger(event) ? ["ledger", "jobs"] : [],
    reads: [
      { store: "settings", key: reservationsKey(accountId) },
      {
        store: "ledger",
        key: ofJob === undefined ? ledgerId.open(accountId, intentId) : ledgerId.charge(accountId, ofJob),
      },
      ...found.map((job) => ({ store: "jobs" as const, key: trackedKey(accountId, job.requestId) })),
      ...(needsBaseline ? [{ store: "outbox" as const, key: baselineKey(intentId) }] : []),
    ],
  };
  const atMs = nowMs();
  let baseline: Baseline | undefined;
  const after = await rows.edit<Intent | undefined>(target, (current, [reserved, line, ...jobsAndBaseline]) => {
    const foundRows = jobsAndBaseline.slice(0, found.length);
    const storedBaseline = jobsAndBaseline[found.length];
    const remembered = openIntents.get(rows)?.get(intentId);
    // Rows of an older version have their baseline in them.
    const inline = current && inlineBaseline(current);
    const attempt = current ? intentRows.read(current.body, current)?.attempt : remembered?.row.attempt;
    const cached = remembered?.row.attempt === attempt ? remembered?.baseline : undefined;
    baseline = cached ?? inline ?? (storedBaseline && baselineRows.read(storedBaseline.body, storedBaseline));
    // A row of a newer version is left to a page of that version, which knows more of it than this page does.
    const known = current ? readMovable(current) : lostStores.has(rows) ? remembered?.row : undefined;
    const row = known && withProjectOfLine(line, known);
    const ownEvent = row && withoutClaimed(event, row, foundRows);
    const step = ownEvent && transition(row, ownEvent, atMs);
    if (!step) return { changes: [], result: row };
    // A lost database has lost the reservation as well.
    const isReservationSame = current && step.row.state === row.state && step.chargedIds.length === 0;
    const reservedChanges = isReservationSame ? [] : reservationChanges(accountId, step.row, reserved, step.chargedIds);
    const changes = [intentChange(accountId, step.row), ...reservedChanges];
    if (step.claims.length > 0) changes.push(...claimChanges(accountId, row, step.claims, atMs));
    else if (step.line) changes.push(lineWithoutJob(accountId, row, step.line, atMs));
    if (event.kind === "audited" && event.isLast) changes.push(removeBaseline(intentId));
    // The baseline stood in the row of an older version, or the database has lost both rows.
    else if (baseline && (inline || !current)) changes.push(baselineChange(accountId, intentId, baseline));
    return { changes, result: step.row };
  });
  if (after) remember(rows, accountId, after, baseline);
  return after;
}

/** The change that removes a baseline: after the last audit nothing is compared with it any more. */
export const removeBaseline = (intentId: string): RowChange => ({
  kind: "remove",
  store: "outbox",
  key: baselineKey(intentId),
});

/**
 * The row with the project of its ledger line, because the person may have moved the line to another project. The row has a
 * copy, since a run that is being sent has no line yet. The reservation has one, too, since a limit is checked without reading
 * the ledger. The line is the original: the row follows it here, and `moveLine` moves the reservation with it.
 */
function withProjectOfLine(stored: StoredRow | undefined, row: Intent): Intent {
  const line = stored && ledgerRows.read(stored.body, stored);
  if (!line || line.projectId === row.projectId) return row;
  const { projectId: _, ...rowWithoutProject } = row;
  return line.projectId === undefined ? rowWithoutProject : { ...rowWithoutProject, projectId: line.projectId };
}

/** The jobs that an event would claim from the list. Another intent may have them. A job of the service's own answer is certain. */
function foundJobs(event: SubmitEvent): readonly Job[] {
  if (event.kind === "audited") return event.extraJobs;
  return event.kind === "job-known" && event.how !== "answered" ? event.jobs : [];
}

/** The event without the jobs that belong to another intent by now; undefined where none is left. */
function withoutClaimed(
  event: SubmitEvent,
  row: Intent,
  tracked: readonly (StoredRow | undefined)[],
): SubmitEvent | undefined {
  const getOrigin = (index: number) => {
    const stored = tracked[index];
    return stored && trackedRows.read(stored.body, stored)?.origin;
  };
  if (event.kind === "audited") {
    // Another tab may have recorded such a job as its own while this one read the list.
    const isOwned = (origin: JobOrigin | undefined) => origin !== undefined && origin !== "imported";
    return { ...event, extraJobs: event.extraJobs.filter((_, index) => !isOwned(getOrigin(index))) };
  }
  if (event.kind !== "job-known" || foundJobs(event).length === 0) return event;
  const isFree = ({ requestId }: Job, index: number) => {
    const origin = getOrigin(index);
    return row.requestIds.includes(requestId) || origin === undefined || !isClaim(origin);
  };
  const [job, ...others] = event.jobs.filter(isFree);
  return job && { ...event, jobs: [job, ...others] };
}

/**
 * Makes each claimed job a tracked one, with a charge in the ledger in place of the intent's line without a job. Model, payload
 * and price are copied on purpose: a job is shown, searched and run again like those from elsewhere, which have no intent, and
 * the line in the ledger stays what was agreed to, whatever is later said of the job.
 */
function claimChanges(accountId: string, row: Intent, claims: readonly Claim[], nowMs: number): RowChange[] {
  const { intentId, priceMicroUsd, sentAtMs } = row;
  const { model, payload } = row.request;
  const changes = claims.flatMap(({ job, origin }) => {
    const { requestId } = job;
    const line = ledgerChange(accountId, {
      id: ledgerId.charge(accountId, requestId),
      atMs: sentAtMs,
      kind: origin === "duplicate" ? "possible-duplicate" : "charged",
      evidence: origin,
      amountMicroUsd: priceMicroUsd,
      model,
      requestId,
      intentId,
      ...projectField(row),
    });
    const tracked = newRecord({ requestId, model, payload, priceMicroUsd, submittedAtMs: sentAtMs, origin });
    return [line, ...trackedChanges(accountId, withReported(tracked, job, nowMs))];
  });
  return [removeLine(ledgerId.open(accountId, intentId)), ...changes];
}

/** The project as a field of a line. A refund has none of its own: it follows the charge of its job, also when that is moved. */
const projectField = ({ projectId }: Intent) => (projectId === undefined ? {} : { projectId });

/** What the studio saw, for each line without a job. */
const EVIDENCE: Record<LineWithoutJob, LedgerLine["evidence"]> = {
  "not-charged": "refused",
  unconfirmed: "no-answer",
  absent: "not-in-list",
};

/** A line for an intent without a job, under one id, so that each outcome replaces the one before. */
function lineWithoutJob(accountId: string, row: Intent, kind: LineWithoutJob, nowMs: number): RowChange {
  const isOpen = kind === "unconfirmed";
  return ledgerChange(accountId, {
    id: ledgerId.open(accountId, row.intentId),
    atMs: isOpen ? row.sentAtMs : nowMs,
    kind,
    evidence: EVIDENCE[kind],
    amountMicroUsd: isOpen ? row.priceMicroUsd : 0,
    model: row.request.model,
    requestId: undefined,
    intentId: row.intentId,
    ...projectField(row),
  });
}

/**
 * What an intent reserves under the limits until its outcome is known. It has the amount and the time of its own, because one
 * transaction over all tabs checks the limits by the row of reservations alone, without the ledger and the other intents.
 */
function createReservation({ intentId, sentAtMs, priceMicroUsd, projectId }: Intent): Reservation {
  const project = projectId === undefined ? {} : { projectId };
  return { intentId, atMs: sentAtMs, amountMicroUsd: priceMicroUsd, requestId: undefined, ...project };
}

/** One reservation while the outcome is open, then one for each job that was charged, possible duplicates included. */
function reservationChanges(
  accountId: string,
  row: Intent,
  reserved: StoredRow | undefined,
  charged: readonly string[],
): RowChange[] {
  const before = readReservations(reserved);
  const reservation = createReservation(row);
  const withOpen = isUnsettled(row.state)
    ? withReservation(before, reservation)
    : withoutOpenReservation(before, row.intentId);
  const after = charged.reduce((all, requestId) => withReservation(all, { ...reservation, requestId }), withOpen);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [reservationsChange(accountId, after)];
}

/** The project that is being worked on; none where the row cannot be read. Never rejects. */
export function currentProject({ rows, accountId }: OutboxAccess): Promise<string | undefined> {
  return rows.get("settings", projectsKey(accountId)).then(readCurrentProject, () => undefined);
}

/** The id of the next consent to spend on a model. All tabs of a browser share it, so that one draft is sent once. */
const nextIntentRows: RowKind<string> = { store: "settings", version: 1, read: asFilledText };
const INTENT_KEY = "intent|";

/** Whether a key of the `settings` store is that of a next intent id, of any account. */
export const isIntentKey = (key: string) => key.startsWith(INTENT_KEY);

/**
 * The current id of a model, minted where it is missing or `spent`. Where another tab has minted the next one
 * already, that is the current one. Rejects with a `StorageError` when a new one could not be written.
 */
export function currentIntent(
  { rows, accountId, newId }: OutboxAccess & Pick<SubmitEffects, "newId">,
  model: string,
  spent?: string,
): Promise<string> {
  const key = `${INTENT_KEY}${accountId}|${model}`;
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && nextIntentRows.read(row.body, row);
    if (known !== undefined && known !== spent) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(nextIntentRows, accountId, key, minted)], result: minted };
  });
}
