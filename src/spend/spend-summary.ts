import { isCharge, type LedgerLine } from "#runs/ledger/ledger.ts";

/**
 * One line with what it counts under. A refund belongs to the charge of its job: to its moment, its model and its project,
 * also where that was moved. So no day is below zero, and a project gets back what it paid.
 */
export interface SpendEntry {
  line: LedgerLine;
  atMs: number;
  model: string | undefined;
  projectId: string | undefined;
  isEstimated: boolean;
}

/** Sums over some lines. Amounts are whole micro-USD; what is estimated or not known is in none of the others. */
export interface SpendSums {
  /** Charged for certain, refunds taken off. */
  chargedMicroUsd: number;
  refundedMicroUsd: number;
  refunds: number;
  /** May have been charged. Of those whose amount is known. */
  pendingMicroUsd: number;
  /** All of them, also those of an unknown amount. */
  pending: number;
  pendingUnknown: number;
  /** Jobs of other clients by today's price, refunds taken off. */
  estimatedMicroUsd: number;
  estimated: number;
  /** Charged at an unknown price. */
  unpriced: number;
  jobs: number;
  answers: number;
  tokens: number;
}

const NOTHING: SpendSums = {
  chargedMicroUsd: 0,
  refundedMicroUsd: 0,
  refunds: 0,
  pendingMicroUsd: 0,
  pending: 0,
  pendingUnknown: 0,
  estimatedMicroUsd: 0,
  estimated: 0,
  unpriced: 0,
  jobs: 0,
  answers: 0,
  tokens: 0,
};

/** The lines with what they count under, newest first. */
export function spendEntries(lines: readonly LedgerLine[]): SpendEntry[] {
  const charges = new Map<string, LedgerLine>();
  for (const line of lines) if (line.requestId !== undefined && isCharge(line)) charges.set(line.requestId, line);
  return lines
    .map((line) => {
      const of = (line.kind === "refunded" && charges.get(line.requestId ?? "")) || line;
      return {
        line,
        atMs: of.atMs,
        model: of.model ?? line.model,
        projectId: of.projectId,
        // Without an amount nothing is estimated: its price is unknown.
        isEstimated: (of.isEstimated ?? line.isEstimated ?? false) && line.amountMicroUsd !== undefined,
      };
    })
    .sort((a, b) => b.line.atMs - a.line.atMs);
}

function add(sums: SpendSums, { line, isEstimated }: SpendEntry): void {
  const { kind, amountMicroUsd, tokens, answerId } = line;
  const amount = amountMicroUsd ?? 0;
  const isUnknown = amountMicroUsd === undefined;
  if (isCharge(line)) {
    if (isEstimated) {
      sums.estimated += 1;
      sums.estimatedMicroUsd += amount;
    } else sums.chargedMicroUsd += amount;
    if (isUnknown) sums.unpriced += 1;
    if (answerId === undefined) sums.jobs += 1;
    else sums.answers += 1;
    sums.tokens += tokens ? tokens.input + tokens.output : 0;
  } else if (kind === "refunded") {
    if (isEstimated) sums.estimatedMicroUsd -= amount;
    else {
      sums.chargedMicroUsd -= amount;
      sums.refundedMicroUsd += amount;
      sums.refunds += 1;
    }
  } else if (kind === "unconfirmed") {
    sums.pending += 1;
    sums.pendingMicroUsd += amount;
    if (isUnknown) sums.pendingUnknown += 1;
  }
}

/** Sums of entries, in whole micro-USD. */
export function sumEntries(entries: readonly SpendEntry[]): SpendSums {
  const sums = { ...NOTHING };
  for (const entry of entries) add(sums, entry);
  return sums;
}

export interface SpendGroup extends SpendSums {
  /** What the group is of; undefined for lines that name none. */
  id: string | undefined;
}

/** Whether anything was or may have been spent. */
const isSpending = ({ jobs, answers, pending, refunds }: SpendSums) => jobs + answers + pending + refunds > 0;

/** Sums by any id, the dearest first. Groups without a charge, a refund or an open charge are left out. */
export function sumBy(entries: readonly SpendEntry[], idOf: (entry: SpendEntry) => string | undefined): SpendGroup[] {
  const groups = new Map<string | undefined, SpendSums>();
  for (const entry of entries) {
    const id = idOf(entry);
    const sums = groups.get(id) ?? { ...NOTHING };
    groups.set(id, sums);
    add(sums, entry);
  }
  const size = (group: SpendSums) => group.chargedMicroUsd + group.estimatedMicroUsd;
  return [...groups]
    .map(([id, sums]) => ({ id, ...sums }))
    .filter(isSpending)
    .sort((a, b) => size(b) - size(a) || b.jobs + b.answers - a.jobs - a.answers);
}
