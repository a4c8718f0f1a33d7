import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { priceGroups, readPrices } from "#runs/prices/row-prices.ts";
import fc from "../../setup/fc.ts";
import { flatPrice, open, priceOf, product, refusal, row, SCHEMAS, seeds } from "./price-service.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

// Spec 1: prices are flat per image, or per clip by resolution and duration.
describe("rows that differ in what does not move the price", () => {
  it("share one estimate, and a group of six is checked by a second", async () => {
    const rows = product(["A lamp", "A chair", "A very long table"], seeds(3), ["a", "b"]);
    const { prices, asked, want } = open();
    await want(rows);
    expect(asked).toHaveLength(4);
    // The second differs in prompt and seed.
    expect(asked.filter(({ model }) => model === "a")[1]?.payload).toEqual({ prompt: "A very long table", seed: 2 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 10_000));
    expect(prices.progress()).toMatchObject({ priced: 18, total: 18, estimates: 4, waiting: 0 });
  });

  it("are asked for once for each size and model, in six estimates, and checked once before a run", async () => {
    const rows = product(["A", "B", "C"], [{ size: "small" }, { size: "large" }, { size: "huge" }], ["a", "b"]);
    const { prices, asked, want, check } = open();
    await want(rows, 5000);
    expect(asked).toHaveLength(6);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(flatPrice));
    expect(await check(rows, 5000)).toEqual({ changed: 0 });
    expect(asked).toHaveLength(12);
    // Everything is checked: the next time nothing is asked.
    expect(await check(rows, 5000)).toEqual({ changed: 0 });
    expect(asked).toHaveLength(12);
  });

  it("count a default that is written out as the same", async () => {
    const { asked, want } = open();
    await want([row({}), row({ size: "small" }), row({ n: 1, size: "small" })]);
    expect(asked).toHaveLength(1);
  });

  it("with one and the same payload are asked for once", async () => {
    const rows = Array.from({ length: 20 }, () => row({}));
    const { prices, asked, want, check } = open();
    await want(rows, 5000);
    await check(rows);
    expect(asked).toHaveLength(1);
    expect(prices.progress()).toMatchObject({ priced: 20, total: 20, estimates: 1 });
  });

  it("differ in numbers that are no count and no size: two hundred are priced with two estimates", async () => {
    const rows = Array.from({ length: 200 }, (_, guidance) => row({ guidance }));
    const { prices, asked, want } = open();
    await want(rows);
    expect(asked.map(({ payload }) => payload.guidance)).toEqual([0, 199]);
    expect(prices.progress()).toMatchObject({ priced: 200, waiting: 0 });
  });

  it("keep the price of their group when the row that was asked for is edited", async () => {
    const { prices, asked, want } = open();
    await want([row({ prompt: "A" }), row({ prompt: "B" })]);
    const edited = [row({ prompt: "C" }), row({ prompt: "B" })];
    await want(edited);
    expect(edited.map((one) => priceOf(prices, one))).toEqual([10_000, 10_000]);
    expect(asked).toHaveLength(1);
  });
});

describe("a group that is wrong", () => {
  const byWords = ({ payload }: JobRequest) => 1000 * String(payload.prompt).length;

  it("because words move the price is found out by the check, and every row is priced by itself", async () => {
    const rows = product(["A", "BB", "CCC"], [{}]);
    const { prices, want, check, asked } = open(byWords);
    await want(rows, 5000);
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 1000, 1000]);
    expect(asked).toHaveLength(1);
    expect(await check(rows)).toEqual({ changed: 2 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 2000, 3000]);
    expect(asked).toHaveLength(3);
  });

  it("is found out while drafting where it is large, and stays found out when its rows change", async () => {
    const rows = product(["A", "BB", "CCC", "DDDD", "EEEEE", "FFFFFF"], [{}]);
    const { prices, want } = open(byWords);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(byWords));
    const edited = [...rows.slice(0, 5), row({ prompt: "GGGGGGGGGG" })];
    await want(edited, 0);
    expect(priceOf(prices, edited[5] as JobRequest)).toBe("pricing");
    await want(edited);
    expect(edited.map((one) => priceOf(prices, one))).toEqual(edited.map(byWords));
  });

  it("because a number moves the price is found out while drafting, however small it is", async () => {
    const byGuidance = ({ payload }: JobRequest) => 1000 * Number(payload.guidance);
    const rows = [row({ guidance: 1 }), row({ guidance: 2 }), row({ guidance: 4 })];
    const { prices, want } = open(byGuidance);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 2000, 4000]);
  });

  it("because a number was edited is not taken for right before it was checked", async () => {
    const byGuidance = ({ payload }: JobRequest) => 1000 * Number(payload.guidance);
    const { prices, want } = open(byGuidance);
    await want([row({ guidance: 2 })]);
    const edited = [row({ guidance: 4 }), row({ guidance: 4, seed: 1 })];
    await want(edited, 0);
    expect(edited.map((one) => priceOf(prices, one))).toEqual(["pricing", "pricing"]);
    await want(edited);
    expect(edited.map((one) => priceOf(prices, one))).toEqual([4000, 4000]);
  });

  it("because one of several parameters counts is found out where each of them varies alone", async () => {
    const bySeed = ({ payload }: JobRequest) => (payload.seed === 2 ? 5000 : 4000);
    const rows = [row({}), row({ prompt: "A much longer prompt" }), row({ seed: 2 })];
    const { prices, want, check } = open(bySeed);
    await want(rows);
    expect(await check(rows)).toEqual({ changed: 1 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([4000, 4000, 5000]);
  });

  it("is found out where the row that differs most is refused: another one checks it", async () => {
    const { prices, want, check } = open((one) => (one.payload.prompt === "CCC" ? refusal(400) : byWords(one)));
    const rows = product(["A", "BB", "CCC"], [{}]);
    await want(rows);
    expect(await check(rows)).toEqual({ changed: 2 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([1000, 2000, "failed"]);
  });

  it("is found out and priced while another model gives no answer", async () => {
    const { prices, want } = open((one) => (one.model === "b" ? new NoAnswerError() : byWords(one)));
    const rows = product(["A", "BB", "CCC", "DDDD", "EEEEE", "FFFFFF"], [{}]);
    await want([row({}, "b"), ...rows]);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(byWords));
  });

  it("because a default that is written out costs more is found out by the check", async () => {
    const odd = ({ payload }: JobRequest) => (Object.hasOwn(payload, "size") ? 5000 : 4000);
    const rows = [row({}), row({ size: "small" })];
    const { prices, want, check } = open(odd);
    await want(rows);
    expect(await check(rows)).toEqual({ changed: 1 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual([4000, 5000]);
  });
});

describe("where the service refuses", () => {
  it("a row fails by itself, and the others are priced by another one", async () => {
    const rows = product(["bad", "B", "C"], [{}]);
    const { prices, asked, want } = open((request) => (request.payload.prompt === "bad" ? refusal(400) : 7000));
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(["failed", 7000, 7000]);
    expect(asked).toHaveLength(2);
  });

  it("every row of a group, none says so of another that was not asked for; one that is mended has its price", async () => {
    const rows = product(["one", "two", "three", "four"], [{}]);
    const { prices, want } = open(({ payload }) => (payload.prompt === "good" ? 5000 : refusal(400)));
    await want(rows, 60);
    expect(rows.map((one) => priceOf(prices, one)).slice(-1)).toEqual(["pricing"]);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => "failed"));
    expect(prices.progress()).toMatchObject({ priced: 0, waiting: 0 });
    const mended = [...rows.slice(0, 2), row({ prompt: "good" }), ...rows.slice(3)];
    await want(mended);
    expect(mended.map((one) => priceOf(prices, one))).toEqual(["failed", "failed", 5000, "failed"]);
  });

  it("a row that is edited meanwhile: the new one has its price", async () => {
    const { prices, want } = open(({ payload }) => (payload.prompt === "good" ? 5000 : refusal(400)));
    await want([row({ prompt: "bad" })], 20);
    const good = row({ prompt: "good" });
    await want([good]);
    expect(priceOf(prices, good)).toBe(5000);
  });

  it("rows that nobody wants any more, no more of them are asked for", async () => {
    const { want, asked } = open(() => refusal(400));
    await want(
      Array.from({ length: 500 }, (_, at) => row({ prompt: `Prompt ${at}` })),
      5000,
    );
    const before = asked.length;
    await want([]);
    expect(asked.length - before).toBeLessThanOrEqual(1);
  });

  it("a model after its prices were told, its old prices are none any more, and Run finds it out", async () => {
    let isGone = false;
    const { prices, want, check, asked } = open((one) => (isGone ? refusal(404) : flatPrice(one)));
    const rows = product(["A", "B", "C", "D", "E", "F"], [{}]);
    await want(rows, 5000);
    isGone = true;
    prices.renew();
    await want(rows, 5000);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => "failed"));
    expect(await check(rows)).toEqual({ changed: 0 });
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it("an inactive model, it is asked about again a minute later where rows change", async () => {
    let isGone = true;
    const { prices, want } = open((one) => (isGone ? refusal(404) : flatPrice(one)));
    await want([row({ n: 1 })]);
    isGone = false;
    const rows = [row({ n: 1 }), row({ n: 2 }), row({ size: "huge" })];
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(flatPrice));
  });

  it("an inactive model is asked about once", async () => {
    const rows = product(["A"], [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }]);
    const { prices, asked, want } = open(() => refusal(404, "Model a is inactive"));
    await want(rows, 5000);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => "failed"));
    // Those that were under way together.
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(prices.progress().waiting).toBe(0);
    await want([...rows, row({ n: 6 })], 5000);
    expect(asked.length).toBeLessThanOrEqual(3);
  });

  it("a price that cannot be trusted fails the row", async () => {
    const { prices, want } = open(() => new Error("The price is no whole number of micro-USD."));
    await want([row({})]);
    expect(prices.of(row({}))).toMatchObject({ state: "failed", error: { message: /no whole number/ } });
  });
});

it("a model that cannot be read holds up nothing, and one that is loading has no price yet", async () => {
  const rows = [row({}, "gone"), row({}, "a"), row({ seed: 2 }, "gone"), row({}, "loading")];
  const error = refusal(404, "no such model");
  const schemas = new Map([
    ...SCHEMAS,
    ["gone", { state: "failed", error, retry: () => {} }] as const,
    ["loading", { state: "loading" }] as const,
  ]);
  const groups = priceGroups(rows, schemas);
  expect(groups.map(({ model, rows: members }) => [model, members.length])).toEqual([
    ["gone", 1],
    ["a", 1],
    ["gone", 1],
  ]);
  const { client } = open();
  expect(readPrices(client, groups).progress(rows, schemas)).toMatchObject({ priced: 0, total: 4, waiting: 4 });
});

describe("where the service is busy", () => {
  it("it is asked again later, and says why nothing comes", async () => {
    const { prices, asked, want, end } = open((request, at) => (at <= 4 ? refusal(429) : flatPrice(request)));
    const rows = [row({ n: 1 }), row({ n: 2 })];
    await want(rows, 300);
    expect(prices.progress()).toMatchObject({ priced: 0, waiting: 2, trouble: { status: 429 } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(prices.progress()).toMatchObject({ priced: 2, waiting: 0, trouble: undefined });
    expect(asked).toHaveLength(6);
    expect(await end()).toBeUndefined();
  });

  it("for one payload alone, all others have their price", async () => {
    const { prices, want, end } = open(({ payload }) => (payload.n === 1 ? new NoAnswerError() : 5000));
    const rows = [1, 2, 3, 4, 5].map((n) => row({ n }));
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(["pricing", 5000, 5000, 5000, 5000]);
    expect(await end()).toBeInstanceOf(NoAnswerError);
  });

  it("for one row of a group, the next one tells the price", async () => {
    const { prices, want } = open(({ payload }) => (payload.prompt === "A" ? new NoAnswerError() : 5000));
    const rows = product(["A", "B", "C"], [{}]);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual([5000, 5000, 5000]);
  });

  it("for all rows of a large group, two of them are tried in one pass", async () => {
    const { want, asked } = open(() => new NoAnswerError());
    await want(Array.from({ length: 200 }, (_, at) => row({ prompt: `Prompt ${at}` })));
    // Five times each.
    expect(asked).toHaveLength(10);
  });

  it("when a refresh was asked for, the old prices stay, also at the next refresh", async () => {
    let isDown = false;
    const { prices, want } = open((one) => (isDown ? refusal(503) : flatPrice(one)));
    const rows = product(["A", "B", "C", "D", "E", "F"], [{}]);
    await want(rows);
    isDown = true;
    for (let times = 0; times < 2; times += 1) {
      prices.renew();
      await want(rows);
      expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 10_000));
    }
  });

  it("a check rejects after five tries", async () => {
    let isDown = true;
    const { prices, want, check, asked } = open((request) => (isDown ? new NoAnswerError() : flatPrice(request)));
    const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => row({ n }));
    expect(await check(rows)).toBeInstanceOf(NoAnswerError);
    // Three at once.
    expect(asked).toHaveLength(15);
    isDown = false;
    await want(rows);
    expect(priceOf(prices, rows[0] as JobRequest)).toBe(10_000);
  });
});

describe("prices that changed at the service", () => {
  it("are found by the check once they are a minute old", async () => {
    let factor = 1;
    const { prices, want, check } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "B"], [{ n: 1 }, { n: 2 }]);
    await want(rows);
    await check(rows);
    await vi.advanceTimersByTimeAsync(60_000);
    factor = 3;
    expect(await check(rows)).toEqual({ changed: 4 });
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map((one) => 3 * flatPrice(one)));
  });

  it("end a check also where the clock of the device was set back", async () => {
    let factor = 1;
    const { want, check, asked } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "BB"], [{}]);
    await want(rows, 5000);
    vi.setSystemTime(Date.now() - 5 * 60_000);
    factor = 2;
    await check(rows, 5000);
    expect(asked).toHaveLength(2);
  });

  it("are found where only some of many were asked for again, and then all are", async () => {
    let factor = 1;
    const { want, check, asked } = open((request) => factor * flatPrice(request));
    const rows = Array.from({ length: 40 }, (_, at) => row({ n: at + 1 }));
    await want(rows);
    const before = asked.length;
    expect(await check(rows)).toEqual({ changed: 0 });
    expect(asked.length - before).toBe(12);
    await vi.advanceTimersByTimeAsync(60_000);
    factor = 2;
    expect(await check(rows)).toEqual({ changed: 40 });
  });

  it("are none any more where the service refuses some of many that were asked for again", async () => {
    let isGone = false;
    const { want, check } = open((request) => (isGone ? refusal(404) : flatPrice(request)));
    const rows = Array.from({ length: 40 }, (_, at) => row({ n: at + 1 }));
    await want(rows);
    isGone = true;
    expect(await check(rows)).toEqual({ changed: 40 });
  });

  it("and are told elsewhere for one row, do not make a group wrong: it is asked for anew", async () => {
    let factor = 1;
    const { prices, asked, want, client, api } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"], [{}]);
    await want(rows);
    factor = 2;
    const told = client.fetchQuery(estimateQueries(api).price(rows[4] as JobRequest));
    await vi.advanceTimersByTimeAsync(100);
    await told;
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 20_000));
    expect(asked).toHaveLength(5);
  });

  it("are asked for again by a refresh, without another group", async () => {
    let factor = 1;
    const { prices, want, asked } = open((request) => factor * flatPrice(request));
    const rows = product(["A", "B", "C", "D", "E", "F"], [{}]);
    await want(rows);
    expect(asked).toHaveLength(2);
    factor = 2;
    prices.renew();
    expect(priceOf(prices, rows[5] as JobRequest)).toBe(10_000);
    await want(rows);
    expect(rows.map((one) => priceOf(prices, one))).toEqual(rows.map(() => 20_000));
    expect(asked).toHaveLength(4);
  });

  it("that were refused are asked for again by a refresh", async () => {
    let isRefused = true;
    const { prices, want } = open((request) => (isRefused ? refusal(404) : flatPrice(request)));
    await want([row({})]);
    expect(priceOf(prices, row({}))).toBe("failed");
    isRefused = false;
    prices.renew();
    await want([row({})]);
    expect(priceOf(prices, row({}))).toBe(10_000);
  });
});

describe("two thousand different rows", () => {
  const rows = Array.from({ length: 2000 }, (_, n) => row({ n }));

  it("are asked for one by one, in their order", async () => {
    const { prices, want, asked } = open();
    await want(rows, 10_000);
    expect(asked.slice(0, 5).map(({ payload }) => payload.n)).toEqual([0, 1, 2, 3, 4]);
    const { priced, waiting, secondsLeft } = prices.progress();
    expect(priced + waiting).toBe(2000);
    expect(secondsLeft).toBe(Math.ceil(waiting / 2));
  });

  it("are not asked for once nobody wants them", async () => {
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

it("finds out before a run every group in which one parameter moves the price", async () => {
  const payload = fc.record({
    prompt: fc.constantFrom("A", "BB", "CCC"),
    seed: fc.integer({ min: 0, max: 3 }),
    guidance: fc.integer({ min: 0, max: 3 }),
  });
  const moving = fc.constantFrom("prompt", "seed", "guidance");
  await fc.assert(
    fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 12 }), moving, async (all, key) => {
      // Every value but one costs the same, so that it takes the right row to see it.
      const dear = (all.at(-1) as Record<string, unknown>)[key];
      const own = ({ payload: values }: JobRequest) => (values[key] === dear ? 2000 : 1000);
      const rows: JobRequest[] = all.map((values) => ({ model: "a", payload: values }));
      const { prices, asked, want, check } = open(own);
      await want(rows);
      await check(rows);
      const shown = rows.map((one) => priceOf(prices, one));
      const isSame = new Set(asked.map(own)).size === 1;
      // Each parameter was varied, and what was asked for is shown. A group is only taken for right where all of it agreed.
      const [first] = asked;
      for (const name of ["prompt", "seed", "guidance"]) {
        const varies = rows.some(({ payload: values }) => values[name] !== first?.payload[name]);
        expect(asked.some(({ payload: values }) => values[name] !== first?.payload[name])).toBe(varies);
      }
      if (!isSame) expect(shown).toEqual(rows.map(own));
    }),
    { numRuns: 60 },
  );
});
