import { describe, expect, it } from "vitest";
import { formatDateTime, formatElapsed, formatRelativeDay } from "#lib/time.ts";

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
    expect(formatRelativeDay(seconds(new Date(2026, 10, 1)), noon.getTime())).toBe("1 Nov 2026");
  });

  it("writes a moment with its date and time", () => {
    expect(formatDateTime(seconds(noon))).toBe("20 Nov 2026, 12:05");
  });

  it("accepts an invalid time", () => {
    expect(formatDateTime(Number.NaN)).toBe("unknown time");
    expect(formatRelativeDay(1e300, noon.getTime())).toBe("Unknown day");
  });
});
