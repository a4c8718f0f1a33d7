import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cases } from "../setup/cases.ts";
import { MUTATIONS } from "./mutations.ts";
import { type FailedSeed, runSchedules, seedsFrom } from "./run-schedules.ts";
import { FAULT_KINDS, HOST_FAULTS, type SimSettings, type SimWay, WAYS } from "./sim-settings.ts";

/** Seeds that failed once. They are run first, for ever. */
const FAILED_SEEDS = new URL("./failed-seeds.txt", import.meta.url);
/** A sample of each way. `npm run simulate` runs the 20,000, and as many more as it is asked for. */
const SAMPLE = cases(120, 1200);
const MAX_MS = 120_000 + SAMPLE * 500;

function failedSeeds(way: SimWay): number[] {
  if (!existsSync(FAILED_SEEDS)) return [];
  const lines = readFileSync(FAILED_SEEDS, "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith(`${way} `) ? [Number(line.slice(way.length + 1))] : []));
}

/** Stores failing seeds and says how to run one of them again. */
function report(failed: FailedSeed[]): string {
  for (const { way, seed } of failed) {
    if (!failedSeeds(way).includes(seed)) appendFileSync(FAILED_SEEDS, `${way} ${seed}\n`);
  }
  return failed
    .slice(0, 5)
    .map(({ way, seed, findings }) => {
      const broken = findings.map(({ invariant, text }) => `  ${invariant} ${text}`).join("\n");
      return `${way} ${seed} (npm run simulate -- --way ${way} --seed ${seed})\n${broken}`;
    })
    .join("\n");
}

/** The invariants that a changed world breaks. */
async function broken(changes: Partial<SimSettings>): Promise<string[]> {
  const { failed } = await runSchedules("stream", seedsFrom(1, 60), changes);
  return failed.flatMap(({ findings }) => findings.map(({ invariant }) => invariant));
}

// M1 M4 M5 M7 M8 M11 M12 M13 M14 M26 M28 M29 P16
test.each(WAYS)(
  "sent by %s, nothing is charged twice, lost or denied",
  async (way) => {
    const again = await runSchedules(way, failedSeeds(way));
    const fresh = await runSchedules(way, seedsFrom(1001, SAMPLE));
    expect(report([...again.failed, ...fresh.failed])).toBe("");
    expect(fresh.schedules).toBe(SAMPLE);
    // The sample must be hard enough to mean something: every kind of fault happened in it.
    const hasHost = way === "relay" || way === "two-hosts";
    const possible = FAULT_KINDS.filter(
      (fault) => (hasHost || !HOST_FAULTS.has(fault)) && (fault !== "sent-twice" || way !== "stream"),
    );
    expect(possible.filter((fault) => !fresh.faults[fault])).toEqual([]);
    expect(fresh.posts).toBeGreaterThan(1.5 * SAMPLE);
    expect(fresh.charges).toBeGreaterThan(SAMPLE);
    if (way === "plain") expect(fresh.duplicates).toBeGreaterThan(SAMPLE / 20);
    else expect(fresh.duplicates).toBe(0);
  },
  MAX_MS,
);

test("a studio that sends again by itself is detected", async () => {
  expect(await broken({ resends: true })).toContain("I1");
});

// M11: the two minutes are an assumption.
test("a list that lags over two minutes gives a wrong report", async () => {
  expect(await broken({ mostLagMs: 400_000 })).toContain("I3");
});

test("each mutation finds the one place that it is about", () => {
  const sources = new Map<string, string>();
  const read = (file: string) => {
    const text = sources.get(file) ?? readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
    sources.set(file, text);
    return text;
  };
  const lost = MUTATIONS.filter(({ patches }) => patches.some(({ file, find }) => read(file).split(find).length !== 2));
  expect(lost.map(({ name }) => name)).toEqual([]);
});

test("a seed gives the same schedule again", async () => {
  const once = await runSchedules("two-hosts", seedsFrom(1, 20));
  const twice = await runSchedules("two-hosts", seedsFrom(1, 20));
  expect(twice).toEqual(once);
});
