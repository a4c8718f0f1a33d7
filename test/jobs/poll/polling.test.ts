import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { isPollingDone } from "#jobs/job-queries.ts";
import { createPollControl, createRequestBudget } from "#jobs/poll/poll-control.ts";
import { pollIntervalMs } from "#jobs/poll/poll-interval.ts";
import { laterOf, withReported } from "#jobs/track-job.ts";
import { readTabMessage } from "#jobs/watch/use-tab-watch.ts";

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

// Spec 8: 5 to 10 s.
describe("the poll interval", () => {
  const pace = (ageMs: number, failures = 0, slow = 1) => pollIntervalMs({ ageMs, failures, spread: 0.5, slow });

  test("it grows with the age of the job without end", () => {
    expect([0, 2 * MINUTE, 6 * MINUTE, 31 * MINUTE, 100_000 * MINUTE].map((age) => pace(age))).toEqual([
      5_000, 10_000, 15_000, 60_000, 60_000,
    ]);
  });
  // P8
  test("after hours of errors there is still about one poll a minute", () => {
    fc.assert(
      fc.property(
        fc.nat(6 * 60 * MINUTE),
        fc.integer({ min: 4, max: 400 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (ageMs, failures, spread) => {
          const everyMs = pollIntervalMs({ ageMs, failures, spread });
          expect(everyMs).toBeGreaterThanOrEqual(48_000);
          expect(everyMs).toBeLessThanOrEqual(72_000);
        },
      ),
    );
  });
  // M10
  test("a 429 doubles every poll interval for a minute", async () => {
    let now = 0;
    const control = createPollControl(() => now);
    await control.sendUnpaced(() => Promise.reject(new RefusedError({ status: 429, message: "" }))).catch(() => {});
    expect(control.slow()).toBe(2);
    expect(pace(0, 0, 2)).toBe(10_000);
    now += 61_000;
    expect(control.slow()).toBe(1);
  });
});

describe("a poll that failed", () => {
  const failPoll = (control: ReturnType<typeof createPollControl>, error: Error) =>
    control.poll("job-1", () => Promise.reject(error)).catch(() => {});

  // P8
  test("a network error is counted, and polling continues", async () => {
    const control = createPollControl(() => 0);
    await failPoll(control, new NoAnswerError());
    await failPoll(control, new NoAnswerError());
    expect(control.failures("job-1")).toBe(2);
    expect(control.isPolled("job-1")).toBe(true);
    await control.poll("job-1", async () => job("queued"));
    expect(control.failures("job-1")).toBe(0);
  });
  // P9
  test("a 401 pauses all polls until they are resumed", async () => {
    const control = createPollControl(() => 0);
    await failPoll(control, new RefusedError({ status: 401, message: "" }));
    expect(control.isPaused()).toBe(true);
    expect(control.isPolled("job-2")).toBe(false);
    control.resume();
    expect(control.isPolled("job-2")).toBe(true);
  });
  // P10
  test("a job is unknown after three 404 over a minute, until found again", async () => {
    let now = 0;
    const control = createPollControl(() => now);
    for (const atMs of [0, 20_000, 40_000]) {
      now = atMs;
      await failPoll(control, new RefusedError({ status: 404, message: "" }));
      expect(control.isGone("job-1")).toBe(false);
    }
    now = 61_000;
    await failPoll(control, new RefusedError({ status: 404, message: "" }));
    expect(control.isGone("job-1")).toBe(true);
    await control.poll("job-1", async () => job("queued"));
    expect(control.isGone("job-1")).toBe(false);
  });
});

describe("what a poll reports", () => {
  // P11
  // Spec 3.
  test("any status except the three final ones means running", () => {
    fc.assert(
      fc.property(fc.string(), (status) => {
        fc.pre(!["success", "failed", "cancelled"].includes(status));
        expect(isPollingDone(job(status), 99)).toBe(false);
      }),
    );
  });
  // P12
  test("a success without files is polled three times more", () => {
    expect([0, 1, 2, 3].map((polls) => isPollingDone(job("success"), polls))).toEqual([false, false, false, true]);
  });
  // P13
  test("a final status never changes back, in any order of answers", () => {
    const statuses = fc.array(fc.constantFrom("queued", "processing", "dispatched", "success", "failed"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(statuses, (reported) => {
        let known: Job | undefined;
        let wasFinal = false;
        for (const status of reported) {
          known = laterOf(known, job(status));
          const isFinalNow = ["success", "failed"].includes(known.status);
          expect(isFinalNow || !wasFinal).toBe(true);
          wasFinal ||= isFinalNow;
        }
      }),
    );
  });
  // P13
  test("a late answer does not reopen the row of a finished job", () => {
    const tracked = {
      requestId: "job-1",
      model: "m",
      payload: {},
      priceMicroUsd: 1,
      submittedAtMs: 0,
      status: "queued",
      origin: "answered" as const,
    };
    const done = withReported(tracked, job("success"), 1_000);
    expect(withReported(done, job("queued"), 2_000)).toEqual(done);
    expect(done.finishedAtMs).toBe(1_000);
  });
  // H24
  test("any message on the tabs' channel is read or dropped", () => {
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

// A burst of six is allowed.
test("polls share a budget of two a second; submits never wait", async () => {
  let now = 0;
  const waits: number[] = [];
  const budget = createRequestBudget({
    nowMs: () => now,
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  for (let poll = 0; poll < 10; poll += 1) await budget.turn();
  expect(waits).toEqual([500, 1_000, 1_500, 2_000]);
  now += 60_000;
  for (let submit = 0; submit < 6; submit += 1) budget.spend();
  await budget.turn();
  expect(waits.at(-1)).toBe(500);
});
