import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import fc from "../../setup/fc.ts";
import { flatPrice, open, priceOf, product, refusal, row, SCHEMAS, seeds } from "./price-service.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("rows that differ in what never moves the price", () => {
  it("share one estimate, and a group of six is checked by a second", async () => {
    const rows = product(["A lamp", "A chair", "A very long table"], seeds(3), ["a", "b"]);
    const { prices, asked, want } = open();
    await want(rows);
    expect(asked).toHaveLength(4);
    // The second differs in prompt and seed.
    expect(asked.filter(({ model }) => model === "a")[1]?.payload).toEqual({ prompt: "A very long table", seed: 2 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 10_000));
    expect(prices.progress(rows)).toMatchObject({ priced: 18, total: 18, estimates: 4, waiting: 0 });
  });

  it("are asked for once for each size and model, in six estimates", async () => {
    const rows = product(["A", "B", "C"], [{ size: "small" }, { size: "large" }, { size: "huge" }], ["a", "b"]);
    const { prices, asked, want, check } = open();
    await want(rows, 5000);
    expect(asked).toHaveLength(6);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(flatPrice));
    expect(await check(rows)).toEqual({ changed: 0 });
    expect(asked).toHaveLength(12);
    // Everything is checked: the next time nothing is asked.
    expect(await check(rows)).toEqual({ changed: 0 });
    expect(asked).toHaveLength(12);
  });

  it("count a default that is written out as the same", async () => {
    const rows = [row({}), row({ size: "small" }), row({ n: 1, size: "small" })];
    const { asked, want } = open();
    await want(rows);
    expect(asked).toHaveLength(1);
  });

  it("with one and the same payload are asked for once", async () => {
    const rows = Array.from({ length: 20 }, () => row({}));
    const { prices, asked, want, check } = open();
    await want(rows, 5000);
    await check(rows);
    expect(asked).toHaveLength(1);
    expect(prices.progress(rows)).toMatchObject({ priced: 20, total: 20, estimates: 1 });
  });
});

describe("what was learned of a parameter", () => {
  it("spares estimates of numbers that do not count", async () => {
    const rows = Array.from({ length: 200 }, (_, guidance) => row({ guidance }));
    const { prices, asked, want } = open();
    await want(rows);
    expect(asked.length).toBeLessThan(10);
    expect(prices.progress(rows)).toMatchObject({ priced: 200, waiting: 0 });
  });

  it("spares no option that was never asked for", async () => {
    // `small` and `large` cost the same three times, `huge` does not.
    const same = ({ payload }: JobRequest) => (payload.size === "huge" ? 90_000 : 10_000);
    const sizes = ["small", "large", "small", "large", "small", "large", "huge"];
    const rows = sizes.map((size, at) => row({ size, n: 1 + Math.floor(at / 2) }));
    const { prices, want } = open(same);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(same));
  });
});

describe("a service whose price follows from the words", () => {
  const byWords = ({ payload }: JobRequest) => 1000 * String(payload.prompt).length;

  it("is found out by the check, and every row gets its own price", async () => {
    const rows = product(["A", "BB", "CCC"], [{}]);
    const { prices, want, check, asked } = open(byWords);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 1000, 1000]);
    expect(asked).toHaveLength(1);
    expect(await check(rows)).toEqual({ changed: 2 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 2000, 3000]);
    expect(rows.every((one) => prices.of(one).state === "priced")).toBe(true);
  });

  it("is found out while drafting in a large group", async () => {
    const rows = product(["A", "BB", "CCC", "DDDD", "EEEEE", "FFFFFF"], [{}]);
    const { prices, want } = open(byWords);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(byWords));
  });

  it("is found out where a default that is written out costs more", async () => {
    const odd = ({ payload }: JobRequest) => (Object.hasOwn(payload, "size") ? 5000 : 4000);
    const rows = [row({}), row({ size: "small" })];
    const { prices, want, check } = open(odd);
    await want(rows);
    expect(await check(rows)).toEqual({ changed: 1 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([4000, 5000]);
  });
});

describe("where the service refuses", () => {
  it("a row of its own fails, and the others are priced by another one", async () => {
    const rows = product(["bad", "B", "C"], [{}]);
    const { prices, asked, want } = open((request) => (request.payload.prompt === "bad" ? refusal(400) : 7000));
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(["failed", 7000, 7000]);
    expect(asked).toHaveLength(2);
  });

  it("an inactive model is asked about once", async () => {
    const rows = product(["A"], [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }]);
    const { prices, asked, want } = open(() => refusal(404, "Model a is inactive"));
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => "failed"));
    // Those that were under way together.
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(prices.progress(rows).waiting).toBe(0);
  });

  it("a model that nobody knows fails and holds up nothing", async () => {
    const error = refusal(404, "no such model");
    const rows = [row({}, "gone"), row({}, "a"), row({ seed: 2 }, "gone")];
    const { prices, asked } = open((request) => (request.model === "gone" ? error : flatPrice(request)));
    prices.want({}, rows, new Map([...SCHEMAS, ["gone", { state: "failed", error, retry: () => {} }]]));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(["failed", 10_000, "failed"]);
    expect(prices.progress(rows)).toMatchObject({ priced: 1, waiting: 0 });
    expect(asked.filter(({ model }) => model === "gone").length).toBeLessThanOrEqual(2);
  });

  it("two thousand refused rows are not all asked for, and another payload is", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => row({ n }));
    const { prices, asked, want } = open(({ payload }) => (payload.n === "good" ? 5000 : refusal(400)));
    await want(rows);
    expect(asked.length).toBeLessThan(20);
    expect(priceOf(prices, rows[1999] as JobRequest)).toBe("failed");
    const good = row({ n: "good" });
    await want([...rows, good]);
    expect(priceOf(prices, good)).toBe(5000);
  });

  it("a price that cannot be trusted fails the row", async () => {
    const { prices, want } = open(() => new Error("The price is no whole number of micro-USD."));
    await want([row({})]);
    expect(prices.of(row({}))).toMatchObject({ state: "failed", error: { message: /no whole number/ } });
  });
});

describe("where the service is busy", () => {
  it("it is asked again later, and says why nothing comes", async () => {
    const { prices, asked, want } = open((request, at) => (at <= 4 ? refusal(429) : flatPrice(request)));
    const rows = [row({ n: 1 }), row({ n: 2 })];
    await want(rows, 300);
    expect(prices.progress(rows)).toMatchObject({ priced: 0, waiting: 2, trouble: { status: 429 } });
    await want(rows);
    expect(prices.progress(rows)).toMatchObject({ priced: 2, waiting: 0, trouble: undefined });
    expect(asked).toHaveLength(6);
  });

  it("a check rejects after five tries, and asking goes on", async () => {
    let isDown = true;
    const { prices, want, check, asked } = open((request) => (isDown ? new NoAnswerError() : flatPrice(request)));
    const rows = [row({})];
    prices.want({}, rows, SCHEMAS);
    expect(await check(rows, 60_000)).toBeInstanceOf(NoAnswerError);
    isDown = false;
    await want(rows);
    expect(priceOf(prices, rows[0] as JobRequest)).toBe(10_000);
    // A minute apart at the end, not without a rest.
    expect(asked.length).toBeLessThan(30);
  });
});

describe("prices that changed at the service", () => {
  it("are found by the check once they are a minute old", async () => {
    let factor = 1;
    const { prices, want, check } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "B"], [{ n: 1 }, { n: 2 }]);
    await want(rows);
    factor = 3;
    expect(await check(rows)).toEqual({ changed: 4 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map((one) => 3 * flatPrice(one)));
  });

  it("are asked for again by a refresh, without another group", async () => {
    let factor = 1;
    const { prices, want, asked } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "B", "C", "D", "E", "F"], [{}]);
    await want(rows);
    expect(asked).toHaveLength(2);
    factor = 2;
    prices.refresh(rows);
    expect(priceOf(prices, rows[5] as JobRequest)).toBe(10_000);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 20_000));
  });
});

describe("two thousand different rows", () => {
  it("are asked for one by one, in their order, and tell at most four times a second", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => row({ n }));
    const { prices, want, asked } = open();
    let renders = 0;
    prices.subscribe(() => {
      renders += 1;
    });
    await want(rows, 10_000);
    expect(asked.slice(0, 5).map(({ payload }) => payload.n)).toEqual([0, 1, 2, 3, 4]);
    expect(renders).toBeLessThanOrEqual(41);
    const { priced, waiting, secondsLeft } = prices.progress(rows);
    expect(priced + waiting).toBe(2000);
    expect(secondsLeft).toBe(Math.ceil(waiting / 2));
    await want(rows);
    expect(prices.progress(rows)).toMatchObject({ priced: 2000, estimates: 2000, waiting: 0 });
  });

  it("are not asked for once nobody wants them", async () => {
    const rows = Array.from({ length: 2000 }, (_, n) => row({ n }));
    const { want, asked } = open();
    await want(rows, 1000);
    await want([], 100_000);
    expect(asked.length).toBeLessThan(100);
  });
});

it("gives every row the price of its own estimate where prices follow the specification", async () => {
  const payload = fc.record(
    {
      prompt: fc.string({ minLength: 1, maxLength: 30 }),
      seed: fc.integer({ min: 0, max: 99 }),
      size: fc.constantFrom("small", "large", "huge"),
      n: fc.integer({ min: 1, max: 4 }),
      guidance: fc.integer({ min: 0, max: 9 }),
    },
    { requiredKeys: ["prompt"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(payload, fc.constantFrom("a", "b")), { maxLength: 40 }), async (all) => {
      const rows = all.map(([values, model]) => ({ model, payload: values }));
      const { prices, want, check } = open();
      await want(rows);
      await check(rows);
      const sum = rows.reduce((total, one) => total + Number(priceOf(prices, one)), 0);
      expect(sum).toBe(rows.reduce((total, one) => total + flatPrice(one), 0));
    }),
    { numRuns: 40 },
  );
});
