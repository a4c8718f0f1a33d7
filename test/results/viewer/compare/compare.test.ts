import { describe, expect, it } from "vitest";
import {
  bestColumns,
  compareRows,
  getSpan,
  nextMode,
  shownSizes,
  steppedPair,
  usualScale,
  withPick,
} from "#results/viewer/compare/compare-rules.ts";
import { otherModels } from "#results/viewer/compare/same-prompt.ts";
import fc from "../../../setup/fc.ts";
import { someJob } from "../../../setup/some-job.ts";

const file = { id: "0", kind: "image", url: "https://x.example/a.png" } as const;
const entry = (requestId: string, more: Parameters<typeof someJob>[1] = {}) =>
  someJob(requestId, { media: [file], ...more });

describe("the table of a comparison", () => {
  it("lists differences first, and treats null as missing", () => {
    const rows = compareRows([
      entry("a", {
        model: "one",
        payload: { prompt: "x", seed: 1, style: null, size: { w: 1 } },
        priceMicroUsd: 35_000,
      }),
      entry("b", { model: "two", payload: { prompt: "x", seed: 2, size: { w: 1 }, toString: 1 } }),
    ]);
    const names = rows.map(({ name, isSame }) => `${name}${isSame ? ", same" : ""}`);
    expect(names.filter((name) => !/^Created/.test(name))).toEqual([
      "Model",
      "Price",
      "seed",
      "toString",
      "prompt, same",
      "style, same",
      "size, same",
    ]);
    expect(rows.find(({ name }) => name === "toString")?.values).toEqual([undefined, "1"]);
    expect(rows.find(({ name }) => name === "Price")?.values).toEqual(["$0.035", "Unknown"]);
  });

  it("has the pixels of the files where they are known", () => {
    const rows = compareRows([entry("a"), entry("b")], [{ width: 1024, height: 768 }, undefined]);
    expect(rows.find(({ name }) => name === "Pixels")?.values).toEqual(["1024 × 768", undefined]);
  });
});

describe("the scale of a comparison", () => {
  const room = { width: 800, height: 600 };
  it("is the same height for one shape, and the same pixel scale for others", () => {
    expect(
      usualScale([
        { width: 1024, height: 1024 },
        { width: 2048, height: 2048 },
      ]),
    ).toBe("height");
    expect(
      usualScale([
        { width: 1280, height: 720 },
        { width: 720, height: 1280 },
      ]),
    ).toBe("pixels");
  });

  it("fits all files into the room, whatever their sizes", () => {
    const sides = fc.record({ width: fc.integer({ min: 1, max: 9000 }), height: fc.integer({ min: 1, max: 9000 }) });
    const scale = fc.constantFrom("height" as const, "pixels" as const);
    fc.assert(
      fc.property(fc.array(sides, { minLength: 1, maxLength: 8 }), scale, (files, by) => {
        const shown = shownSizes(files, room, by);
        for (const [at, { width, height }] of shown.entries()) {
          expect(width).toBeLessThanOrEqual(room.width + 1e-6);
          expect(height).toBeLessThanOrEqual(room.height + 1e-6);
          expect((width / height) * ((files[at]?.height ?? 1) / (files[at]?.width ?? 1))).toBeCloseTo(1);
        }
        const measure = shown.map(({ height }, at) => (by === "height" ? height : height / (files[at]?.height ?? 1)));
        expect(Math.max(...measure) / Math.min(...measure)).toBeCloseTo(1);
      }),
    );
  });

  it("lays wide files under each other in a high room, and beside each other in a wide one", () => {
    const columns = (count: number, width: number, height: number, shape: number) =>
      bestColumns(Array(count).fill({ width: 1000 * shape, height: 1000 }), { width, height }, "height", 40);
    expect(columns(2, 390, 700, 16 / 9)).toBe(1);
    expect(columns(4, 390, 720, 1)).toBe(2);
    expect(columns(2, 1400, 700, 1)).toBe(2);
    expect(columns(8, 1400, 700, 1)).toBe(4);
    expect(columns(3, 2500, 900, 1)).toBe(3);
  });

  it("keeps the divider on what is seen of the picture", () => {
    expect(getSpan(1000, 400, { scale: 1, x: 0 })).toEqual({ from: 300, to: 700 });
    expect(getSpan(1000, 400, { scale: 4, x: 0 })).toEqual({ from: 0, to: 1000 });
    expect(getSpan(1000, 400, { scale: 1, x: 900 }).from).toBe(1000);
  });
});

describe("results of one prompt by several models", () => {
  const NONE = new Set<string>();
  it("are the newest of each model, whatever the spaces and capitals of the prompt", () => {
    const of = (id: string, model: string, prompt: string, more = {}) => entry(id, { model, prompt, ...more });
    const first = of("a", "one", "A red kite");
    const pool = [
      of("b", "one", "A red kite"),
      of("c", "two", "a  red kite "),
      of("d", "two", "A red kite"),
      of("e", "three", "A red kite, again"),
      of("f", "four", "A red kite", { media: [] }),
      of("g", "five", "A red kite", { media: [{ ...file, kind: "video" }] }),
      of("h", "six", "A red kite"),
    ];
    expect(otherModels(first, pool, NONE).map(({ requestId }) => requestId)).toEqual(["a", "c", "h"]);
    // Files that were deleted are not compared.
    expect(otherModels(first, pool, new Set(["c"])).map(({ requestId }) => requestId)).toEqual(["a", "d", "h"]);
    expect(otherModels(of("z", "one", ""), pool, NONE)).toHaveLength(1);
  });

  it("are eight at most", () => {
    const pool = Array.from({ length: 30 }, (_, at) => entry(`p${at}`, { model: `model-${at}`, prompt: "A kite" }));
    expect(otherModels(entry("a", { model: "own", prompt: "A kite" }), pool, NONE)).toHaveLength(8);
  });
});

describe("which two are laid over each other", () => {
  it("a pick replaces one side, or lets both change places", () => {
    expect(withPick([0, 1], 1, 3)).toEqual([0, 3]);
    expect(withPick([0, 1], 0, 1)).toEqual([1, 0]);
  });

  it("steps never show one job on both sides, and lead through all", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 8 }),
        fc.array(fc.tuple(fc.constantFrom(0 as const, 1 as const), fc.constantFrom(1 as const, -1 as const))),
        (count, steps) => {
          let pair: readonly [number, number] = [0, 1];
          for (const [side, by] of steps) {
            pair = steppedPair(pair, side, by, count);
            expect(pair[0]).not.toBe(pair[1]);
            for (const place of pair) expect(place >= 0 && place < count).toBe(true);
          }
        },
      ),
    );
    expect(steppedPair([0, 1], 1, 1, 2)).toEqual([0, 1]);
  });

  it("the modes follow each other in turn", () => {
    const ways = ["slider"] as ReturnType<typeof nextMode>[];
    for (let turns = 0; turns < 4; turns++) ways.push(nextMode(ways.at(-1) ?? "slider"));
    expect(ways).toEqual(["slider", "side", "flicker", "difference", "slider"]);
  });
});
