import { sameJson } from "#lib/read.ts";
import type { DeletedMedia } from "#media/deleted-media.ts";
import type { Batch, BatchItem } from "#storage/stored-batches.ts";
import { type BatchSums, batchSums, type ItemView, type Sent, viewItem } from "./item-states.ts";

/** A batch as it is stored, with what was sent of it. */
export interface StoredView {
  batch: Batch;
  items: readonly ItemView[];
  sums: BatchSums;
}

interface Sources {
  batches: readonly Batch[];
  sent: Sent;
  /** A run whose file was deleted waits no longer. */
  deleted: DeletedMedia;
}

/** A batch that was read anew, with the very objects of the one before where they say the same. */
export function shareBatch(before: Batch | undefined, now: Batch): Batch {
  if (before === undefined || before === now) return now;
  const old = new Map(before.items.map((item) => [item.id, item]));
  const shared = now.items.map((item): BatchItem => {
    const known = old.get(item.id);
    return known && sameJson(known, item) ? known : item;
  });
  const isEqual = shared.length === before.items.length && shared.every((item, index) => item === before.items[index]);
  const items = isEqual ? before.items : shared;
  const groups = sameJson(before.groups, now.groups) ? before.groups : now.groups;
  const rules = sameJson(before.rules, now.rules) ? before.rules : now.rules;
  const next = { ...now, items, groups, rules };
  const isWhole = isEqual && groups === before.groups && rules === before.rules;
  return isWhole && sameJson({ ...before, items, groups, rules }, next) ? before : next;
}

const isSameView = (a: ItemView, b: ItemView) =>
  sameJson(a.state, b.state) && sameJson(a.money, b.money) && sameJson(a.earlierJobs, b.earlierJobs);

/**
 * Batches with what was sent of them, by what is stored. Whatever did not change since the last call is the same object as
 * then, down to a run: thousands of rows are shown, and most of them do not change. Nothing in here throws.
 */
export function createBatchViews(): (sources: Sources) => readonly StoredView[] {
  let last: { sources: Sources; views: readonly StoredView[] } | undefined;
  let lastViews = new Map<string, StoredView>();

  function view(batch: Batch, sent: Sent): StoredView {
    const before = lastViews.get(batch.id);
    const shared = shareBatch(before?.batch, batch);
    const known = new Map(before?.items.map((one) => [one.item, one]));
    const items = shared.items.map((item): ItemView => {
      const now = viewItem(item, sent);
      const was = known.get(item);
      return was && isSameView(was, now) ? was : now;
    });
    const isSameItems =
      before?.items.length === items.length && items.every((item, index) => item === before.items[index]);
    if (before && isSameItems && shared === before.batch) return before;
    return { batch: shared, items: isSameItems ? before.items : items, sums: batchSums(items, shared.rules) };
  }

  return (sources) => {
    const { batches, sent, deleted } = sources;
    const was = last?.sources;
    if (last && was?.batches === batches && was.sent === sent && was.deleted === deleted) return last.views;
    const views = batches.map((batch) => view(batch, sent));
    lastViews = new Map(views.map((one) => [one.batch.id, one]));
    last = { sources, views };
    return views;
  };
}
