import type { BodyKind } from "#jobs/submit/submit-effects.ts";
import { type SimSettings, settingsFor } from "./sim-settings.ts";
import type { Finding } from "./sim-witness.ts";
import { createSchedule, type SimWorld } from "./sim-world.ts";

const AT_ONCE = 30;

export interface FailedSeed {
  seed: number;
  body: BodyKind;
  findings: Finding[];
}

export interface SimReport {
  schedules: number;
  posts: number;
  charges: number;
  /** Jobs beyond the first of an intent: made by the network, and all of them told to the person. */
  duplicates: number;
  failed: FailedSeed[];
}

/** Everything that is ready to run does, before time passes on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Runs schedules, many worlds side by side: they share nothing, so each one is the same as if it ran alone. */
export async function runSchedules(
  body: BodyKind,
  seeds: Iterable<number>,
  changes: Partial<SimSettings> = {},
): Promise<SimReport> {
  const report: SimReport = { schedules: 0, posts: 0, charges: 0, duplicates: 0, failed: [] };
  const waiting = seeds[Symbol.iterator]();
  let running: { seed: number; world: SimWorld }[] = [];
  const end = (seed: number, world: SimWorld) => {
    const findings = world.findings();
    report.schedules += 1;
    report.posts += world.witness.posts;
    const ours = world.service.jobs.filter(({ intentId }) => intentId !== undefined);
    report.charges += ours.length;
    report.duplicates += ours.length - new Set(ours.map(({ intentId }) => intentId)).size;
    if (findings.length > 0) report.failed.push({ seed, body, findings });
  };
  for (;;) {
    while (running.length < AT_ONCE) {
      const next = waiting.next();
      if (next.done) break;
      running.push({ seed: next.value, world: createSchedule({ ...settingsFor(next.value, body), ...changes }) });
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
