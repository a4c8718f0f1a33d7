import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { BodyKind } from "#jobs/submit/submit-effects.ts";
import { type FailedSeed, runSchedules, seedsFrom } from "./run-schedules.ts";

/** Seeds that failed once. They are run first, for ever. */
const FAILED_SEEDS = new URL("./failed-seeds.txt", import.meta.url);
const PER_BODY: Record<BodyKind, number> = { relay: 3_400, stream: 3_300, plain: 3_300 };
const BODIES = Object.keys(PER_BODY) as BodyKind[];
const MOST_MS = 180_000;

function failedSeeds(body: BodyKind): number[] {
  if (!existsSync(FAILED_SEEDS)) return [];
  const lines = readFileSync(FAILED_SEEDS, "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith(`${body} `) ? [Number(line.slice(body.length + 1))] : []));
}

/** Keeps failing seeds and says how to run one of them again. */
function tell(failed: FailedSeed[]): string {
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

describe("10,000 schedules of five submits: faults, tabs, crashes, freezes and clocks from a seed", () => {
  test.each(BODIES)(
    "M1 M4 M5 M7 M11 M12 M13 M14 M26: nothing charged twice unseen, nothing paid and lost, with a %s body",
    async (body) => {
      const again = await runSchedules(body, failedSeeds(body));
      const fresh = await runSchedules(body, seedsFrom(1, PER_BODY[body]));
      expect(tell([...again.failed, ...fresh.failed])).toBe("");
      expect(fresh.schedules).toBe(PER_BODY[body]);
      // The schedules must be hard enough to mean something.
      expect(fresh.posts).toBeGreaterThan(2 * PER_BODY[body]);
      expect(fresh.charges).toBeGreaterThan(PER_BODY[body]);
      if (body === "plain") expect(fresh.duplicates).toBeGreaterThan(PER_BODY[body] / 20);
      else expect(fresh.duplicates).toBe(0);
    },
    MOST_MS,
  );

  test("a studio that sends again by itself would be found out", async () => {
    const { failed } = await runSchedules("stream", seedsFrom(1, 100), { resends: true });
    const broken = new Set(failed.flatMap(({ findings }) => findings.map(({ invariant }) => invariant)));
    expect(broken).toContain("I1");
  });

  test("M11: the two minutes are an assumption: a list that lags longer is told wrongly", async () => {
    const { failed } = await runSchedules("stream", seedsFrom(1, 100), { mostLagMs: 400_000 });
    const broken = new Set(failed.flatMap(({ findings }) => findings.map(({ invariant }) => invariant)));
    expect(broken).toContain("I3");
  });

  test("a seed gives the same schedule again", async () => {
    const once = await runSchedules("plain", seedsFrom(1, 20));
    const twice = await runSchedules("plain", seedsFrom(1, 20));
    expect(twice).toEqual(once);
  });
});
