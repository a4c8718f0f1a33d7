// Every write of a batch. Each is one transaction over all tabs, and each but `editBatch` may touch runs that were agreed to.

import type { MicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { sameJson } from "#lib/read.ts";
import { projectsKey, readCurrentProject } from "#runs/ledger/spend-limits.ts";
import { readMovable } from "#runs/submit/outbox.ts";
import { trackedKey, trackedRows } from "#storage/job-records.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import {
  type Batch,
  type BatchGroup,
  type BatchItem,
  type BatchRules,
  batchKey,
  batchRows,
  DEFAULT_RULES,
  isAgreed,
  MAX_ITEMS,
} from "#storage/stored-batches.ts";
import { putChange, readOne, refuseNewer } from "#storage/typed-rows.ts";
import { canRetry, getItemState, type ItemState, isRetried } from "./batch-views.ts";

/** The place in which the batches of an account are stored. */
export interface BatchPlace {
  rows: RowStore;
  accountId: string;
}

/** More runs than a batch takes. Nothing was stored. */
export class BatchFullError extends Error {
  override name = "BatchFullError";
  constructor(count: number) {
    super(`A batch takes at most ${MAX_ITEMS} runs, and this would make ${count}. Nothing was changed.`);
  }
}

/** A batch without runs, in memory alone. */
export function newBatch(name: string, more: Partial<Batch> = {}): Batch {
  return { id: randomId(), name, createdAtMs: Date.now(), groups: [], items: [], rules: DEFAULT_RULES, ...more };
}

/** What stands in the way of a batch. */
function refuseFull({ items }: Batch): BatchFullError | undefined {
  return items.length > MAX_ITEMS ? new BatchFullError(items.length) : undefined;
}

/**
 * Stores a new batch under its project, or the current one. Nothing is sent by it. Rejects with a `BatchFullError`, and with
 * `StorageError` where nothing was written.
 */
export async function addBatch({ rows, accountId }: BatchPlace, batch: Batch): Promise<void> {
  const full = refuseFull(batch);
  if (full) throw full;
  const key = batchKey(accountId, batch.id);
  const reads = [{ store: "settings" as const, key: projectsKey(accountId) }];
  await rows.edit({ store: "batches", key, reads }, (_current, [projects]) => {
    const projectId = batch.projectId ?? readCurrentProject(projects);
    const spent = projectId === undefined ? batch : { ...batch, projectId };
    return { changes: [putChange(batchRows, accountId, key, spent)], result: undefined };
  });
}

type Reads = { store: "outbox" | "jobs"; key: string }[];

/**
 * One transaction. Resolves to the batch as it was written; to undefined where it does not exist, or stays as it is. */
async function write(
  { rows, accountId }: BatchPlace,
  id: string,
  change: (batch: Batch, reads: (StoredRow | undefined)[]) => Batch | undefined,
  reads: Reads = [],
): Promise<Batch | undefined> {
  const key = batchKey(accountId, id);
  const result = await rows.edit<Batch | undefined | BatchFullError>({ store: "batches", key, reads }, (row, found) => {
    refuseNewer(batchRows, row);
    const before = row && batchRows.read(row.body, row);
    const after = before && change(before, found);
    if (!after || after === before) return { changes: [], result: undefined };
    const full = refuseFull(after);
    if (full) return { changes: [], result: full };
    const written = { ...after, revision: (before.revision ?? 0) + 1 };
    return { changes: [putChange(batchRows, accountId, key, written)], result: written };
  });
  if (result instanceof BatchFullError) throw result;
  return result;
}

const withItem = (batch: Batch, id: string, change: (item: BatchItem) => BatchItem | undefined): Batch => ({
  ...batch,
  items: batch.items.flatMap((item) => (item.id === id ? (change(item) ?? []) : item)),
});

/** Running a batch again puts it back into the queue. */
function undismissed({ isDismissed: _, ...batch }: Batch): Batch {
  return batch;
}

/**
 * Changes the table of a batch. `change` is pure. Runs that were agreed to stay as they are, whatever it returns for them,
 * but for their place, their group and `isRejected`. Resolves to the batch as it was written, undefined where it stays as it
 * is. Rejects with a `BatchFullError`, and with `StorageError` where nothing was written.
 */
export function editBatch(where: BatchPlace, id: string, change: (batch: Batch) => Batch): Promise<Batch | undefined> {
  return write(where, id, (batch) => keepAgreed(batch, change(batch)));
}

/**
 * The person agrees to the exact prices of these drafts, by their ids, in micro-USD: from now on they wait to be sent. A row
 * that is not `priced` as it stands, because it was changed just now, stays a draft. Rejects with `StorageError`; then nothing
 * was agreed to.
 */
export async function agreeToRun(
  where: BatchPlace,
  id: string,
  prices: ReadonlyMap<string, MicroUsd>,
  priced?: readonly BatchItem[],
): Promise<void> {
  const requests = priced && new Map(priced.map((item) => [item.id, item.request]));
  await write(where, id, (batch) => {
    const items = batch.items.map((item) => {
      const isPriced = requests === undefined || sameJson(requests.get(item.id), item.request);
      const priceMicroUsd = isAgreed(item) || item.unavailable || !isPriced ? undefined : prices.get(item.id);
      return priceMicroUsd === undefined ? item : { ...item, priceMicroUsd };
    });
    return { ...undismissed(batch), items };
  });
}

/** Whether a run has left, or may have, by its row in the outbox. One that cannot be read may have. */
const mayHaveLeft = (row: StoredRow | undefined) => row !== undefined && readMovable(row)?.state !== "not-sent";

/** A run as a draft again. An attempt that never left is remembered: the service may name a job of it after all. */
function asDraft({ priceMicroUsd: _, ...item }: BatchItem, row: StoredRow | undefined): BatchItem {
  if (!row) return item;
  return { ...item, intentId: randomId(), earlierIntentIds: [...(item.earlierIntentIds ?? []), item.intentId] };
}

const outboxReads = (items: readonly BatchItem[]): Reads =>
  items.map(({ intentId }) => ({ store: "outbox", key: intentId }));

/**
 * Every run that waits becomes a draft again, or those with these ids; never one that was sent, or is on its way to the
 * service (`sendingNow`, intents). Rejects with `StorageError`; then nothing was changed.
 */
export async function cancelWaiting(
  where: BatchPlace,
  id: string,
  sendingNow: ReadonlySet<string>,
  itemIds?: ReadonlySet<string>,
): Promise<void> {
  const known = await readOne(where.rows, batchRows, batchKey(where.accountId, id));
  const asked = (known?.items ?? []).filter(
    (item) => isAgreed(item) && !sendingNow.has(item.intentId) && (itemIds?.has(item.id) ?? true),
  );
  await write(
    where,
    id,
    (batch, rows) => {
      const rowOf = new Map(asked.map(({ intentId }, index) => [intentId, rows[index]]));
      const isWaiting = ({ intentId }: BatchItem) => rowOf.has(intentId) && !mayHaveLeft(rowOf.get(intentId));
      if (!batch.items.some(isWaiting)) return undefined;
      const items = batch.items.map((item) => (isWaiting(item) ? asDraft(item, rowOf.get(item.intentId)) : item));
      return { ...batch, items };
    },
    outboxReads(asked),
  );
}

/**
 * Takes out a run that was never sent. One with a row in the outbox stays: it may have become a job. Rejects with
 * `StorageError`.
 */
export async function removeItem(where: BatchPlace, id: string, itemId: string): Promise<void> {
  const item = await findItem(where, id, itemId);
  if (!item) return;
  await write(
    where,
    id,
    (batch, [row]) =>
      mayHaveLeft(row)
        ? undefined
        : withItem(batch, itemId, (now) => (now.intentId === item.intentId ? undefined : now)),
    outboxReads([item]),
  );
}

async function findItem({ rows, accountId }: BatchPlace, id: string, itemId: string): Promise<BatchItem | undefined> {
  const batch = await readOne(rows, batchRows, batchKey(accountId, id));
  return batch?.items.find((item) => item.id === itemId);
}

/**
 * Another attempt of a run, as another consent at the price that was agreed to, where the state of the one before allows
 * it. All of it is decided in one transaction, so that two tabs make one attempt of it. Resolves to whether it was made.
 */
async function renewIntent(
  where: BatchPlace,
  id: string,
  itemId: string,
  mayRenew: (state: ItemState, item: BatchItem) => boolean,
): Promise<boolean> {
  const { rows, accountId } = where;
  const known = await findItem(where, id, itemId);
  const sent = known && (await rows.get("outbox", known.intentId));
  const requestIds = (sent && readMovable(sent)?.requestIds) ?? [];
  if (!known || !sent) return false;
  const jobReads: Reads = requestIds.map((requestId) => ({ store: "jobs", key: trackedKey(accountId, requestId) }));
  const written = await write(
    where,
    id,
    (batch, [row, ...jobs]) => {
      const item = batch.items.find((one) => one.id === itemId);
      if (!item || !isAgreed(item) || item.intentId !== known.intentId) return undefined;
      const tracked = jobs.flatMap((job) => (job && trackedRows.read(job.body, job)) ?? []);
      const state = getItemState(item, {
        intent: () => row && readMovable(row),
        job: (requestId) => tracked.find((job) => job.requestId === requestId),
      });
      if (!mayRenew(state, item)) return undefined;
      const earlierIntentIds = [...(item.earlierIntentIds ?? []), item.intentId];
      return withItem(undismissed(batch), itemId, () => ({ ...item, intentId: randomId(), earlierIntentIds }));
    },
    [...outboxReads([known]), ...jobReads],
  );
  return written !== undefined;
}

/**
 * The person asks for another attempt of a run that was refused, whose job ended without a result, or was not found: it
 * waits again, at the price that was agreed to. Nothing changes where the run stands otherwise. Rejects with `StorageError`.
 */
export async function retryItem(where: BatchPlace, id: string, itemId: string): Promise<void> {
  await renewIntent(where, id, itemId, canRetry);
}

/** The rules ask for another attempt, see `isRetried`. Resolves to whether there is one. Rejects with `StorageError`. */
export function retryFailed(where: BatchPlace, id: string, itemId: string, rules: BatchRules): Promise<boolean> {
  return renewIntent(where, id, itemId, (state, item) => isRetried({ item, state }, rules));
}

/**
 * Puts a run that was sent back into its batch as it was sent: another tab may have taken it out, or its consent, just
 * before. Rejects with `StorageError`.
 */
export async function restoreSent(where: BatchPlace, id: string, sent: BatchItem): Promise<void> {
  await write(where, id, (batch) => {
    const now = batch.items.find((item) => item.id === sent.id);
    if (!now) return { ...batch, items: [...batch.items, sent] };
    // Another attempt was agreed to since, and remembers this one.
    if (isAgreed(now)) return undefined;
    return withItem(batch, sent.id, () => sent);
  });
}

/** Takes a batch out of the queue, or puts it back. It stays among the batches. Rejects with `StorageError`. */
export async function dismissBatch(where: BatchPlace, id: string, isDismissed = true): Promise<void> {
  await write(where, id, (batch) =>
    (batch.isDismissed ?? false) === isDismissed
      ? undefined
      : isDismissed
        ? { ...batch, isDismissed: true }
        : undismissed(batch),
  );
}

/** Deletes a batch. Its jobs stay. Rejects with `StorageError`. */
export async function removeBatch({ rows, accountId }: BatchPlace, id: string): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, (row) => {
    refuseNewer(batchRows, row);
    return { changes: [{ kind: "remove", store: "batches", key }], result: undefined };
  });
}

/** A run that was agreed to, with what may still change of it. */
function withAgreed(before: BatchItem, after: BatchItem): BatchItem {
  const { id, request, intentId } = before;
  const { priceMicroUsd: _price, earlierIntentIds: _earlier, ...more } = after;
  return {
    ...more,
    id,
    request,
    intentId,
    ...(before.priceMicroUsd === undefined ? {} : { priceMicroUsd: before.priceMicroUsd }),
    ...(before.earlierIntentIds ? { earlierIntentIds: before.earlierIntentIds } : {}),
  };
}

/** A run that nobody has agreed to. It keeps its own intent, and gets a new one where another run has it. */
function asOwnDraft(after: BatchItem, before: BatchItem | undefined, intents: ReadonlySet<string>): BatchItem {
  const { priceMicroUsd: _price, earlierIntentIds: _earlier, ...draft } = after;
  const isFree = before?.intentId === draft.intentId || !intents.has(draft.intentId);
  return {
    ...draft,
    intentId: isFree ? draft.intentId : randomId(),
    ...(before?.earlierIntentIds ? { earlierIntentIds: before.earlierIntentIds } : {}),
  };
}

/** A list with the agreed runs that are missing in it, each put back after the one that it followed. */
function withMissing(items: readonly BatchItem[], before: readonly BatchItem[]): readonly BatchItem[] {
  const present = new Set(items.map(({ id }) => id));
  if (before.every((item) => !isAgreed(item) || present.has(item.id))) return items;
  const result = [...items];
  let place = 0;
  for (const item of before) {
    if (present.has(item.id)) place = result.findIndex(({ id }) => id === item.id) + 1;
    else if (isAgreed(item)) result.splice(place++, 0, item);
  }
  return result;
}

/** The groups of a batch, and those that its runs still name. */
function groupsFor(items: readonly BatchItem[], after: readonly BatchGroup[], before: Batch): readonly BatchGroup[] {
  const known = new Set(after.map(({ id }) => id));
  const named = new Set(items.map(({ groupId }) => groupId));
  const missing = before.groups.filter(({ id }) => named.has(id) && !known.has(id));
  return missing.length > 0 ? [...after, ...missing] : after;
}

/**
 * What a change of the table may make of a batch: runs that the person agreed to stay as they are and where they belong, no run
 * becomes an agreed one by it, and no two runs share an intent. Other acts have functions of their own.
 */
export function keepAgreed(before: Batch, after: Batch): Batch {
  if (after === before) return before;
  const old = new Map(before.items.map((item) => [item.id, item]));
  // An intent stays with the run that had it, wherever a copy of that run stands.
  const intents = new Set(
    before.items.flatMap(({ intentId, earlierIntentIds = [] }) => [intentId, ...earlierIntentIds]),
  );
  const ids = new Set<string>();
  const items = after.items.map((item) => {
    const known = ids.has(item.id) ? undefined : old.get(item.id);
    const own = ids.has(item.id) ? { ...item, id: randomId() } : item;
    ids.add(own.id);
    if (known === item) return known;
    if (known && isAgreed(known)) return withAgreed(known, item);
    const draft = asOwnDraft(own, known, intents);
    intents.add(draft.intentId);
    return draft;
  });
  const all = withMissing(items, before.items);
  return { ...after, id: before.id, items: all, groups: groupsFor(all, after.groups, before) };
}
