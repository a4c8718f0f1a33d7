import type { RowChange } from "#storage/row.ts";
import { readAll } from "#storage/typed-rows.ts";
import { batchRows } from "../batch/batch-row.ts";
import { allIntents, outboxChange } from "./outbox.ts";
import { isUnsettled, type OutboxRow, outboxRows } from "./outbox-row.ts";
import { GIVE_UP_MS } from "./reconcile.ts";
import type { SubmitEffects } from "./submit-effects.ts";

const KEPT_MS = 30 * 86_400_000;
const MOST_KEPT = 1000;
const AT_ONCE = 100;

/** Whether nothing is to be looked for, or to be audited, any more. */
function isOver(row: OutboxRow): boolean {
  if (isUnsettled(row.state) || row.auditDueAtMs !== undefined) return false;
  return row.state !== "absent" || row.waitedMs >= GIVE_UP_MS;
}

/** The change that lightens or removes a row that is over; undefined where it stays as it is. */
function pruned(accountId: string, row: OutboxRow, isOld: boolean): RowChange | undefined {
  if (isOld) return { kind: "remove", store: "outbox", key: row.intentId };
  // The list before the submit was for looking and for the audit, and may hold a thousand ids.
  return row.baseline.length > 0 ? outboxChange(accountId, { ...row, baseline: [] }) : undefined;
}

/**
 * Removes intents that were settled and audited more than 30 days ago, or before the newest 1,000. Their ledger lines
 * and jobs stay. One that is open, or to be audited, or part of a line of runs is never removed: a line is told by them
 * what was sent.
 */
export async function pruneOutbox(fx: SubmitEffects): Promise<void> {
  const newestFirst = (await allIntents(fx)).sort((a, b) => b.sentAtMs - a.sentAtMs);
  const batches = await readAll(fx.rows, batchRows, fx.accountId);
  const linedUp = new Set(batches.flatMap(({ items }) => items.map(({ intentId }) => intentId)));
  const oldest = fx.nowMs() - KEPT_MS;
  const old = new Set(
    newestFirst
      .filter(({ intentId, sentAtMs }, index) => !linedUp.has(intentId) && (sentAtMs < oldest || index >= MOST_KEPT))
      .map(({ intentId }) => intentId),
  );
  const due = newestFirst.filter((row) => isOver(row) && pruned(fx.accountId, row, old.has(row.intentId)));
  for (let from = 0; from < due.length; from += AT_ONCE) {
    const keys = due.slice(from, from + AT_ONCE).map(({ intentId }) => ({ store: "outbox" as const, key: intentId }));
    const [first, ...reads] = keys;
    if (!first) return;
    await fx.rows.edit({ ...first, reads }, (current, others) => ({
      result: undefined,
      changes: [current, ...others].flatMap((stored) => {
        const row = stored && stored.v <= outboxRows.version ? outboxRows.read(stored.body, stored) : undefined;
        return row && isOver(row) ? (pruned(fx.accountId, row, old.has(row.intentId)) ?? []) : [];
      }),
    }));
  }
}
