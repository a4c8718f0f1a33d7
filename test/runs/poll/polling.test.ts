import { describe, expect, test, vi } from "vitest";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import { isPollingDone } from "#runs/poll/job-queries.ts";
import { isHeartbeat } from "#runs/poll/leadership.ts";
import { createPollControl, createRequestBudget, pollPace, pollWaitMs } from "#runs/poll/poll-control.ts";
import { getLaterReport, newRecord, withReported } from "#storage/job-records.ts";
import fc from "../../setup/fc.ts";

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

const SECOND = 1_000;
const HOUR = 60 * MINUTE;
const spreads = fc.double({ min: 0, max: 0.999_999, noNaN: true });

// Spec 8: 5 to 10 s.
describe("the poll interval", () => {
  const every = (at: Parameters<typeof pollPace>[0], spread: number, tookMs = 0) =>
    pollWaitMs(pollPace(at), spread, tookMs) + tookMs;

  test("it stays within 5 and 10 s for the first half hour", () => {
    fc.assert(
      fc.property(fc.nat(30 * MINUTE - 1), fc.nat(1), spreads, fc.nat(3_000), (ageMs, failures, spread, tookMs) => {
        const pace = pollPace({ ageMs, failures });
        expect(pace.slowBecause).toBeUndefined();
        expect(every({ ageMs, failures }, spread, tookMs)).toBeGreaterThanOrEqual(5 * SECOND);
        expect(every({ ageMs, failures }, spread, tookMs)).toBeLessThanOrEqual(10 * SECOND);
      }),
    );
  });

  test("it is over 10 s only with a reason that the screen can say", () => {
    const at = fc.record({ ageMs: fc.nat(100 * HOUR), failures: fc.nat(400), isLimited: fc.boolean() });
    fc.assert(
      fc.property(at, spreads, (given, spread) => {
        const { slowBecause } = pollPace(given);
        const everyMs = every(given, spread);
        expect(everyMs).toBeGreaterThanOrEqual(5 * SECOND);
        expect(everyMs).toBeLessThanOrEqual(MINUTE);
        expect(everyMs <= 10 * SECOND || slowBecause !== undefined).toBe(true);
        if (slowBecause === "limited") expect(everyMs).toBeLessThanOrEqual(15 * SECOND);
      }),
    );
  });

  test("an old job is polled every 15 s, a very old one once a minute", () => {
    expect([30 * MINUTE, 6 * HOUR, 9_000 * HOUR].map((ageMs) => pollPace({ ageMs }))).toMatchObject([
      { maxMs: 15 * SECOND, slowBecause: "old" },
      { maxMs: MINUTE, slowBecause: "old" },
      { maxMs: MINUTE, slowBecause: "old" },
    ]);
  });
  // P8
  test("after hours of errors there is still about one poll a minute", () => {
    fc.assert(
      fc.property(fc.nat(6 * HOUR), fc.integer({ min: 5, max: 400 }), spreads, (ageMs, failures, spread) => {
        expect(every({ ageMs, failures }, spread)).toBeGreaterThanOrEqual(48 * SECOND);
        expect(every({ ageMs, failures }, spread)).toBeLessThanOrEqual(MINUTE);
      }),
    );
  });
  // M10
  test("a 429 slows every poll to 15 s for a minute", async () => {
    let now = 0;
    const control = createPollControl(() => now);
    const pace = () => control.pace({ requestId: `job-${now}`, createdAtSeconds: undefined });
    await control.sendUnpaced(() => Promise.reject(new RefusedError({ status: 429, message: "" }))).catch(() => {});
    expect(pace()).toMatchObject({ maxMs: 15 * SECOND, slowBecause: "limited" });
    now += 61 * SECOND;
    expect(pace().slowBecause).toBeUndefined();
  });

  test("the waits of one job differ from poll to poll", async () => {
    let now = 0;
    const control = createPollControl(() => now);
    const waits: number[] = [];
    for (let poll = 0; poll < 40; poll += 1) {
      now += 10 * SECOND;
      await control.poll("job-1", async () => {});
      waits.push(control.waitMs("job-1", control.pace({ requestId: "job-1", createdAtSeconds: undefined })));
    }
    const third = (waits.toSorted((a, b) => a - b)[13] ?? 0) - Math.min(...waits);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(500);
    expect(third).toBeGreaterThan(50);
  });

  test("a poll waits at least as long as the service asked for", async () => {
    const control = createPollControl(() => 0);
    const refused = new RefusedError({ status: 429, message: "", retryAfterMs: 40 * SECOND });
    await control.poll("job-1", () => Promise.reject(refused)).catch(() => {});
    const pace = control.pace({ requestId: "job-1", createdAtSeconds: undefined });
    expect(control.waitMs("job-1", pace)).toBe(40 * SECOND);
    await control.poll("job-1", async () => job("queued"));
    expect(control.waitMs("job-1", pace)).toBeLessThan(16 * SECOND);
  });
});

// M13
describe("the age of a job", () => {
  const CREATED = 1_795_000_000;

  test("is counted by the service's clock, and by what this page saw", async () => {
    let now = 0;
    let service: number | undefined;
    const control = createPollControl(() => now, { nowSeconds: () => service });
    const at = { requestId: "job-1", createdAtSeconds: CREATED };
    const ask = () => control.poll("job-1", async () => {});
    expect(control.pace(at).maxMs).toBe(6.2 * SECOND);
    // The first answer tells the service's time: the job is an hour old.
    service = CREATED + 3_600;
    await ask();
    expect(control.pace(at).slowBecause).toBe("old");
    now += 6 * HOUR;
    await ask();
    expect(control.pace(at).maxMs).toBe(MINUTE);
  });

  test("is the same whatever this device's clock says, and when it is changed", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    fc.assert(
      fc.property(
        fc.array(fc.record({ passMs: fc.nat(HOUR), deviceDays: fc.integer({ min: -4, max: 4 }) })),
        fc.integer({ min: -5_000, max: 5_000 }),
        (steps, ageSeconds) => {
          const paces = [true, false].map((isRight) => {
            let now = 0;
            const clock = { nowSeconds: () => Math.floor(CREATED + ageSeconds + now / 1000) };
            const control = createPollControl(() => now, clock);
            return steps.map(({ passMs, deviceDays }) => {
              now += passMs;
              vi.setSystemTime((CREATED + (isRight ? 0 : deviceDays * 86_400)) * 1000 + now);
              return control.pace({ requestId: "job-1", createdAtSeconds: CREATED });
            });
          });
          expect(paces[0]).toEqual(paces[1]);
        },
      ),
    );
    vi.useRealTimers();
  });

  test("sets one pace from poll to poll, so that no timer begins anew", async () => {
    let now = 0;
    const control = createPollControl(() => now);
    const at = { requestId: "job-1", createdAtSeconds: undefined };
    const first = control.pace(at);
    now += 59 * MINUTE;
    expect(control.pace(at)).toBe(first);
    await control.poll("job-1", async () => {});
    expect(control.pace(at).slowBecause).toBe("old");
  });

  test("lets the youngest job of a list set its pace", () => {
    let now = 0;
    const control = createPollControl(() => now);
    const [older, younger] = ["a", "b"].map((requestId) => ({ requestId, createdAtSeconds: undefined }));
    if (!older || !younger) throw new Error("Two jobs.");
    control.pace(older);
    now += HOUR;
    expect(control.listPace([older]).slowBecause).toBe("old");
    expect(control.listPace([older, younger]).maxMs).toBe(6.2 * SECOND);
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
          known = getLaterReport(known, job(status));
          const isFinalNow = ["success", "failed"].includes(known.status);
          expect(isFinalNow || !wasFinal).toBe(true);
          wasFinal ||= isFinalNow;
        }
      }),
    );
  });
  // P13
  test("a late answer does not reopen the row of a finished job", () => {
    const tracked = newRecord({
      requestId: "job-1",
      model: "m",
      priceMicroUsd: 1,
      submittedAtMs: 0,
      origin: "answered",
    });
    const done = withReported(tracked, job("success"), 1_000);
    expect(withReported(done, job("queued"), 2_000)).toEqual(done);
    expect(done.finishedAtMs).toBe(1_000);
    // Nor does it take the files that another tab has read since.
    const media = [{ id: "0", kind: "image", url: "https://files.example/0.png" } as const];
    const full = withReported(done, { ...job("success", { media: [...media] }), reportedAtMs: 3_000 }, 3_000);
    expect(withReported(full, { ...job("success"), reportedAtMs: 2_000 }, 3_100)).toBe(full);
    expect(withReported(full, { ...job("success"), reportedAtMs: 4_000 }, 4_000).media).toEqual([]);
  });
  // H24
  test("of what comes over the tabs' channel a heartbeat counts, and nothing else", () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(isHeartbeat(data)).toBe(false);
      }),
    );
    expect(isHeartbeat({ v: 2, kind: "heartbeat" })).toBe(false);
    expect(isHeartbeat({ v: 1, kind: "heartbeat" })).toBe(true);
    // What a tab of version 0.1 sends of a job: its row has it, too.
    expect(isHeartbeat({ v: 1, kind: "told", job: job("queued") })).toBe(false);
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
