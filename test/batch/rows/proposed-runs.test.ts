import { describe, expect, it } from "vitest";
import { expandAxes } from "#batch/rows/expand-axes.ts";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { jsonErrorPlace } from "#lib/json-place.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { SCHEMAS } from "./some-schemas.ts";

describe("runs that an answer proposes", () => {
  it("are read from a list", () => {
    const runs = [
      { model: "lumen", payload: { prompt: "fog" } },
      { model: "fast", payload: { text: "rain" } },
    ];
    expect(readProposedRuns(JSON.stringify({ name: "Weather", runs }))).toEqual({
      template: { name: "Weather", groups: [{ name: "Weather", runs }] },
      problems: [],
    });
    expect(readProposedRuns({ runs }).template?.name).toBe("");
  });

  it("are read from axes, with texts as a person types them", () => {
    const { template, problems } = readProposedRuns({
      models: ["lumen", "fast"],
      settings: { steps: 9 },
      axes: { prompt: ["a {red|blue} fox", "a cat"], seed: [1, 2], size: "1024x1024" },
    });
    expect(problems).toEqual([]);
    const axes = template?.groups[0]?.axes;
    expect(axes).toEqual({
      models: ["lumen", "fast"],
      settings: { lumen: { steps: 9 } },
      parameters: [
        { key: "prompt", values: ["a {red|blue} fox", "a cat"], text: "a {red|blue} fox\na cat" },
        { key: "seed", values: [1, 2] },
        { key: "size", values: ["1024x1024"] },
      ],
      way: "product",
    });
    expect(axes && expandAxes(axes, SCHEMAS).runs).toHaveLength(12);
  });

  it("that cannot be read are named, and the others come", () => {
    const runs = [{ model: "lumen", payload: {} }, { payload: {} }, { model: "lumen" }, null];
    expect(readProposedRuns({ runs })).toMatchObject({
      template: { groups: [{ runs: [runs[0]] }] },
      problems: [
        "Run 2 has no model, so it is skipped.",
        "Run 3 has no settings, so it is skipped.",
        "Run 4 has no model, so it is skipped.",
      ],
    });
    const many = readProposedRuns({ runs: Array.from({ length: MAX_ITEMS + 5 }, () => runs[0]) });
    expect(many.template?.groups[0]?.runs).toHaveLength(MAX_ITEMS);
    expect(many.problems).toEqual(["Too many runs: 2,005. A batch can have up to 2,000, so the rest are skipped."]);
  });

  it.each([
    ['{"runs": [{"model": "m",}]}', "This isn’t JSON. Check line 1, column 25."],
    ['{"runs": [\n  {"model": "m" "payload": {}}\n]}', "This isn’t JSON. Check line 2, column 17."],
    ['{"runs": [', "This isn’t JSON. Check line 1, column 11."],
    [
      '{"runs": [{"model": "m", "payload": {"seed": 90071992547409931}}]}',
      /^This isn’t JSON. The number 90071992547409931 can’t be saved exactly\.$/,
    ],
    ["[1]", "This isn’t a JSON object. It needs “runs”, or “models” and “axes”."],
    ["{}", "No model given. It needs “runs”, or “models” and “axes”."],
    ['{"runs": {}}', "The value of “runs” isn’t a list."],
    ['{"runs": []}', "This proposal has no runs."],
    ['{"runs": [{"model": 7}]}', "This proposal has no runs. Run 1 has no model, so it is skipped."],
    ['{"models": ["m"], "axes": []}', "The value of “axes” isn’t an object."],
    ['{"models": ["m"], "settings": 3}', "The value of “settings” isn’t an object."],
    [`"${"x".repeat(1_000_001)}"`, "This proposal is too long."],
  ])("of another shape are told with the place, case %#", (text, problem) => {
    expect(readProposedRuns(text)).toEqual({
      problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
    });
  });

  // H5, H6
  it("hold no markup that acts, and no keys of prototypes", () => {
    const text =
      '{"name":"<img src=x onerror=alert(1)>\\u202e","__proto__":{"polluted":1},"runs":[{"model":"m","payload":{"__proto__":{"polluted":1},"prompt":"<b>"}}]}';
    const { template } = readProposedRuns(text);
    expect(template?.name).toBe("<img src=x onerror=alert(1)>⟨U+202E⟩");
    expect(template?.groups[0]?.runs).toEqual([{ model: "m", payload: { prompt: "<b>" } }]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("of any shape are a template or a sentence", () => {
    const part = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("m", "zip", "{a|b}"));
    const list = fc.array(fc.record({ model: part, payload: part }, { requiredKeys: [] }));
    const keys = fc.dictionary(fc.string(), fc.oneof(part, fc.array(part)));
    const raw = fc.record(
      {
        name: part,
        runs: fc.oneof(part, list),
        models: part,
        model: part,
        settings: fc.oneof(part, keys),
        axes: fc.oneof(part, keys),
        way: part,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(raw, part), fc.nat(200), (value, cut) => {
        const text = JSON.stringify(value);
        for (const one of [text, text.slice(0, cut), value]) {
          const { template, problem, problems = [] } = readProposedRuns(one);
          expect(template === undefined).toBe(problem !== undefined);
          for (const sentence of [problem ?? "Read.", ...problems]) expect(sentence).toMatch(/\.$/);
        }
      }),
      { numRuns: cases(300) },
    );
  });
});

it("the place where a text stops being JSON is where a cut or a foreign sign stands", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), fc.boolean(), (value, place, isIndented) => {
      const text = JSON.stringify(value, null, isIndented ? 2 : 0);
      expect(jsonErrorPlace(text)).toBeUndefined();
      const at = place % (text.length + 1);
      const found = jsonErrorPlace(`${text.slice(0, at)}\u0001`);
      if (found) expect(found.line).toBeLessThanOrEqual(text.slice(0, at).split("\n").length);
    }),
    { numRuns: cases(300) },
  );
});
