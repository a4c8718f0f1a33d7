import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { isWatchOver } from "#jobs/job-queries.ts";
import { laterOf, withTold } from "#jobs/track-job.ts";
import { createRequestBudget } from "#jobs/watch/request-budget.ts";
import { readTabMessage } from "#jobs/watch/tab-channel.ts";
import { createWatchControl } from "#jobs/watch/watch-control.ts";
import { watchIntervalMs } from "#jobs/watch/watch-interval.ts";

const MINUTE = 60_000;
const job = (status: string, more: Partial<Job> = {}): Job => ({
  requestId: "job-1",
  model: "m",
  status,
  media: [],
  payload: undefined,
  createdAtSeconds: undefined,
  updatedAtSeconds: undefined,
  failureReason: undefined,
  raw: {},
  ...more,
});

describe("the pace of looking (spec 8: 5 to 10 s)", () => {
  const pace = (ageMs: number, failures = 0, slow = 1) => watchIntervalMs({ ageMs, failures, spread: 0.5, slow });

  test("slower with age, for ever", () => {
    expect([0, 2 * MINUTE, 6 * MINUTE, 31 * MINUTE, 100_000 * MINUTE].map((age) => pace(age))).toEqual([
      5_000, 10_000, 15_000, 60_000, 60_000,
    ]);
  });
  test("P8 six hours of errors: never more than one look a minute, never none", () => {
    fc.assert(
      fc.property(
        fc.nat(6 * 60 * MINUTE),
        fc.integer({ min: 4, max: 400 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (ageMs, failures, spread) => {
          const everyMs = watchIntervalMs({ ageMs, failures, spread });
          expect(everyMs).toBeGreaterThanOrEqual(48_000);
          expect(everyMs).toBeLessThanOrEqual(72_000);
        },
      ),
    );
  });
  test("M10 a 429 halves the pace of every look for a minute", async () => {
    let now = 0;
    const control = createWatchControl(() => now);
    await control.watchLimit(() => Promise.reject(new RefusedError({ status: 429, message: "" }))).catch(() => {});
    expect(control.slow()).toBe(2);
    expect(pace(0, 0, 2)).toBe(10_000);
    now += 61_000;
    expect(control.slow()).toBe(1);
  });
});

describe("what a look that failed means", () => {
  const look = (control: ReturnType<typeof createWatchControl>, error: Error) =>
    control.look("job-1", () => Promise.reject(error)).catch(() => {});

  test("P8 a network error is counted and is never the end", async () => {
    const control = createWatchControl(() => 0);
    await look(control, new NoAnswerError());
    await look(control, new NoAnswerError());
    expect(control.failures("job-1")).toBe(2);
    expect(control.asksFor("job-1")).toBe(true);
    await control.look("job-1", async () => job("queued"));
    expect(control.failures("job-1")).toBe(0);
  });
  test("P9 a 401 pauses all looks until the person has seen to the key", async () => {
    const control = createWatchControl(() => 0);
    await look(control, new RefusedError({ status: 401, message: "" }));
    expect(control.isPaused()).toBe(true);
    expect(control.asksFor("job-2")).toBe(false);
    control.resume();
    expect(control.asksFor("job-2")).toBe(true);
  });
  test("P10 a 404 is believed after three looks over a minute, and a later answer takes it back", async () => {
    let now = 0;
    const control = createWatchControl(() => now);
    for (const atMs of [0, 20_000, 40_000]) {
      now = atMs;
      await look(control, new RefusedError({ status: 404, message: "" }));
      expect(control.isGone("job-1")).toBe(false);
    }
    now = 61_000;
    await look(control, new RefusedError({ status: 404, message: "" }));
    expect(control.isGone("job-1")).toBe(true);
    await control.look("job-1", async () => job("queued"));
    expect(control.isGone("job-1")).toBe(false);
  });
});

describe("what a look tells", () => {
  test("P11 any word but the three final ones means still running (spec 3)", () => {
    fc.assert(
      fc.property(fc.string(), (status) => {
        fc.pre(!["success", "failed", "cancelled"].includes(status));
        expect(isWatchOver(job(status), 99)).toBe(false);
      }),
    );
  });
  test("P12 a success without files is looked at three times more, then it is over", () => {
    expect([0, 1, 2, 3].map((looks) => isWatchOver(job("success"), looks))).toEqual([false, false, false, true]);
  });
  test("P13 in whatever order answers come, a final status never goes back", () => {
    const statuses = fc.array(fc.constantFrom("queued", "processing", "dispatched", "success", "failed"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(statuses, (told) => {
        let known: Job | undefined;
        let wasFinal = false;
        for (const status of told) {
          known = laterOf(known, job(status));
          const isFinalNow = ["success", "failed"].includes(known.status);
          expect(isFinalNow || !wasFinal).toBe(true);
          wasFinal ||= isFinalNow;
        }
      }),
    );
  });
  test("P13 the record of a finished job is not opened again by a late answer", () => {
    const tracked = {
      requestId: "job-1",
      model: "m",
      payload: {},
      priceMicroUsd: 1,
      submittedAtMs: 0,
      status: "queued",
      origin: "submitted" as const,
    };
    const done = withTold(tracked, job("success"), 1_000);
    expect(withTold(done, job("queued"), 2_000)).toEqual(done);
    expect(done.finishedAtMs).toBe(1_000);
  });
  test("H24 a message on the tabs' channel is read or dropped, whatever it is", () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        const message = readTabMessage(data);
        expect(message === undefined || message.kind === "heartbeat" || message.kind === "told").toBe(true);
      }),
    );
    expect(readTabMessage({ v: 2, kind: "heartbeat" })).toBeUndefined();
    expect(readTabMessage({ v: 1, kind: "told", job: job("queued") })).toMatchObject({ kind: "told" });
  });
});

test("looks share one purse: at most two a second after a burst of six, and submits never wait", async () => {
  let now = 0;
  const waits: number[] = [];
  const budget = createRequestBudget({
    nowMs: () => now,
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  for (let look = 0; look < 10; look += 1) await budget.turn();
  expect(waits).toEqual([500, 1_000, 1_500, 2_000]);
  now += 60_000;
  for (let submit = 0; submit < 6; submit += 1) budget.spend();
  await budget.turn();
  expect(waits.at(-1)).toBe(500);
});
