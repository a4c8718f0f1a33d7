import type { MicroUsd } from "#lib/money.ts";
import type { ProjectCap, Reservation } from "#runs/rules/limits.ts";
import type { RowStore } from "#storage/rows.ts";
import { readAll } from "#storage/typed-rows.ts";
import { isCharge, type LedgerLine, ledgerRows } from "./ledger.ts";
import { readProjects } from "./projects.ts";
import { projectsKey } from "./spend-limits.ts";

/**
 * The cap of a project for one decision; undefined where it has none. The ledger is read here, and what was spent or reserved
 * since then by any tab is in the reservations of the decision's own transaction: what both know counts once, so that two
 * tabs cannot pass together. Rejects where the database cannot be read.
 */
export async function readProjectCap(
  rows: RowStore,
  accountId: string,
  projectId: string | undefined,
): Promise<ProjectCap | undefined> {
  if (projectId === undefined) return undefined;
  const { projects } = readProjects(await rows.get("settings", projectsKey(accountId)));
  const capMicroUsd = projects.find(({ id }) => id === projectId)?.capMicroUsd;
  if (capMicroUsd === undefined) return undefined;
  const lines = await readAll(rows, ledgerRows, accountId);
  const refunded = new Set(lines.flatMap(({ kind, requestId }) => (kind === "refunded" ? (requestId ?? []) : [])));
  const spent = lines.filter((line) => line.projectId === projectId && !refunded.has(line.requestId ?? ""));
  return (reservations) => {
    const own = reservations.filter((one) => one.projectId === projectId);
    const reserved = new Map(reservations.map((one) => [idOf(one), one]));
    const before = spent.filter((line) => !isReserved(reserved, line));
    return { capMicroUsd, spentMicroUsd: sum(own.map((one) => one.amountMicroUsd)) + sum(before.map(maxMicroUsd)) };
  };
}

const sum = (amounts: readonly MicroUsd[]) => amounts.reduce((total, amount) => total + amount, 0);

const idOf = ({ intentId, requestId }: Pick<Reservation, "intentId" | "requestId">) => requestId ?? intentId;

function isReserved(
  reserved: ReadonlyMap<string, Reservation>,
  { requestId, intentId, answerId }: LedgerLine,
): boolean {
  const ids = [requestId, answerId, requestId === undefined ? intentId : undefined];
  return ids.some((id) => id !== undefined && reserved.has(id));
}

/** What a line counts for under a cap: of an unknown amount the most that it may be. Estimates count for nothing. */
function maxMicroUsd(line: LedgerLine): MicroUsd {
  const { kind, amountMicroUsd, mostMicroUsd, isEstimated } = line;
  const mayBeCharged = isCharge(line) || kind === "unconfirmed";
  return mayBeCharged && !isEstimated ? (amountMicroUsd ?? mostMicroUsd ?? 0) : 0;
}
