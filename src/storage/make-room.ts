import { isRecord } from "#lib/json.ts";
import type { RowStore, StoredRow, StoreName } from "./row.ts";

const OLD_CHAT_MS = 30 * 86_400_000;

/** When a row was last changed, where it says so. A row that does not is never old. */
function changedAtMs({ body }: StoredRow): number | undefined {
  const at = isRecord(body) ? (body.changedAtMs ?? body.updatedAtMs ?? body.savedAtMs) : undefined;
  return typeof at === "number" ? at : undefined;
}

async function drop(rows: RowStore, store: StoreName, isDropped: (row: StoredRow) => boolean): Promise<number> {
  const dropped = (await rows.all(store)).filter(isDropped);
  for (const { key } of dropped) {
    await rows.edit({ store, key }, () => ({ changes: [{ kind: "remove", store, key }], result: undefined }));
  }
  return dropped.length;
}

/**
 * Frees space when the disk is full, in the order of what can be had again: thumbnails, what was seen of the history, chats older than 30 days, drafts.
 * The outbox, the ledger and the watched jobs are never dropped. Tells whether anything was.
 */
export async function makeRoom(rows: RowStore, nowMs: number): Promise<boolean> {
  const steps: [StoreName, (row: StoredRow) => boolean][] = [
    ["thumbnails", () => true],
    ["seen", () => true],
    ["chats", (row) => nowMs - (changedAtMs(row) ?? nowMs) > OLD_CHAT_MS],
    ["drafts", () => true],
  ];
  for (const [store, isDropped] of steps) {
    if ((await drop(rows, store, isDropped).catch(() => 0)) > 0) return true;
  }
  return false;
}
