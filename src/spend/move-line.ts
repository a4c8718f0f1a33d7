import { type LedgerLine, ledgerChange, ledgerRows } from "#runs/ledger/ledger.ts";
import { readReservations, reservationsChange, reservationsKey } from "#runs/ledger/spend-limits.ts";
import { openRows } from "#storage/database.ts";

/**
 * Moves a charge to another project (undefined: to none), together with its reservation under that project's limit. Its refund
 * follows it. Rejects with a `StorageError` when nothing was written.
 */
export async function moveLine(accountId: string, { id }: LedgerLine, projectId: string | undefined): Promise<void> {
  const rows = await openRows();
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
  await rows.edit({ store: "ledger", key: id, reads }, (current, [reserved]) => {
    const line = current && ledgerRows.read(current.body, current);
    if (!line) return { changes: [], result: undefined };
    const { projectId: _, ...withoutProject } = line;
    const moved = projectId === undefined ? withoutProject : { ...withoutProject, projectId };
    const ids = [line.requestId, line.answerId, line.requestId === undefined ? line.intentId : undefined];
    const before = readReservations(reserved);
    const after = before.map((reservation) => {
      if (!ids.includes(reservation.requestId ?? reservation.intentId)) return reservation;
      const { projectId: __, ...unassigned } = reservation;
      return projectId === undefined ? unassigned : { ...unassigned, projectId };
    });
    const isReserved = after.some((reservation, index) => reservation !== before[index]);
    const changes = [ledgerChange(accountId, moved), ...(isReserved ? [reservationsChange(accountId, after)] : [])];
    return { changes, result: undefined };
  });
}
