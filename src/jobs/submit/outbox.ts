// The outbox: one durable row per consent to spend. Rows are untrusted when they are read back, and move by `record` alone.
import type { Job } from "#api/types.ts";
import { ledgerId, ledgerRows } from "#ledger/ledger.ts";
import {
  type BrokenCap,
  brokenCap,
  currentProjectOf,
  type ProjectCap,
  projectsKey,
  type Reservation,
  readLimits,
  readReservations,
  reservationReads,
  reservationsChange,
  reservationsKey,
  withoutHold,
  withReservation,
} from "#ledger/spend-limits.ts";
import { asFilledText } from "#lib/read.ts";
import { isClaim, type JobOrigin, trackedKey, trackedRows } from "#storage/job-records.ts";
import { type EditTarget, type RowChange, type RowStore, SlotTakenError, type StoredRow } from "#storage/rows.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import type { SubmitEffects } from "./effects.ts";
import { outboxRows, readRow } from "./outbox-rows.ts";
import { isUnsettled, type OutboxRow } from "./submit-state.ts";
import { type SubmitEvent, transition, writesLedger } from "./transitions.ts";

type Where = Pick<SubmitEffects, "accountId" | "rows">;
type Timed = Where & Pick<SubmitEffects, "nowMs">;

/** One intent; undefined where there is none, or none that can be read. Rejects when the store cannot be read. */
export async function readIntent({ rows }: Where, intentId: string): Promise<OutboxRow | undefined> {
  const row = await readOne(rows, outboxRows, intentId);
  if (row) forgetSettled(rows, row);
  return row;
}

/** Every readable intent of the account, in no order. Rejects when the store cannot be read. */
export async function allIntents({ accountId, rows }: Where): Promise<OutboxRow[]> {
  const all = await readAll(rows, outboxRows, accountId);
  for (const row of all) forgetSettled(rows, row);
  return all;
}

/**
 * The slot of a model and account, for at most one open attempt: the row of an open outcome holds it, and the store
 * refuses another row with it.
 */
export const slotOf = (accountId: string, model: string) => `${accountId}|${model}`;

/**
 * The change that writes an outbox row. It holds the model's slot exactly as long as the outcome is open. Writes
 * nothing by itself. Never throws.
 */
export function outboxChange(accountId: string, row: OutboxRow): RowChange {
  const slot = isUnsettled(row.state) ? slotOf(accountId, row.request.model) : undefined;
  return putChange(outboxRows, accountId, row.intentId, row, slot);
}

/** What `run.ts` knows of a new intent; the rest of its row follows. */
type NewIntent = Pick<
  OutboxRow,
  | "intentId"
  | "request"
  | "priceMicroUsd"
  | "bodyKind"
  | "hostMemory"
  | "baseline"
  | "listedAfterSeconds"
  | "shared"
  | "projectId"
>;

type Added =
  | { kind: "added"; row: OutboxRow }
  | { kind: "already-sent" | "unsettled" | "newer-version" }
  | ({ kind: "over-cap" } & BrokenCap);

/**
 * Commits a new intent as `sending` and reserves its price, in one transaction over all tabs. Resolves to
 * `already-sent` where its id is known and may have left (another tab sent the same draft), `unsettled` where the model has an open
 * attempt, `newer-version` where that attempt is one that only a newer studio can read, and `over-cap` where a limit would
 * be broken. Rejects with a `StorageError` when nothing was written.
 */
export async function addIntent(
  { accountId, rows, nowMs }: Timed,
  intent: NewIntent,
  projectCap?: ProjectCap,
): Promise<Added> {
  const row: OutboxRow = {
    ...intent,
    state: "sending",
    attempt: 1,
    sentAtMs: nowMs(),
    goodLooks: 0,
    waitedMs: 0,
    baselineAfterSeconds: intent.listedAfterSeconds,
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
    const added = await rows.edit<Added>(target, (current, [held, limits]) => {
      const before = current && readRow(current);
      // A run of a batch that never left keeps its id, and its next attempt gets a number that the host does not know.
      if (before?.state === "not-sent") row.attempt = before.attempt + 1;
      else if (current !== undefined) return { changes: [], result: { kind: "already-sent" } };
      const reservations = readReservations(held);
      const broken = brokenCap(readLimits(limits), reservations, row.priceMicroUsd, row.sentAtMs, projectCap);
      if (broken) return { changes: [], result: { kind: "over-cap", ...broken } };
      const reserved = reservationsChange(accountId, withReservation(reservations, holdOf(row)));
      return { changes: [outboxChange(accountId, row), reserved], result: { kind: "added", row } };
    });
    if (added.kind === "added") remember(rows, accountId, row);
    return added;
  } catch (error) {
    if (!(error instanceof SlotTakenError)) throw error;
    return { kind: (await isHeldByNewer(rows, accountId, row.request.model)) ? "newer-version" : "unsettled" };
  }
}

/** Whether the slot of a model is held by a row that this version cannot read, and so must not touch. */
async function isHeldByNewer(rows: RowStore, accountId: string, model: string): Promise<boolean> {
  const slot = slotOf(accountId, model);
  const holder = (await rows.all("outbox", accountId)).find((stored) => stored.slot === slot);
  return holder !== undefined && readRow(holder) === undefined;
}

/**
 * The open intents that this page wrote, by store. A browser may delete the database under the page, and money may hang
 * on them.
 */
const openHere = new WeakMap<RowStore, Map<string, { accountId: string; row: OutboxRow }>>();
/** Stores that have lost their rows once. */
const lostStores = new WeakSet<RowStore>();

function remember(rows: RowStore, accountId: string, row: OutboxRow): void {
  const open = openHere.get(rows) ?? new Map<string, { accountId: string; row: OutboxRow }>();
  openHere.set(rows, open);
  if (isUnsettled(row.state)) open.set(row.intentId, { accountId, row });
  else open.delete(row.intentId);
}

/** Another tab settled it. */
function forgetSettled(rows: RowStore, row: OutboxRow): void {
  if (!isUnsettled(row.state)) openHere.get(rows)?.delete(row.intentId);
}

/** Takes note that the database has lost its rows: from now on `restoreOpenIntents` writes. Never throws. */
export function noteRowsLost({ rows }: Where): void {
  lostStores.add(rows);
}

/**
 * Writes the open intents of this page again that the database has lost, with what they hold of the budget. Those that
 * are there stay as they are. One that cannot be written, for want of room or because another intent has the model's slot
 * by now, is left for the next call. Never rejects.
 */
export async function restoreOpenIntents({ rows, accountId }: Where): Promise<void> {
  if (!lostStores.has(rows)) return;
  for (const { accountId: owner, row } of [...(openHere.get(rows)?.values() ?? [])]) {
    if (owner !== accountId) continue;
    const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
    const written = rows.edit({ store: "outbox", key: row.intentId, reads }, (current, [held]) => ({
      result: undefined,
      changes: current ? [] : [outboxChange(accountId, row), ...reservationChanges(accountId, row, held, [])],
    }));
    await written.catch(() => {});
  }
}

/**
 * Moves an intent on from what the record says now: applies the table of `transitions.ts` to one event, in one
 * transaction with the ledger, the jobs and the reservations. Resolves to the row as it stands afterwards, moved or not;
 * undefined where there is none that this version may move. An open intent of this page that the database has lost is
 * moved on from memory. Rejects with a `StorageError` when nothing was written.
 */
export async function record(
  { accountId, rows, nowMs }: Timed,
  intentId: string,
  event: SubmitEvent,
): Promise<OutboxRow | undefined> {
  const target: EditTarget = {
    store: "outbox",
    key: intentId,
    also: writesLedger(event) ? ["ledger", "jobs"] : [],
    reads: [
      { store: "settings", key: reservationsKey(accountId) },
      { store: "ledger", key: ledgerId.open(accountId, intentId) },
      ...foundJobs(event).map((job) => ({ store: "jobs" as const, key: trackedKey(accountId, job.requestId) })),
    ],
  };
  const now = nowMs();
  const after = await rows.edit<OutboxRow | undefined>(target, (current, [held, open, ...tracked]) => {
    // A newer studio wrote it and knows more than this page does, so the newer one settles it.
    const remembered = lostStores.has(rows) ? openHere.get(rows)?.get(intentId)?.row : undefined;
    const stored = current ? readRow(current) : remembered;
    const row = stored && inProjectOf(open, stored);
    const unclaimed = row && withoutClaimed(event, row, tracked);
    const step = unclaimed && transition(row, unclaimed, { accountId, nowMs: now });
    if (!step) return { changes: [], result: row };
    const isHeldAsBefore = step.row.state === row.state && step.chargedIds.length === 0;
    const reserved = isHeldAsBefore ? [] : reservationChanges(accountId, step.row, held, step.chargedIds);
    return { changes: [outboxChange(accountId, step.row), ...reserved, ...step.changes], result: step.row };
  });
  if (after) remember(rows, accountId, after);
  return after;
}

/** The row under the project of its line in the ledger: the person may have moved that while the outcome was open. */
function inProjectOf(open: StoredRow | undefined, row: OutboxRow): OutboxRow {
  const line = open && ledgerRows.read(open.body, open);
  if (!line || line.projectId === row.projectId) return row;
  const { projectId: _, ...free } = row;
  return line.projectId === undefined ? free : { ...free, projectId: line.projectId };
}

/** The jobs that the list showed and the event would claim. The job of the service's own answer is no question. */
function foundJobs(event: SubmitEvent): readonly Job[] {
  if (event.kind === "audited") return event.besides;
  return event.kind === "job-known" && event.how !== "answered" ? event.jobs : [];
}

/** The event without the jobs that belong to another intent by now; undefined where none is left. */
function withoutClaimed(
  event: SubmitEvent,
  row: OutboxRow,
  tracked: readonly (StoredRow | undefined)[],
): SubmitEvent | undefined {
  const originOf = (index: number) => {
    const stored = tracked[index];
    return stored && trackedRows.read(stored.body, stored)?.origin;
  };
  if (event.kind === "audited") {
    // Another tab may have got the service's answer about it while this one read the list.
    const isNamed = (origin: JobOrigin | undefined) => origin !== undefined && origin !== "imported";
    return { ...event, besides: event.besides.filter((_, index) => !isNamed(originOf(index))) };
  }
  if (event.kind !== "job-known" || foundJobs(event).length === 0) return event;
  const isFree = ({ requestId }: Job, index: number) => {
    const origin = originOf(index);
    return row.requestIds.includes(requestId) || origin === undefined || !isClaim(origin);
  };
  const [job, ...others] = event.jobs.filter(isFree);
  return job && { ...event, jobs: [job, ...others] };
}

/** What an intent holds of the day's budget until its outcome is known. */
function holdOf({ intentId, sentAtMs, priceMicroUsd, projectId }: OutboxRow): Reservation {
  const of = projectId === undefined ? {} : { projectId };
  return { intentId, atMs: sentAtMs, amountMicroUsd: priceMicroUsd, requestId: undefined, ...of };
}

/** Held while the outcome is open; then one for each job that was charged, those that the network made included. */
function reservationChanges(
  accountId: string,
  row: OutboxRow,
  held: StoredRow | undefined,
  charged: readonly string[],
): RowChange[] {
  const before = readReservations(held);
  const hold = holdOf(row);
  const open = isUnsettled(row.state) ? withReservation(before, hold) : withoutHold(before, row.intentId);
  const after = charged.reduce((all, requestId) => withReservation(all, { ...hold, requestId }), open);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [reservationsChange(accountId, after)];
}

/** The project that is being worked on; none where the row cannot be read. Never rejects. */
export function currentProject({ rows, accountId }: Where): Promise<string | undefined> {
  return rows.get("settings", projectsKey(accountId)).then(currentProjectOf, () => undefined);
}

/** The id of the next consent to spend on a model. All tabs of a browser share it, so that one draft is sent once. */
const intentRows: RowKind<string> = { store: "settings", version: 1, read: asFilledText };
const INTENT_KEY = "intent|";

/** Whether a row of `settings` is such an id, of any account. */
export const isIntentKey = (key: string) => key.startsWith(INTENT_KEY);

/**
 * The current id of a model, minted where there is none or where it is `spent`. Another tab may have minted the next one
 * already: then that is the current one. Rejects with a `StorageError` when a new one could not be written.
 */
export function currentIntent(
  { rows, accountId, newId }: Where & Pick<SubmitEffects, "newId">,
  model: string,
  spent?: string,
): Promise<string> {
  const key = `${INTENT_KEY}${accountId}|${model}`;
  return rows.edit<string>({ store: "settings", key }, (row) => {
    const known = row && intentRows.read(row.body, row);
    if (known !== undefined && known !== spent) return { changes: [], result: known };
    const minted = newId();
    return { changes: [putChange(intentRows, accountId, key, minted)], result: minted };
  });
}
