// Every write of a stored batch. Each is one transaction, safe with several tabs. Only the functions with a purpose of their own
// may change runs that the person agreed to; `editBatch`, for everything else, cannot.

import type { MicroUsd } from "#lib/money.ts";
import { formatNumber } from "#lib/numbers.ts";
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

/** Where the batches of one account are stored. */
export interface BatchStorage {
  rows: RowStore;
  accountId: string;
}

/** Thrown where a batch would have more than `MAX_ITEMS` runs. Nothing was stored. */
export class BatchFullError extends Error {
  override name = "BatchFullError";
  constructor(count: number) {
    super(
      `Too many runs: ${formatNumber(count)}. A batch can have up to ${formatNumber(MAX_ITEMS)}. Nothing was changed.`,
    );
  }
}

/** A new batch, which is not stored yet. */
export function newBatch(name: string, more: Partial<Batch> = {}): Batch {
  return { id: randomId(), name, createdAtMs: Date.now(), groups: [], items: [], rules: DEFAULT_RULES, ...more };
}

function fullError({ items }: Batch): BatchFullError | undefined {
  return items.length > MAX_ITEMS ? new BatchFullError(items.length) : undefined;
}

/**
 * Stores a new batch under its project, or the current one. Nothing is sent by it. Rejects with a `BatchFullError`, and with
 * `StorageError` where nothing was written.
 */
export async function addBatch({ rows, accountId }: BatchStorage, batch: Batch): Promise<void> {
  const full = fullError(batch);
  if (full) throw full;
  const key = batchKey(accountId, batch.id);
  const reads = [{ store: "settings" as const, key: projectsKey(accountId) }];
  await rows.edit({ store: "batches", key, reads }, (_current, [projects]) => {
    const projectId = batch.projectId ?? readCurrentProject(projects);
    const stored = projectId === undefined ? batch : { ...batch, projectId };
    return { changes: [putChange(batchRows, accountId, key, stored)], result: undefined };
  });
}

type Reads = { store: "outbox" | "jobs"; key: string }[];

/**
 * Changes a batch in one transaction, with the rows of `reads` as they are in it. Resolves to the batch as it was written;
 * undefined where it does not exist or did not change. Rejects with a `BatchFullError` or a `StorageError`.
 */
async function write(
  { rows, accountId }: BatchStorage,
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
    const full = fullError(after);
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

/** The batch, shown in the queue again. */
function undismissed({ isDismissed: _, ...batch }: Batch): Batch {
  return batch;
}

/**
 * Changes the table of a batch. `change` must be pure. Runs that were agreed to stay as they are: it can change only their
 * order, their group and `isRejected`. Resolves to the batch as it was written, undefined where it stays as it
 * is. Rejects with a `BatchFullError`, and with `StorageError` where nothing was written.
 */
export function editBatch(
  storage: BatchStorage,
  id: string,
  change: (batch: Batch) => Batch,
): Promise<Batch | undefined> {
  return write(storage, id, (batch) => keepAgreed(batch, change(batch)));
}

/**
 * Records that the person agrees to the exact prices of drafts, which then wait to be sent. `prices`: micro-USD by the id of the
 * row. `priced`: the rows as they were priced; a row that changed since stays a draft. Rejects with `StorageError`; then
 * nothing was agreed to.
 */
export async function agreeToRun(
  storage: BatchStorage,
  id: string,
  prices: ReadonlyMap<string, MicroUsd>,
  priced?: readonly BatchItem[],
): Promise<void> {
  const requests = priced && new Map(priced.map((item) => [item.id, item.request]));
  await write(storage, id, (batch) => {
    const items = batch.items.map((item) => {
      const isPriced = requests === undefined || sameJson(requests.get(item.id), item.request);
      const priceMicroUsd = isAgreed(item) || item.unavailable || !isPriced ? undefined : prices.get(item.id);
      return priceMicroUsd === undefined ? item : { ...item, priceMicroUsd };
    });
    return { ...undismissed(batch), items };
  });
}

/** Whether a run may have been sent, by its row in the outbox. A row that cannot be read counts as sent. */
const mayBeSent = (row: StoredRow | undefined) => row !== undefined && readMovable(row)?.state !== "not-sent";

/** A run as a draft again. An earlier intent is remembered, because the service may report a job of it after all. */
function asDraft({ priceMicroUsd: _, ...item }: BatchItem, row: StoredRow | undefined): BatchItem {
  if (!row) return item;
  return { ...item, intentId: randomId(), earlierIntentIds: [...(item.earlierIntentIds ?? []), item.intentId] };
}

const outboxReads = (items: readonly BatchItem[]): Reads =>
  items.map(({ intentId }) => ({ store: "outbox", key: intentId }));

/**
 * Makes waiting runs drafts again: all, or those in `itemIds`. Leaves those that were sent or are being sent (`sendingNow`, ids
 * of intents). Rejects with `StorageError`; then nothing was changed.
 */
export async function cancelWaiting(
  storage: BatchStorage,
  id: string,
  sendingNow: ReadonlySet<string>,
  itemIds?: ReadonlySet<string>,
): Promise<void> {
  const known = await readOne(storage.rows, batchRows, batchKey(storage.accountId, id));
  const candidates = (known?.items ?? []).filter(
    (item) => isAgreed(item) && !sendingNow.has(item.intentId) && (itemIds?.has(item.id) ?? true),
  );
  await write(
    storage,
    id,
    (batch, rows) => {
      const rowByIntent = new Map(candidates.map(({ intentId }, index) => [intentId, rows[index]]));
      const isWaiting = ({ intentId }: BatchItem) => rowByIntent.has(intentId) && !mayBeSent(rowByIntent.get(intentId));
      if (!batch.items.some(isWaiting)) return undefined;
      const items = batch.items.map((item) => (isWaiting(item) ? asDraft(item, rowByIntent.get(item.intentId)) : item));
      return { ...batch, items };
    },
    outboxReads(candidates),
  );
}

/**
 * Removes a run that was never sent; one that may have become a job stays. Rejects with `StorageError`.
 */
export async function removeItem(storage: BatchStorage, id: string, itemId: string): Promise<void> {
  const item = await findItem(storage, id, itemId);
  if (!item) return;
  await write(
    storage,
    id,
    (batch, [row]) =>
      mayBeSent(row)
        ? undefined
        : withItem(batch, itemId, (current) => (current.intentId === item.intentId ? undefined : current)),
    outboxReads([item]),
  );
}

async function findItem({ rows, accountId }: BatchStorage, id: string, itemId: string): Promise<BatchItem | undefined> {
  const batch = await readOne(rows, batchRows, batchKey(accountId, id));
  return batch?.items.find((item) => item.id === itemId);
}

/**
 * Gives a run a new intent, for another attempt at the agreed price, where `mayRenew` allows it in its present state. The state
 * is read in the same transaction, so that two tabs make only one attempt. Resolves to whether it was made.
 */
async function renewIntent(
  storage: BatchStorage,
  id: string,
  itemId: string,
  mayRenew: (state: ItemState, item: BatchItem) => boolean,
): Promise<boolean> {
  const { rows, accountId } = storage;
  const known = await findItem(storage, id, itemId);
  const outboxRow = known && (await rows.get("outbox", known.intentId));
  const requestIds = (outboxRow && readMovable(outboxRow)?.requestIds) ?? [];
  if (!known || !outboxRow) return false;
  const jobReads: Reads = requestIds.map((requestId) => ({ store: "jobs", key: trackedKey(accountId, requestId) }));
  const written = await write(
    storage,
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
 * The person asks for another attempt of a run that was refused, brought no result, or whose job was not found (`canRetry`). It
 * waits again, at the agreed price. In any other state nothing changes. Rejects with `StorageError`.
 */
export async function retryItem(storage: BatchStorage, id: string, itemId: string): Promise<void> {
  await renewIntent(storage, id, itemId, canRetry);
}

/** The rules ask for another attempt (`isRetried`). Resolves to whether one was made. Rejects with `StorageError`. */
export function retryFailed(storage: BatchStorage, id: string, itemId: string, rules: BatchRules): Promise<boolean> {
  return renewIntent(storage, id, itemId, (state, item) => isRetried({ item, state }, rules));
}

/**
 * Puts a run that was sent back into its batch. Another tab may have removed it, or made it a draft, just before it was sent.
 * Rejects with `StorageError`.
 */
export async function restoreSent(storage: BatchStorage, id: string, sent: BatchItem): Promise<void> {
  await write(storage, id, (batch) => {
    const current = batch.items.find((item) => item.id === sent.id);
    if (!current) return { ...batch, items: [...batch.items, sent] };
    // The person has agreed to another attempt since, which remembers this one.
    if (isAgreed(current)) return undefined;
    return withItem(batch, sent.id, () => sent);
  });
}

/** Hides a batch in the queue, or shows it again. The list of batches has it either way. Rejects with `StorageError`. */
export async function dismissBatch(storage: BatchStorage, id: string, isDismissed = true): Promise<void> {
  await write(storage, id, (batch) =>
    (batch.isDismissed ?? false) === isDismissed
      ? undefined
      : isDismissed
        ? { ...batch, isDismissed: true }
        : undismissed(batch),
  );
}

/** Deletes a batch. Its jobs stay. Rejects with `StorageError`. */
export async function removeBatch({ rows, accountId }: BatchStorage, id: string): Promise<void> {
  const key = batchKey(accountId, id);
  await rows.edit({ store: "batches", key }, (row) => {
    refuseNewer(batchRows, row);
    return { changes: [{ kind: "remove", store: "batches", key }], result: undefined };
  });
}

/** A run that was agreed to, with the changes of `after` that it allows. */
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

/** A changed or new run as a draft. Its intent is replaced where another run has or had the same. */
function asUniqueDraft(after: BatchItem, before: BatchItem | undefined, intents: ReadonlySet<string>): BatchItem {
  const { priceMicroUsd: _price, earlierIntentIds: _earlier, ...draft } = after;
  const isFree = before?.intentId === draft.intentId || !intents.has(draft.intentId);
  return {
    ...draft,
    intentId: isFree ? draft.intentId : randomId(),
    ...(before?.earlierIntentIds ? { earlierIntentIds: before.earlierIntentIds } : {}),
  };
}

/** Puts back agreed runs that are missing in `items`, each after the run that it followed before. */
function withMissing(items: readonly BatchItem[], before: readonly BatchItem[]): readonly BatchItem[] {
  const present = new Set(items.map(({ id }) => id));
  if (before.every((item) => !isAgreed(item) || present.has(item.id))) return items;
  const result = [...items];
  let index = 0;
  for (const item of before) {
    if (present.has(item.id)) index = result.findIndex(({ id }) => id === item.id) + 1;
    else if (isAgreed(item)) result.splice(index++, 0, item);
  }
  return result;
}

/** The groups after a change, with removed ones that runs still name. */
function groupsFor(items: readonly BatchItem[], after: readonly BatchGroup[], before: Batch): readonly BatchGroup[] {
  const known = new Set(after.map(({ id }) => id));
  const named = new Set(items.map(({ groupId }) => groupId));
  const missing = before.groups.filter(({ id }) => named.has(id) && !known.has(id));
  return missing.length > 0 ? [...after, ...missing] : after;
}

/**
 * Limits what a change of the table can do to a batch: agreed runs stay as they are and cannot be removed, no run becomes an
 * agreed one, and no two runs share an intent.
 */
export function keepAgreed(before: Batch, after: Batch): Batch {
  if (after === before) return before;
  const knownById = new Map(before.items.map((item) => [item.id, item]));
  // An intent stays with the run that had it, and a copy of that run gets a new one.
  const intents = new Set(
    before.items.flatMap(({ intentId, earlierIntentIds = [] }) => [intentId, ...earlierIntentIds]),
  );
  const ids = new Set<string>();
  const items = after.items.map((item) => {
    const known = ids.has(item.id) ? undefined : knownById.get(item.id);
    const withUniqueId = ids.has(item.id) ? { ...item, id: randomId() } : item;
    ids.add(withUniqueId.id);
    if (known === item) return known;
    if (known && isAgreed(known)) return withAgreed(known, item);
    const draft = asUniqueDraft(withUniqueId, known, intents);
    intents.add(draft.intentId);
    return draft;
  });
  const all = withMissing(items, before.items);
  return { ...after, id: before.id, items: all, groups: groupsFor(all, after.groups, before) };
}
