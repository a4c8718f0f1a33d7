import { createSchedule } from "./sim-schedule.ts";
import type { FaultKind, SimSettings, SimWay } from "./sim-settings.ts";
import type { Finding } from "./sim-witness.ts";
import { type SimWorld, settled } from "./sim-world.ts";

const AT_ONCE = 30;

export interface FailedSeed {
  way: SimWay;
  seed: number;
  findings: Finding[];
}

interface SimReport {
  schedules: number;
  posts: number;
  charges: number;
  /** Jobs beyond the first of an intent: made by the network, and all of them reported. */
  duplicates: number;
  /** How often each kind of fault happened. */
  faults: Partial<Record<FaultKind, number>>;
  failed: FailedSeed[];
}

/**
 * Runs schedules, many worlds side by side: they share nothing, so each one is the same as if it ran alone.
 * `stopAtFailure` ends the run with the first that breaks a promise.
 */
export async function runSchedules(
  way: SimWay,
  seeds: Iterable<number>,
  changes: Partial<SimSettings> = {},
  stopAtFailure = false,
): Promise<SimReport> {
  const report: SimReport = { schedules: 0, posts: 0, charges: 0, duplicates: 0, faults: {}, failed: [] };
  const waiting = seeds[Symbol.iterator]();
  let running: { seed: number; world: SimWorld }[] = [];
  const end = (seed: number, world: SimWorld) => {
    const findings = world.findings();
    report.schedules += 1;
    report.posts += world.witness.posts;
    const ours = world.service.jobs.filter(({ intentId }) => intentId !== undefined);
    report.charges += ours.length;
    report.duplicates += ours.length - new Set(ours.map(({ intentId }) => intentId)).size;
    for (const [fault, count] of world.faults) report.faults[fault] = (report.faults[fault] ?? 0) + count;
    if (findings.length > 0) report.failed.push({ seed, way, findings });
  };
  for (;;) {
    while (running.length < AT_ONCE && !(stopAtFailure && report.failed.length > 0)) {
      const next = waiting.next();
      if (next.done) break;
      running.push({ seed: next.value, world: createSchedule(next.value, way, changes) });
    }
    if (running.length === 0) return report;
    await settled();
    running = running.filter(({ seed, world }) => {
      if (world.step()) return true;
      end(seed, world);
      return false;
    });
  }
}

/** The numbers from `first`, `count` of them. */
export function* seedsFrom(first: number, count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield first + index;
}
