import { isRecord } from "#lib/read.ts";
import { wipeArea } from "./browser-store.ts";
import { announceWipe } from "./changes.ts";
import { openRows } from "./database.ts";
import { LOCKS, leaseKey, STORE_NAMES, type StoreName } from "./keys.ts";
import type { RowStore, StoredRow } from "./rows.ts";

/**
 * Deletes what one account has in this browser: its rows in every store, its keys and its part of shared keys in
 * localStorage, and, here and in every other open tab, what sessionStorage and memory hold of it. The connection itself
 * stays until its key is forgotten. What the service holds stays there. Resolves with the number of rows that were
 * deleted. Rejects with `StorageError` where the rows cannot be deleted; keys may be gone by then, and a second call
 * deletes the rest.
 */
export async function wipe(accountId: string): Promise<number> {
  const rows = await openRows();
  const accountRows = new Map<StoreName, StoredRow[]>();
  for (const store of STORE_NAMES)
    accountRows.set(
      store,
      (await rows.all(store)).filter((row) => isOf(accountId, row)),
    );
  const names = namesIn([...accountRows.values()].flat());
  const wiped = { accountId, isNamed: (text: string) => names.has(text) };
  wipeArea("local", wiped);
  wipeArea("session", wiped);
  for (const [store, found] of accountRows) await removeRows(rows, store, found);
  announceWipe(accountId);
  return [...accountRows.values()].flat().length;
}

/** Whether a row is the account's. Besides its own scope it has some below that, such as the one of its request logs. */
function isOf(accountId: string, { key, scope, body }: StoredRow): boolean {
  if (scope === accountId || scope.startsWith(`${accountId}|`)) return true;
  // A lease belongs to the browser. While a tab holds it, it stays, and with it the rule that one tab polls.
  const isLeased = isRecord(body) && typeof body.untilMs === "number" && body.untilMs > Date.now();
  return key === leaseKey(LOCKS.watch(accountId)) && !isLeased;
}

/** Every word of these rows that may be the id of a job. Some bodies are JSON texts. */
function namesIn(rows: readonly StoredRow[]): Set<string> {
  const names = new Set<string>();
  for (const { key, body } of rows) {
    const text = `${key} ${typeof body === "string" ? body : JSON.stringify(body)}`;
    for (const word of text.split(/[\s"'|,:\\{}[\]]+/)) names.add(word);
  }
  return names;
}

async function removeRows(rows: RowStore, store: StoreName, own: readonly StoredRow[]): Promise<void> {
  const [first] = own;
  if (first === undefined) return;
  await rows.edit({ store, key: first.key }, () => ({
    changes: own.map(({ key }) => ({ kind: "remove", store, key, evenNewer: true })),
    result: undefined,
  }));
}
