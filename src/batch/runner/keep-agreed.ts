import { randomId } from "#lib/random-id.ts";
import { type Batch, type BatchGroup, type BatchItem, isAgreed } from "#storage/stored-batches.ts";

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
function asDraft(after: BatchItem, before: BatchItem | undefined, intents: ReadonlySet<string>): BatchItem {
  const { priceMicroUsd: _price, earlierIntentIds: _earlier, ...draft } = after;
  const isFree = before?.intentId === draft.intentId || !intents.has(draft.intentId);
  return {
    ...draft,
    intentId: isFree ? draft.intentId : randomId(),
    ...(before?.earlierIntentIds ? { earlierIntentIds: before.earlierIntentIds } : {}),
  };
}

/** Those runs that are missing in a list, put back behind the one that they followed. */
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
    const draft = asDraft(own, known, intents);
    intents.add(draft.intentId);
    return draft;
  });
  const all = withMissing(items, before.items);
  return { ...after, id: before.id, items: all, groups: groupsFor(all, after.groups, before) };
}
