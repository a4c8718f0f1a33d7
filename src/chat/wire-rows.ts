import { isRecord } from "#lib/json.ts";
import { openRows } from "#storage/database.ts";
import type { RowChange } from "#storage/row.ts";
import { putChange, type RowKind, readOne } from "#storage/typed-rows.ts";
import { readWire, trimWire } from "./stored-wire.ts";
import type { WireLog } from "./wire-log.ts";

/** Logs that are kept for one connection; with every new one the oldest goes. */
export const MOST_KEPT = 40;

/** Which logs are kept, the oldest first. */
type Kept = readonly { turnId: string; conversationId: string }[];

const logRows: RowKind<WireLog> = { store: "chats", version: 1, read: readWire };
const keptRows: RowKind<Kept> = {
  store: "chats",
  version: 1,
  read: (body) =>
    Array.isArray(body)
      ? body.flatMap((one: unknown) =>
          isRecord(one) && typeof one.turnId === "string" && typeof one.conversationId === "string"
            ? [{ turnId: one.turnId, conversationId: one.conversationId }]
            : [],
        )
      : undefined,
};

const wireScope = (accountId: string) => `${accountId}|wires`;
const keptKey = (accountId: string) => `${wireScope(accountId)}|kept`;
const logKey = (accountId: string, turnId: string) => `${wireScope(accountId)}|log|${turnId}`;

/** Writes down what went over the wire for one answer. The key is in no log. What cannot be written lives as long as the page. */
export async function saveWire(accountId: string, conversationId: string, turnId: string, log: WireLog): Promise<void> {
  const trimmed = trimWire(log);
  if (trimmed === undefined || trimmed.exchanges.length === 0) return;
  await changeKept(accountId, (kept) => [...kept.filter((one) => one.turnId !== turnId), { turnId, conversationId }], [
    putChange(logRows, wireScope(accountId), logKey(accountId, turnId), trimmed),
  ]);
}

export async function loadWire(accountId: string, turnId: string): Promise<WireLog | undefined> {
  return readOne(await openRows(), logRows, logKey(accountId, turnId));
}

/** Forgets the logs of a conversation, or of those of its answers that `isGone`. */
export async function removeWires(
  accountId: string,
  conversationId: string,
  isGone: (turnId: string) => boolean = () => true,
): Promise<void> {
  await changeKept(accountId, (kept) => kept.filter((one) => one.conversationId !== conversationId || !isGone(one.turnId)));
}

/** Changes which logs are kept; those that no longer are go in the same step. */
async function changeKept(accountId: string, change: (kept: Kept) => Kept, more: RowChange[] = []): Promise<void> {
  const rows = await openRows();
  const key = keptKey(accountId);
  await rows
    .edit({ store: "chats", key }, (row) => {
      const before = (row && keptRows.read(row.body, row)) ?? [];
      const after = change(before).slice(-MOST_KEPT);
      if (after.length === before.length && more.length === 0) return { changes: [], result: undefined };
      const gone = before.filter(({ turnId }) => !after.some((one) => one.turnId === turnId));
      const removals = gone.map(({ turnId }) => ({
        kind: "remove" as const,
        store: "chats" as const,
        key: logKey(accountId, turnId),
      }));
      return { changes: [putChange(keptRows, wireScope(accountId), key, after), ...removals, ...more], result: undefined };
    })
    .catch(() => {});
}
