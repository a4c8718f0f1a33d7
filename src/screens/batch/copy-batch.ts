import { newBatch, newItem } from "#jobs/batch/batch-edits.ts";
import { batchTitle } from "#jobs/batch/batch-words.ts";
import type { Batch } from "#jobs/stored-batches.ts";
import { randomId } from "#lib/random-id.ts";

/** A batch of the same runs, all of them drafts, under the same rules. Nothing is stored yet. Never throws. */
export function copyOfBatch(batch: Batch): Batch {
  const ids = new Map(batch.groups.map(({ id }) => [id, randomId()]));
  return newBatch(`${batchTitle(batch)} (copy)`, {
    groups: batch.groups.map((group) => ({ ...group, id: ids.get(group.id) ?? group.id })),
    items: batch.items.map(({ request, groupId, unavailable, isEdited }) =>
      newItem(request, ids.get(groupId) ?? groupId, {
        ...(unavailable ? { unavailable } : {}),
        ...(isEdited ? { isEdited } : {}),
      }),
    ),
    rules: batch.rules,
    ...(batch.projectId === undefined ? {} : { projectId: batch.projectId }),
  });
}
