import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { BodyKind } from "#jobs/submit/submit-state.ts";
import { FAULT_KINDS, type SimSettings } from "./sim-settings.ts";
import { type FailedSeed, runSchedules, seedsFrom } from "./sim-world.ts";

/** Seeds that failed once. They are run first, for ever. */
const FAILED_SEEDS = new URL("./failed-seeds.txt", import.meta.url);
const BODIES: BodyKind[] = ["relay", "stream", "plain"];
/** A sample of each kind of body. `npm run simulate` runs the 10,000, and as many more as it is asked for. */
const SAMPLE = 700;
const MOST_MS = 120_000;

function failedSeeds(body: BodyKind): number[] {
  if (!existsSync(FAILED_SEEDS)) return [];
  const lines = readFileSync(FAILED_SEEDS, "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith(`${body} `) ? [Number(line.slice(body.length + 1))] : []));
}

/** Stores failing seeds and says how to run one of them again. */
function report(failed: FailedSeed[]): string {
  for (const { body, seed } of failed) {
    if (!failedSeeds(body).includes(seed)) appendFileSync(FAILED_SEEDS, `${body} ${seed}\n`);
  }
  return failed
    .slice(0, 5)
    .map(({ body, seed, findings }) => {
      const broken = findings.map(({ invariant, text }) => `  ${invariant} ${text}`).join("\n");
      return `${body} ${seed} (npm run simulate -- --body ${body} --seed ${seed})\n${broken}`;
    })
    .join("\n");
}

/** The invariants that a changed world breaks. */
async function broken(changes: Partial<SimSettings>): Promise<string[]> {
  const { failed } = await runSchedules("stream", seedsFrom(1, 100), changes);
  return failed.flatMap(({ findings }) => findings.map(({ invariant }) => invariant));
}

// M1 M4 M5 M7 M11 M12 M13 M14 M26
test.each(BODIES)(
  "with a %s body no double charge is hidden and no job lost",
  async (body) => {
    const again = await runSchedules(body, failedSeeds(body));
    const fresh = await runSchedules(body, seedsFrom(1, SAMPLE));
    expect(report([...again.failed, ...fresh.failed])).toBe("");
    expect(fresh.schedules).toBe(SAMPLE);
    // The sample must be hard enough to mean something: every kind of fault happened in it.
    const possible = FAULT_KINDS.filter((fault) => fault !== "sent-twice" || body !== "stream");
    expect(possible.filter((fault) => (fresh.faults[fault] ?? 0) < 10)).toEqual([]);
    expect(fresh.posts).toBeGreaterThan(2 * SAMPLE);
    expect(fresh.charges).toBeGreaterThan(SAMPLE);
    if (body === "plain") expect(fresh.duplicates).toBeGreaterThan(SAMPLE / 20);
    else expect(fresh.duplicates).toBe(0);
  },
  MOST_MS,
);

test("a studio that sends again by itself is detected", async () => {
  expect(await broken({ resends: true })).toContain("I1");
});

// M11: the two minutes are an assumption.
test("a list that lags over two minutes gives a wrong report", async () => {
  expect(await broken({ mostLagMs: 400_000 })).toContain("I3");
});

test("a seed gives the same schedule again", async () => {
  const once = await runSchedules("plain", seedsFrom(1, 20));
  const twice = await runSchedules("plain", seedsFrom(1, 20));
  expect(twice).toEqual(once);
});
