import { describe, expect, it } from "vitest";
import { daysLeft, retentionText, retentionTone, tabSentence } from "#media/retention.ts";

const DAY = 86_400;
const madeAt = 1_790_000_000;
const after = (days: number) => (madeAt + days * DAY) * 1000;

// (spec 8)
describe("60 days of retention", () => {
  it.each([
    [0, 60],
    [1.5, 59],
    [57, 3],
    [59.99, 1],
    [60, 0],
    [75, -15],
    // By a clock of the service that is ahead of ours.
    [-3, 60],
  ])("after %d days %d are left", (age, left) => {
    expect(daysLeft(madeAt, after(age))).toBe(left);
  });

  it("gives no date for a job without a time", () => {
    expect(daysLeft(undefined, 0)).toBeUndefined();
    expect(daysLeft(Number.NaN, 0)).toBeUndefined();
  });

  it("warns at 14 days, and again at 3", () => {
    expect([60, 15, 14, 4, 3, 1, 0, -1].map(retentionTone)).toEqual([
      "fine",
      "fine",
      "soon",
      "soon",
      "last",
      "last",
      "over",
      "over",
    ]);
  });

  it("is written in words", () => {
    expect([58, 1, 0].map(retentionText)).toEqual(["Expires in 58 days", "Expires in 1 day", "Expired"]);
  });
});

it("a tab for a file whose days are over is said to find it gone, perhaps", () => {
  const created = Date.UTC(2026, 0, 1) / 1000;
  const asked = (day: number) => tabSentence("https://store.example/a", created, Date.UTC(2026, 0, day));
  expect(asked(2)).toMatch(/where it stays until Mar 2, 2026\.$/);
  expect(asked(90)).toMatch(/The file expired on Mar 2, 2026, so it may be gone\.$/);
});
