import { describe, expect, it } from "vitest";
import { axisFields, carryPayload, chooseAxes, getSettingsPhrase } from "#batch/prices/price-axes.ts";
import {
  basePayload,
  budgetAnswers,
  cellTag,
  getCellHeat,
  type PriceCell,
  type PriceTable,
  priceCells,
  priceCsv,
  readBudget,
  runsFor,
  tableFacts,
  unitPrice,
} from "#batch/prices/price-cells.ts";
import { readPriceSearch } from "#batch/prices/price-search.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import fc from "../../setup/fc.ts";

const clip = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "image", display_name: "First frame", type: "image", required: false },
  { name: "seed", type: "integer" },
  { name: "aspect_ratio", type: "enum", options: ["16:9", "9:16"], default_value: "16:9" },
  { name: "sound", type: "enum", options: ["on", "off"], default_value: "off" },
  { name: "resolution", type: "enum", options: ["480p", "720p", "1080p"], default_value: "720p" },
  { name: "duration", type: "enum", options: ["5", "8", "10"], default_value: "5" },
  { name: "steps", type: "integer", min_value: 1, max_value: 200, default_value: 30 },
]);
const PRICES: Record<string, number> = { "480p": 20_000, "720p": 35_000, "1080p": 60_000 };

function tableOf(draft: Record<string, unknown> = {}, search = {}) {
  const base = basePayload(clip, draft);
  const axes = chooseAxes(clip, base.payload, search);
  const cells = priceCells({ model: "m", schema: clip }, base, axes);
  const priceOf = ({ request: { payload }, problem }: PriceCell) =>
    problem !== undefined
      ? ({ state: "off", why: problem } as const)
      : ({
          state: "priced",
          priceMicroUsd: (PRICES[String(payload.resolution ?? "720p")] ?? 0) * Number(payload.duration ?? 5),
        } as const);
  const facts = tableFacts(cells, priceOf, axes);
  return { base, axes, cells, priceOf, facts, schema: clip, modelId: "m" } as unknown as PriceTable;
}
const labels = (axis: { values: readonly { label: string }[] } | undefined) => axis?.values.map(({ label }) => label);

describe("the axes of a price table", () => {
  it("are the two parameters that most likely move the price", () => {
    const { axes } = tableOf();
    expect(labels(axes.rows)).toEqual(["5 s", "8 s", "10 s"]);
    expect(labels(axes.columns)).toEqual(["480p", "720p", "1080p"]);
    expect(axisFields(clip).map(({ key }) => key)).not.toContain("prompt");
    expect(axisFields(clip).map(({ key }) => key)).not.toContain("seed");
  });

  it("are those of the address, with the values that were typed", () => {
    const { axes } = tableOf({}, { rows: "steps", rowValues: "10, 20;30 10", columns: "none" });
    expect(labels(axes.rows)).toEqual(["10", "20", "30"]);
    expect(axes.columns).toBeUndefined();
  });

  it("show what is set now among few values of many", () => {
    const many = readSchema([
      { name: "duration", type: "enum", options: Array.from({ length: 60 }, (_, at) => String(at + 1)) },
    ]);
    const { rows } = chooseAxes(many, { duration: "42" }, {});
    expect(rows?.values.length).toBeLessThanOrEqual(17);
    for (const label of ["1 s", "42 s", "60 s"]) expect(labels(rows)).toContain(label);
  });

  it("never throw, whatever the address says", () => {
    fc.assert(
      fc.property(fc.object(), (raw) => {
        const search = readPriceSearch(raw);
        chooseAxes(clip, {}, search);
      }),
    );
  });
});

describe("the cells of a price table", () => {
  it("are priced with a stand-in for a missing prompt, which stays out of what is run", () => {
    const { cells, base } = tableOf();
    expect(cells).toHaveLength(9);
    expect(cells[0]?.request.payload).toEqual({ prompt: "A sample", duration: "5", resolution: "480p" });
    expect(cells[0]?.payload).toEqual({ duration: "5", resolution: "480p" });
    expect(base.standIns).toEqual(["prompt"]);
  });

  it("mark the person's settings, the ends, and what does not move the price", () => {
    const table = tableOf({ prompt: "A lamp", resolution: "1080p" });
    const tags = table.cells.map((cell) => cellTag(cell, table.priceOf(cell), table.facts));
    expect(tags).toEqual([
      "Lowest",
      undefined,
      "Your settings",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      "Highest, 6×",
    ]);
    expect(table.facts.unmoved).toEqual([]);
    expect(tableOf({}, { rows: "sound", columns: "resolution" }).facts.unmoved).toEqual(["Sound"]);
  });

  it("say why a combination is not available", () => {
    const { cells, priceOf } = tableOf({}, { rows: "steps", rowValues: "30, 500", columns: "none" });
    expect(cells.map(priceOf)).toEqual([
      { state: "priced", priceMicroUsd: 175_000 },
      { state: "off", why: "Steps must be from 1 to 200." },
    ]);
  });

  it("leave out what the draft has and the model does not take", () => {
    const { base, cells } = tableOf({ prompt: "A lamp", resolution: "16K", steps: 20 });
    expect(base.payload).toEqual({ prompt: "A lamp", steps: 20 });
    expect(cells.find(({ isYours }) => isYours)?.payload).toMatchObject({ duration: "5", resolution: "720p" });
  });

  it("are lighter the more they cost, from 4 to 27", () => {
    const { facts } = tableOf();
    expect([getCellHeat(100_000, facts), getCellHeat(600_000, facts)]).toEqual([4, 27]);
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 600_000 }), fc.integer({ min: 100_000, max: 600_000 }), (a, b) => {
        expect(Math.sign(getCellHeat(a, facts) - getCellHeat(b, facts))).toBe(Math.sign(a - b));
      }),
    );
  });

  it("give a price per unit only where it divides exactly", () => {
    expect(unitPrice(480_000, { results: 1, seconds: 8 }, "clip")).toBe("$0.06 per second");
    expect(unitPrice(100_000, { results: 1, seconds: 3 }, "clip")).toBeUndefined();
    expect(unitPrice(140_000, { results: 4, seconds: undefined }, "image")).toBe("$0.035 per image");
    expect(unitPrice(140_000, { results: 1, seconds: undefined }, "image")).toBeUndefined();
  });

  it("are copied as CSV in exact dollars, formulas defused", () => {
    expect(priceCsv(tableOf({}, { rows: "steps", rowValues: "30, 500" }))).toBe(
      "Steps by Duration (USD),5 s,8 s,10 s\r\n30,0.175,0.28,0.35\r\n500,not available,not available,not available\r\n",
    );
  });

  it("are named in words", () => {
    const { axes } = tableOf();
    expect(getSettingsPhrase(axes, "8", "1080p")).toBe("8 s at 1080p");
  });
});

describe("a payload for another model", () => {
  const payload = { prompt: "A lamp", seed: 3, duration: "8", resolution: "1080p", steps: 20 };
  const other = (more: readonly Record<string, unknown>[]) =>
    readSchema([{ name: "text", type: "string", required: true }, ...more]);

  it("is carried in its words, without what is of one model alone", () => {
    const to = other([
      { name: "seconds", type: "integer", min_value: 1, max_value: 10 },
      { name: "resolution", type: "enum", options: ["1080P"] },
    ]);
    expect(carryPayload(clip, payload, to)).toEqual({
      payload: { text: "A lamp", seconds: 8, resolution: "1080P" },
      leftOut: ["Steps"],
    });
  });

  const sharp = { name: "resolution", type: "enum", options: ["1080p"] };
  it.each([
    ["6 s at most", [sharp, { name: "duration", type: "enum", options: ["4", "6"] }]],
    ["10 s at least", [sharp, { name: "duration", type: "integer", min_value: 10, max_value: 20 }]],
    ["No duration", [sharp]],
    [
      "720p only",
      [
        { name: "duration", type: "enum", options: ["8"] },
        { name: "resolution", type: "enum", options: ["720p"] },
      ],
    ],
    [
      "Needs image",
      [
        { name: "duration", type: "enum", options: ["8"] },
        { name: "resolution", type: "enum", options: ["1080p"] },
        { name: "image", type: "image", required: true },
      ],
    ],
  ])("says why it is not taken: %s", (why, more) => {
    expect(carryPayload(clip, payload, other(more))).toEqual({ why });
  });
});

describe("what an amount is enough for", () => {
  it.each([
    ["5", 5_000_000],
    ["$5.00", 5_000_000],
    ["0.000001", 1],
    ["1,000", 1_000_000_000],
    ["", undefined],
    ["-5", undefined],
    ["1e9", undefined],
    ["5.0000001", undefined],
  ])("reads %s", (text, amount) => {
    expect(readBudget(text)).toBe(amount);
  });

  it("is exact: one run more would cost more than that", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), fc.integer({ min: 1, max: 1e9 }), (budget, price) => {
        const { runs = 0, totalMicroUsd } = runsFor(budget, price);
        expect(totalMicroUsd).toBe(runs * price);
        expect(totalMicroUsd <= budget && totalMicroUsd + price > budget).toBe(true);
      }),
    );
  });

  it("names the most, the person's settings, the most expensive and another model", () => {
    const table = tableOf({ prompt: "A lamp", resolution: "1080p", duration: "8" });
    const yours = table.cells.find(({ isYours }) => isYours);
    const answers = budgetAnswers(5_000_000, table, yours, { id: "halide-mini", priceMicroUsd: 240_000 });
    expect(answers.map(({ kind, results, totalMicroUsd }) => [kind, results, totalMicroUsd])).toEqual([
      ["most", 50, 5_000_000],
      ["yours", 10, 4_800_000],
      ["most-expensive", 8, 4_800_000],
      ["other-model", 20, 4_800_000],
    ]);
  });

  it("is any number where a run is free", () => {
    expect(runsFor(5_000_000, 0)).toEqual({ runs: undefined, totalMicroUsd: 0 });
  });
});
