import { retryItem } from "#batch/runner/batch-edits.ts";
import { isPaused } from "#batch/runner/batch-words.ts";
import { useBatch } from "#batch/runner/use-batches.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "./batch-document.ts";

/**
 * Asks for another attempt of a run of the batch on the screen. It is submitted right away, unless other runs of a paused
 * batch wait for Resume. A toast says which.
 */
export function useRetry(): (itemId: string) => Promise<void> {
  const document = useBatchDocument();
  const { batch, items, run } = document;
  const { storage, runner } = useBatch(batch.id);
  return async (itemId) => {
    const price = formatMicroUsd(items.find(({ item }) => item.id === itemId)?.item.priceMicroUsd ?? 0);
    try {
      await retryItem(storage, batch.id, itemId);
    } catch {
      toast({ title: "Run not retried", body: "This browser couldn’t save the change.", tone: "error" });
      return;
    }
    const waiting = `Waiting to retry for ${price}`;
    if (isPaused(document)) toast({ title: waiting, body: "Press Resume to submit it.", tone: "info" });
    else if (run.phase === "paused") void runner.start(batch.id);
    else if (run.phase === "running") toast({ title: `Retrying for ${price}`, tone: "info" });
    else toast({ title: waiting, body: "Another tab is submitting this batch.", tone: "info" });
  };
}
