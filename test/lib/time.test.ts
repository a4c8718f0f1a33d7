import { describe, expect, it } from "vitest";
import {
  formatAge,
  formatDate,
  formatDateTime,
  formatDayOfYear,
  formatElapsed,
  formatExactTime,
  formatMoment,
  formatMonth,
  formatRelativeDay,
  machineTime,
} from "#lib/time.ts";

describe("elapsed time", () => {
  it.each([
    [0, "0.0 s"],
    [6_240, "6.2 s"],
    [59_940, "59.9 s"],
    [59_970, "1:00"],
    [60_000, "1:00"],
    [102_000, "1:42"],
    [3_722_000, "1:02:02"],
    [-5, "0.0 s"],
    [Number.NaN, "0.0 s"],
  ])("%i ms is %s", (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });
});

describe("days and times, from Unix seconds", () => {
  const noon = new Date(2026, 10, 20, 12, 5);
  const seconds = (date: Date) => date.getTime() / 1000;

  it("names today and yesterday by the reader's calendar, not by 24 hours", () => {
    expect(formatRelativeDay(seconds(new Date(2026, 10, 20, 0, 1)), noon.getTime())).toBe("Today");
    expect(formatRelativeDay(seconds(new Date(2026, 10, 19, 23, 59)), noon.getTime())).toBe("Yesterday");
    expect(formatRelativeDay(seconds(new Date(2026, 10, 1)), noon.getTime())).toBe("Nov 1, 2026");
  });

  it("writes a moment with its date and time", () => {
    expect(formatDateTime(seconds(noon))).toMatch(/^Nov 20, 2026, 12:05\sPM$/);
  });

  it("writes a moment of today with the word, and any other with its date", () => {
    const now = noon.getTime();
    expect(formatMoment(seconds(noon), now)).toMatch(/^Today, 12:05\sPM$/);
    expect(formatMoment(seconds(new Date(2026, 10, 1, 9, 7)), now)).toMatch(/^Nov 1, 2026, 9:07\sAM$/);
    expect(formatExactTime(seconds(noon), now)).toMatch(/^12:05:00\sPM$/);
    expect(formatExactTime(seconds(new Date(2025, 10, 20, 1, 2, 3)), now)).toMatch(/^Nov 20, 2025, 1:02:03\sAM$/);
  });

  it("writes a month as a word wherever a date stands alone", () => {
    expect(formatDate(seconds(new Date(2026, 3, 3)))).toBe("Apr 3, 2026");
    expect(formatDayOfYear(seconds(new Date(2026, 3, 3)))).toBe("Apr 3");
    expect(formatMonth(seconds(new Date(2026, 3, 3)))).toBe("April 2026");
  });

  it.each([
    [-60_000, "just now"],
    [59_000, "just now"],
    [60_000, "1 min ago"],
    [59 * 60_000, "59 min ago"],
    [60 * 60_000, "1 h ago"],
    [23.9 * 3_600_000, "23 h ago"],
    [24 * 3_600_000, "Nov 19, 2026"],
  ])("an age of %i ms is %s", (ms, text) => {
    expect(formatAge((noon.getTime() - ms) / 1000, noon.getTime())).toBe(text);
  });

  it("accepts an invalid time", () => {
    expect(formatDateTime(Number.NaN)).toBe("unknown time");
    expect(formatDate(Number.NaN)).toBe("unknown day");
    expect(formatAge(Number.NaN, 0)).toBe("unknown time");
    expect(machineTime(Number.NaN)).toBeUndefined();
    expect(formatRelativeDay(1e300, noon.getTime())).toBe("Unknown day");
  });
});
