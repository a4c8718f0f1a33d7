import { type LedgerLine, ledgerChange, ledgerRows } from "#runs/ledger/ledger.ts";
import { readReservations, reservationsChange, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { openRows } from "#storage/database.ts";

/**
 * Puts a charge under another project, undefined for none, with what it holds of that project's limit. Its refund goes with
 * it. Rejects with a `StorageError` when nothing was written.
 */
export async function moveLine(accountId: string, { id }: LedgerLine, projectId: string | undefined): Promise<void> {
  const rows = await openRows();
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
  await rows.edit({ store: "ledger", key: id, reads }, (current, [reserved]) => {
    const line = current && ledgerRows.read(current.body, current);
    if (!line) return { changes: [], result: undefined };
    const { projectId: _, ...bare } = line;
    const moved = projectId === undefined ? bare : { ...bare, projectId };
    const ids = [line.requestId, line.answerId, line.requestId === undefined ? line.intentId : undefined];
    const before = readReservations(reserved);
    const after = before.map((one) => {
      if (!ids.includes(one.requestId ?? one.intentId)) return one;
      const { projectId: __, ...free } = one;
      return projectId === undefined ? free : { ...free, projectId };
    });
    const isReserved = after.some((one, index) => one !== before[index]);
    const changes = [ledgerChange(accountId, moved), ...(isReserved ? [reservationsChange(accountId, after)] : [])];
    return { changes, result: undefined };
  });
}
