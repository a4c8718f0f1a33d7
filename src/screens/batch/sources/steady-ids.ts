import type { Batch, BatchItem } from "#jobs/stored-batches.ts";

/**
 * The same change, whose new runs have the same ids however often it is applied: it is shown first, and then applied again
 * to what is stored. Never throws.
 */
export function withSteadyIds(change: (batch: Batch) => Batch): (batch: Batch) => Batch {
  const made: Pick<BatchItem, "id" | "intentId">[] = [];
  return (before) => {
    const after = change(before);
    const known = new Set(before.items.map(({ id }) => id));
    let at = 0;
    const items = after.items.map((item) => {
      if (known.has(item.id)) return item;
      made[at] ??= { id: item.id, intentId: item.intentId };
      at += 1;
      return { ...item, ...made[at - 1] };
    });
    return at === 0 ? after : { ...after, items };
  };
}
