import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

/** A page in a browser of this language. Each module is loaded anew, since the locale is read once. */
async function openIn(language: string) {
  const getter = vi.spyOn(navigator, "language", "get").mockReturnValue(language);
  onTestFinished(() => getter.mockRestore());
  vi.resetModules();
  const [numbers, money, dollars, time] = await Promise.all([
    import("#lib/numbers.ts"),
    import("#lib/money.ts"),
    import("#lib/dollars.ts"),
    import("#lib/time.ts"),
  ]);
  return { ...numbers, ...money, ...dollars, ...time };
}

/** The spaces that a locale puts between number and sign are of several kinds. */
const spaced = (text: string) => text.replace(/\s/g, " ");
const NOV_20 = new Date(2026, 10, 20, 14, 5).getTime() / 1000;

beforeEach(() => vi.resetModules());

describe("the reader's locale", () => {
  it("writes numbers, amounts, dates and times as in the United States", async () => {
    const page = await openIn("en-US");
    expect(page.counted(1284, "job")).toBe("1,284 jobs");
    expect(page.counted(1, "job")).toBe("1 job");
    expect(page.formatMicroUsd(1_284_035_000)).toBe("$1,284.035");
    expect(spaced(page.formatDateTime(NOV_20))).toBe("Nov 20, 2026, 2:05 PM");
    expect(page.formatElapsed(6_240)).toBe("6.2 s");
  });

  it("writes them as in Germany, and the amount of a field is read back", async () => {
    const page = await openIn("de-DE");
    expect(page.counted(1284, "job")).toBe("1.284 jobs");
    expect(spaced(page.formatMicroUsd(1_284_035_000))).toBe("1.284,035 $");
    expect(spaced(page.formatDateTime(NOV_20))).toBe("20. Nov. 2026, 14:05");
    expect(page.formatElapsed(6_240)).toBe("6,2 s");
    expect(page.amountText(500_000)).toBe("0,50");
    expect(["0,50", "0.50", "1.000,50"].map(page.parseDollars)).toEqual([500_000, 500_000, undefined]);
  });

  it("tells dollars from dollars in Canada", async () => {
    const page = await openIn("en-CA");
    expect(page.formatMicroUsd(140_000)).toBe("US$0.14");
  });

  it("writes plain numbers for programs, whatever the locale", async () => {
    const page = await openIn("de-DE");
    expect(page.plainDollars(1_284_035_000)).toBe("1284.035");
    expect(page.plainDollars(-600_000)).toBe("-0.60");
  });

  it.each(["en-US@posix", "C", ""])("takes that of the United States where the browser says %j", async (language) => {
    const page = await openIn(language);
    expect(page.formatNumber(1284.5)).toBe("1,284.5");
  });
});
