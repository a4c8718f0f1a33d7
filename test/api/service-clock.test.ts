import { describe, expect, it } from "vitest";
import { createServiceClock } from "#api/service-clock.ts";
import type { Job } from "#api/types.ts";
import fc from "../setup/fc.ts";
import { openMemorySandbox } from "./memory-sandbox.ts";

const NOON = Date.UTC(2026, 10, 21, 12) / 1000;

function openClock() {
  let elapsedMs = 5_000;
  const clock = createServiceClock(() => elapsedMs);
  return {
    clock,
    pass: (seconds: number) => {
      elapsedMs += seconds * 1000;
    },
    answer: (seconds: number, more: Record<string, string> = {}) =>
      clock.noteAnswer(new Headers({ Date: new Date(seconds * 1000).toUTCString(), ...more })),
  };
}

const madeAt = (createdAtSeconds: number) => ({ createdAtSeconds }) as Job;

// M13
describe("the service's clock", () => {
  it("knows nothing before an answer told a time", () => {
    const { clock } = openClock();
    clock.noteAnswer(new Headers({ Date: "yesterday" }));
    clock.noteJobs([{ createdAtSeconds: undefined } as Job]);
    expect(clock.nowSeconds()).toBeUndefined();
    expect(clock.sourcesDisagree()).toBe(false);
  });

  it("starts at the last answer's Date and counts on", () => {
    const { clock, answer, pass } = openClock();
    answer(NOON);
    pass(90);
    expect(clock.nowSeconds()).toBe(NOON + 90);
    answer(NOON + 30);
    expect(clock.nowSeconds()).toBe(NOON + 30);
  });

  it("adds what a cache says of an answer's age", () => {
    const { clock, answer } = openClock();
    answer(NOON, { Age: "40" });
    expect(clock.nowSeconds()).toBe(NOON + 40);
  });

  it("does not take the time of the studio's own host", () => {
    const { clock, answer } = openClock();
    answer(NOON, { "X-Safelight-Relay": "not_allowed" });
    expect(clock.nowSeconds()).toBeUndefined();
  });

  it("takes the newest job where no Date can be read", () => {
    const { clock, pass } = openClock();
    clock.noteJobs([madeAt(NOON - 500), madeAt(NOON), madeAt(NOON - 900)]);
    pass(60);
    clock.noteJobs([madeAt(NOON + 10)]);
    expect(clock.nowSeconds()).toBe(NOON + 60);
  });

  it("says so when a job is younger than the answers", () => {
    const { clock, answer } = openClock();
    answer(NOON);
    clock.noteJobs([madeAt(NOON + 59)]);
    expect(clock.sourcesDisagree()).toBe(false);
    clock.noteJobs([madeAt(NOON + 3 * 86_400)]);
    expect(clock.sourcesDisagree()).toBe(true);
    expect(clock.nowSeconds()).toBe(NOON);
  });

  it("follows a job just made when the answers are ahead of it", () => {
    const { clock, answer } = openClock();
    answer(NOON + 3 * 86_400);
    clock.noteJobs([madeAt(NOON)]);
    expect(clock.sourcesDisagree()).toBe(false);
    clock.noteJobs([madeAt(NOON)], 2_000);
    expect(clock.sourcesDisagree()).toBe(true);
    expect(clock.nowSeconds()).toBe(NOON + 2);
  });

  it("is never ahead of the service, whatever was heard in which order", () => {
    const step = fc.record({
      passSeconds: fc.nat(5000),
      kind: fc.constantFrom("answer", "job", "new job"),
      ageSeconds: fc.nat(1e6),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        const { clock, answer, pass } = openClock();
        let trueSeconds = NOON;
        for (const { passSeconds, kind, ageSeconds } of steps) {
          pass(passSeconds);
          trueSeconds += passSeconds;
          if (kind === "answer") answer(trueSeconds);
          else if (kind === "job") clock.noteJobs([madeAt(trueSeconds - ageSeconds)]);
          else clock.noteJobs([madeAt(trueSeconds)], 0);
          expect(clock.nowSeconds() ?? 0).toBeLessThanOrEqual(trueSeconds);
          if (kind !== "job") expect(clock.nowSeconds()).toBe(trueSeconds);
          expect(clock.sourcesDisagree()).toBe(false);
        }
      }),
    );
  });
});

describe("a client's clock", () => {
  it("is the sandbox's, by any answer, and not the device's", async () => {
    const { api, pass } = openMemorySandbox();
    expect(api.clock.nowSeconds()).toBeUndefined();
    await api.listModelIds();
    const before = api.clock.nowSeconds() ?? 0;
    expect(before - Date.UTC(2026, 4, 1, 12) / 1000).toBeLessThanOrEqual(2);
    pass(3 * 86_400);
    await api.getJob("unknown").catch(() => {});
    expect((api.clock.nowSeconds() ?? 0) - before - 3 * 86_400).toBeLessThanOrEqual(2);
  });
});
