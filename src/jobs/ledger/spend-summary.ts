import type { TrackedJob } from "#storage/tracked-jobs.ts";
import type { LedgerLine } from "./ledger.ts";
import { dayStart } from "./spend-limits.ts";

/** Sums of whole micro-USD over some lines. */
export interface SpendSums {
  chargedMicroUsd: number;
  refundedMicroUsd: number;
  /** May have been charged: no answer came, and the job list is still polled. */
  unconfirmedMicroUsd: number;
  jobs: number;
  /** Jobs whose price this browser does not know. */
  unpriced: number;
}

export interface SpendDay extends SpendSums {
  /** Midnight of the day in the person's own zone, ms. */
  startMs: number;
}

export interface SpendGroup extends SpendSums {
  name: string;
}

const NOTHING: SpendSums = { chargedMicroUsd: 0, refundedMicroUsd: 0, unconfirmedMicroUsd: 0, jobs: 0, unpriced: 0 };

function add(sums: SpendSums, { kind, amountMicroUsd }: LedgerLine): SpendSums {
  const amount = amountMicroUsd ?? 0;
  switch (kind) {
    case "charged":
    case "possible-duplicate":
      return {
        ...sums,
        chargedMicroUsd: sums.chargedMicroUsd + amount,
        jobs: sums.jobs + 1,
        unpriced: sums.unpriced + (amountMicroUsd === undefined ? 1 : 0),
      };
    case "refunded":
      return { ...sums, refundedMicroUsd: sums.refundedMicroUsd + amount };
    case "unconfirmed":
      return { ...sums, unconfirmedMicroUsd: sums.unconfirmedMicroUsd + amount };
    case "not-charged":
    case "absent":
      return sums;
  }
}

/** Sums all lines, in whole micro-USD. Never throws. */
export function sumLines(lines: readonly LedgerLine[]): SpendSums {
  return lines.reduce(add, NOTHING);
}

/** One entry per day from the first to the last, days without a line included, oldest first. Never throws. */
export function sumByDay(lines: readonly LedgerLine[], fromMs: number, toMs: number): SpendDay[] {
  const days = new Map<number, SpendSums>();
  for (let day = dayStart(fromMs); day <= toMs; ) {
    days.set(day, NOTHING);
    const date = new Date(day);
    // By the calendar: a day of a clock change has 23 or 25 hours.
    day = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
  }
  for (const line of lines) {
    const day = dayStart(line.atMs);
    const sums = days.get(day);
    if (sums) days.set(day, add(sums, line));
  }
  return [...days].map(([startMs, sums]) => ({ startMs, ...sums }));
}

/** Sums by any name, the dearest first. Groups without a job or an open charge are left out. Never throws. */
export function sumBy(lines: readonly LedgerLine[], nameOf: (line: LedgerLine) => string): SpendGroup[] {
  const groups = new Map<string, SpendSums>();
  for (const line of lines) {
    const name = nameOf(line);
    groups.set(name, add(groups.get(name) ?? NOTHING, line));
  }
  const net = (group: SpendGroup) => group.chargedMicroUsd - group.refundedMicroUsd;
  return [...groups]
    .map(([name, sums]) => ({ name, ...sums }))
    .filter((group) => group.jobs > 0 || group.unconfirmedMicroUsd > 0)
    .sort((a, b) => net(b) - net(a));
}

/**
 * Returns a function that gives the kind of media of a line's job, as far as any finished job of its model showed it.
 * Never throws.
 */
export function kindOfLines(tracked: readonly TrackedJob[]): (line: LedgerLine) => string {
  const byJob = new Map<string, string>();
  const byModel = new Map<string, string>();
  for (const { requestId, model, job } of tracked) {
    const kind = job?.media[0]?.kind;
    if (!kind) continue;
    byJob.set(requestId, kind);
    if (model !== undefined) byModel.set(model, kind);
  }
  return ({ requestId, model }) => byJob.get(requestId ?? "") ?? byModel.get(model ?? "") ?? "not known yet";
}
