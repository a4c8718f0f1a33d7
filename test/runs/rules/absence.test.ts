import { describe, expect, test } from "vitest";
import { mayStillArrive, nextPollMs, provesAbsence } from "#runs/rules/absence.ts";

describe("what proves that there is no job", () => {
  const enough = { goodPolls: 5, waitedMs: 120_000, mayArrive: false, wasIdAsked: true, longestLagMs: 0 };

  test("five polls that could be read, over two minutes", () => {
    expect(provesAbsence(enough)).toBe(true);
    expect(provesAbsence({ ...enough, goodPolls: 4 })).toBe(false);
    expect(provesAbsence({ ...enough, waitedMs: 119_999 })).toBe(false);
  });

  test("longer, up to eight minutes, where the list was once slow, or the named id could not be asked for", () => {
    expect(provesAbsence({ ...enough, longestLagMs: 60_000 })).toBe(false);
    expect(provesAbsence({ ...enough, longestLagMs: 60_000, waitedMs: 180_000 })).toBe(true);
    expect(provesAbsence({ ...enough, longestLagMs: 3_600_000, waitedMs: 480_000 })).toBe(true);
    expect(provesAbsence({ ...enough, wasIdAsked: false, waitedMs: 479_999 })).toBe(false);
    expect(provesAbsence({ ...enough, wasIdAsked: false, waitedMs: 480_000 })).toBe(true);
  });

  test("not while the host has not accounted for the attempt, for eight minutes at most", () => {
    expect(provesAbsence({ ...enough, mayArrive: true, waitedMs: 400_000 })).toBe(false);
    expect([mayStillArrive(false, 479_999), mayStillArrive(false, 480_000), mayStillArrive(true, 0)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test("polls come 2 s after the attempt, then every 5 and 10 s, and after three minutes once a minute", () => {
  const next = (waitedMs: number, goodPolls: number, hasFailed = false) =>
    nextPollMs({ waitedMs, goodPolls }, hasFailed);
  expect([next(0, 0), next(2_000, 1), next(7_000, 2), next(179_999, 9), next(180_000, 9)]).toEqual([
    2_000, 5_000, 10_000, 10_000, 60_000,
  ]);
  expect([next(7_000, 2, true), next(180_000, 9, true)]).toEqual([5_000, 60_000]);
});
