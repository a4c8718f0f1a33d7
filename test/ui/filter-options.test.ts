import { describe, expect, test } from "vitest";
import { filterOptions } from "#ui/filter-options.ts";
import fc from "../setup/fc.ts";

const OPTIONS = [
  { value: "lumen-2", label: "Lumen 2", detail: "image" },
  { value: "halide-clip", label: "Halide clip", detail: "video" },
  { value: "elan", label: "Élan", detail: "audio" },
];

describe("filterOptions", () => {
  test("every word must be found, in label, value or detail, accents and case aside", () => {
    const values = (query: string) => filterOptions(OPTIONS, query).map(({ value }) => value);
    expect(values("LUMEN image")).toEqual(["lumen-2"]);
    expect(values("elan")).toEqual(["elan"]);
    expect(values("lumen video")).toEqual([]);
    expect(values("  ")).toEqual(["lumen-2", "halide-clip", "elan"]);
  });

  test("an option is always found by its own label, whatever the label is", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (labels) => {
        const options = labels.map((label, index) => ({ value: `${index}`, label }));
        for (const option of options) expect(filterOptions(options, option.label)).toContain(option);
      }),
    );
  });
});
