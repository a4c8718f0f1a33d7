import { describe, expect, test } from "vitest";
import type { JobRequest } from "#api/types.ts";
import { findSheetAxes, type SheetAxis, splitTexts, titleOn } from "#batch/sheet/sheet-axes.ts";
import {
  chooseAxes,
  innerAxes,
  layoutSheet,
  type SheetLine,
  sheetLines,
  sheetPositions,
} from "#batch/sheet/sheet-layout.ts";
import { cursorAfterKey, movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import fc from "../../setup/fc.ts";

const NO_SCHEMAS = new Map();
const rows = (...requests: JobRequest[]) => requests.map((request, at) => ({ id: `run-${at}`, request }));
const request = (model: string, payload: Record<string, unknown>): JobRequest => ({ model, payload });
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

const value = fc.oneof(fc.constantFrom("a", "b", "", "__proto__", "5"), fc.integer({ min: 0, max: 5 }), fc.boolean());
const payload = fc.dictionary(fc.constantFrom("prompt", "seed", "size", "model", "none", "steps"), value, {
  maxKeys: 4,
});
const items = fc
  .array(fc.record({ model: fc.constantFrom("lumen-2", "lumen-1", "constructor"), payload }), { maxLength: 24 })
  .map((requests) => rows(...requests));
const wanted = fc.record(
  {
    columns: fc.constantFrom("model", "prompt", "seed", "size", "none", "gone"),
    rows: fc.constantFrom("model", "prompt", "seed", "steps", "none", "gone"),
  },
  { requiredKeys: [] },
);
const idsOf = (lines: readonly SheetLine[]) => lines.flatMap(({ cells }) => cells.flatMap((id) => id ?? []));

describe("a sheet of any runs by any axes", () => {
  test("has every run in exactly one cell, whose headings are its own values", () => {
    fc.assert(
      fc.property(items, wanted, (all, address) => {
        const axes = findSheetAxes(all, NO_SCHEMAS);
        const chosen = chooseAxes(axes, address, all.length);
        const layout = layoutSheet(ids(all), chosen);
        const placed = layout.rows.flatMap(({ cells }) => cells.flat());
        expect([...placed].sort()).toEqual(ids(all).sort());
        for (const { heading, cells } of layout.rows) {
          expect(cells).toHaveLength(Math.max(1, layout.columns.length));
          for (const [at, own] of cells.entries()) {
            for (const id of own) {
              expect(chosen.rows?.valueIds.get(id)).toBe(heading?.id);
              expect(chosen.columns?.valueIds.get(id)).toBe(layout.columns[at]?.id);
            }
          }
        }
      }),
    );
  });

  test("draws each of them once in its lines, on a desk and on a phone", () => {
    fc.assert(
      fc.property(items, wanted, fc.integer({ min: 1, max: 7 }), fc.boolean(), (all, address, perLine, isGrouped) => {
        const chosen = chooseAxes(findSheetAxes(all, NO_SCHEMAS), address, all.length);
        const lines = sheetLines(layoutSheet(ids(all), chosen), perLine, isGrouped);
        expect(idsOf(lines).sort()).toEqual(ids(all).sort());
        expect(lines.every(({ isGroup, cells }) => isGroup || cells.some((id) => id !== undefined))).toBe(true);
      }),
    );
  });
});

describe("the axes", () => {
  const product = ["Lighthouse", "Harbour town"].flatMap((subject, at) =>
    ["lumen-1", "lumen-2", "lumen-2-pro"].map((model) =>
      request(model, { prompt: `${subject} at dusk, 35 mm`, seed: at, size: "512x512" }),
    ),
  );

  test("are what differs, models as columns and prompts as rows where nothing else is said", () => {
    const axes = findSheetAxes(rows(...product), NO_SCHEMAS);
    expect(axes.map(({ id }) => id)).toEqual(["model", "prompt", "seed"]);
    const { columns, rows: down } = chooseAxes(axes, {}, product.length);
    expect([columns?.label, down?.label]).toEqual(["Model", "Prompt"]);
    expect(down?.values.map(({ title, detail }) => [title, detail])).toEqual([
      ["Lighthouse", "at dusk, 35 mm"],
      ["Harbour town", "at dusk, 35 mm"],
    ]);
  });

  test("are those of the address, also none", () => {
    const axes = findSheetAxes(rows(...product), NO_SCHEMAS);
    const chosen = chooseAxes(axes, { columns: "seed", rows: "none" }, product.length);
    expect([chosen.columns?.id, chosen.rows]).toEqual(["seed", undefined]);
    const same = chooseAxes(axes, { columns: "model", rows: "model" }, product.length);
    expect([same.columns?.id, same.rows]).toEqual(["model", undefined]);
  });

  test("are none for rows that have nothing in common, which keep their order", () => {
    const csv = rows(
      ...["a cat", "two boats", "rain", "a door"].map((prompt, at) =>
        request(at % 2 ? "lumen-1" : "lumen-2", { prompt, seed: at }),
      ),
    );
    const chosen = chooseAxes(findSheetAxes(csv, NO_SCHEMAS), {}, csv.length);
    expect(chosen).toEqual({ columns: undefined, rows: undefined });
    expect(idsOf(sheetLines(layoutSheet(ids(csv), chosen), 3))).toEqual(ids(csv));
  });

  test("beyond columns and rows tell the results of one cell apart", () => {
    const all = rows(
      ...product.flatMap((one) => ["512x512", "1024x1024"].map((size) => request(one.model, { ...one.payload, size }))),
    );
    const axes = findSheetAxes(all, NO_SCHEMAS);
    const chosen = chooseAxes(axes, {}, all.length);
    const inner = innerAxes(axes, layoutSheet(ids(all), chosen), chosen);
    expect(inner.map(({ id }) => id)).toEqual(["size"]);
    expect(titleOn(inner[0] as SheetAxis, "run-1")).toBe("1024x1024");
  });

  test("name what a run was not given", () => {
    const axes = findSheetAxes(rows(request("a", { steps: 5 }), request("a", {})), NO_SCHEMAS);
    expect(axes[0]?.values.map(({ title }) => title)).toEqual(["5", "Not set"]);
  });
});

test("keys of a sheet pass over the headings of groups", () => {
  const lines: SheetLine[] = [
    { heading: undefined, isGroup: true, cells: [] },
    { heading: undefined, isGroup: false, cells: ["a1", "b1"] },
    { heading: undefined, isGroup: true, cells: [] },
    { heading: undefined, isGroup: false, cells: ["a2", undefined] },
  ];
  const places = sheetPositions(lines, { hasColumns: false, heightOf: () => 100 });
  const press = (key: string, from: string) =>
    cursorAfterKey({ key, shift: false, mod: false }, movedTo(NO_CURSOR, from), places)?.active;
  expect(press("ArrowDown", "b1")).toBe("a2");
  expect(press("ArrowUp", "a2")).toBe("a1");
  expect(press("ArrowRight", "b1")).toBe("a2");
});

describe("texts that are told apart", () => {
  test("keep every word, each once", () => {
    const words = fc.array(fc.constantFrom("a", "lighthouse", "at", "dusk,", "35", "mm"), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(words, { minLength: 2, maxLength: 6 }), (all) => {
        const texts = all.map((own) => own.join(" "));
        const letters = (text: string) => text.replace(/[^a-z0-9]/g, "");
        for (const [at, { title, detail }] of splitTexts(texts).entries()) {
          expect(title).not.toBe("");
          const sorted = (text: string) => [...letters(text)].sort().join("");
          expect(sorted(title + detail)).toBe(sorted(texts[at] ?? ""));
        }
      }),
    );
  });

  test("are split where they differ in the middle", () => {
    expect(splitTexts(["A photo of a cat at dawn", "A photo of a red door at dawn"])).toEqual([
      { title: "cat", detail: "A photo of a … at dawn" },
      { title: "red door", detail: "A photo of a … at dawn" },
    ]);
  });
});
