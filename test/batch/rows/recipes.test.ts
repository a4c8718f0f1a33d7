import { describe, expect, it } from "vitest";
import { newGroup, withGroup, withRuns } from "#batch/rows/group-runs.ts";
import { openTemplate } from "#batch/rows/open-recipe.ts";
import { readTemplate, type Template, writeTemplate } from "#batch/rows/read-recipe.ts";
import { createTemplate, packTemplate, templateLink, unpackTemplate } from "#batch/rows/recipe.ts";
import { packJson } from "#lib/packed-json.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { type Batch, type BatchAxes, DEFAULT_RULES } from "#storage/stored-batches.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { SCHEMAS } from "./some-schemas.ts";

const AXES: BatchAxes = {
  models: ["lumen", "fast"],
  settings: { lumen: { prompt: "a {red|blue} fox", hd: true } },
  parameters: [{ key: "seed", values: [1, 2, 3] }],
  way: "product",
};
const EMPTY: Batch = { id: "b", name: "Foxes", createdAtMs: 1, groups: [], items: [], rules: DEFAULT_RULES };
const IDS = new Set(["lumen", "fast"]);
const open = (template: Template) => openTemplate(template, { modelIds: IDS, schemas: SCHEMAS });
const batchOf = (template: Template) =>
  open(template).groups.reduce((all, { group, runs }) => withGroup(all, group, runs), EMPTY);
const requests = (batch: Batch) => batch.items.map(({ request, unavailable }) => ({ request, unavailable }));
const FOXES: Template = { name: "Foxes", groups: [{ name: "Axes", axes: AXES }], rules: DEFAULT_RULES };
const KEY = "key-0123456789-abcdefghij";
const privacy = {
  keyShape: shapeOfKey(KEY),
  ownAddresses: new Set(["https://s.example/in/own.png"]),
  schemas: SCHEMAS,
};

describe("the template of a batch", () => {
  it("has the axes alone where the rows follow from them, and every row where one was changed", () => {
    const batch = batchOf(FOXES);
    expect(batch.items).toHaveLength(12);
    expect(createTemplate(batch, privacy)).toEqual(FOXES);
    const fewer = { ...batch, items: batch.items.slice(1) };
    const template = createTemplate(fewer, privacy);
    expect(template.groups[0]?.runs).toHaveLength(11);
    expect(requests(batchOf(template)).map(({ request }) => request)).toEqual(
      fewer.items.map(({ request }) => request),
    );
  });

  it("opened, saved and opened again is the same", () => {
    const read = readTemplate(writeTemplate(createTemplate(batchOf(FOXES), privacy)));
    expect(read.template).toEqual(FOXES);
    expect(requests(batchOf(read.template ?? FOXES))).toEqual(requests(batchOf(FOXES)));
  });

  // K4
  it("has no key, and no file that is private or expires", () => {
    const addresses = [
      "https://s.example/in/own.png",
      "https://a.example/1.png?X-Amz-Signature=0123456789abcdef",
      "https://results.example/out.png",
      "data:image/png;base64,AAAA",
    ];
    const payloads = [
      ...addresses.map((image) => ({ prompt: "fog", image })),
      { prompt: `fog ${KEY}` },
      { prompt: "fog", image: "https://open.example/photo.png" },
    ];
    const runs = payloads.map((payload) => ({ request: { model: "lumen", payload } }));
    const batch = withGroup(EMPTY, newGroup("Runs", "runs"), runs);
    const template = createTemplate(batch, { ...privacy, isExpiring: (address) => address.includes("results.") });
    const text = writeTemplate(template);
    for (const hidden of [...addresses, KEY]) expect(text).not.toContain(hidden);
    expect(template.leftOut).toBe(5);
    expect(template.groups[0]?.runs?.at(-1)?.payload).toEqual(payloads.at(-1));
    expect(open(template).notes[0]).toMatch(/^5 values were private or would expire/);
  });

  it("of axes leaves out the values that are private, and counts them", () => {
    const axes: BatchAxes = {
      ...AXES,
      models: ["lumen"],
      parameters: [{ key: "image", values: ["https://s.example/in/own.png", "https://open.example/1.png"] }],
    };
    const template = createTemplate(batchOf({ name: "x", groups: [{ name: "x", axes }] }), privacy);
    expect(template.groups[0]?.axes?.parameters[0]?.values).toEqual(["https://open.example/1.png"]);
    expect(template.leftOut).toBe(1);
  });

  it("keeps the steps of a chain in place of their rows", () => {
    const step = { ...newGroup("Clips", "step"), id: "s" };
    const batch = withRuns({ ...batchOf(FOXES), groups: [...batchOf(FOXES).groups, step] }, "s", [
      { request: { model: "fast", payload: { first_frame: "https://results.example/1.png" } } },
    ]);
    const steps = [
      { model: "fast", settings: { text: "slow pan", first_frame: "blob:x" }, use: "last-frame" as const },
    ];
    const template = createTemplate({ ...batch, groups: [...batchOf(FOXES).groups, step] }, { ...privacy, steps });
    expect(template.groups.map(({ name }) => name)).toEqual(["Axes"]);
    expect(template.steps).toEqual([{ model: "fast", settings: { text: "slow pan" }, use: "last-frame" }]);
    expect(readTemplate(writeTemplate(template)).template?.steps).toEqual(template.steps);
  });
});

describe("a file that is no template", () => {
  it.each([
    ["", /^This file isn’t a template: invalid JSON \(/],
    ["[1]", "This isn’t a Safelight template."],
    ['{"safelight":"export"}', "This isn’t a Safelight template."],
    ['{"safelight":"recipe","runs":[]}', "This template has no version, so it can’t be read."],
    ['{"safelight":"recipe","version":"1"}', "This template has no version, so it can’t be read."],
    ['{"safelight":"recipe","version":2,"runs":[]}', /^This template was made by a newer version of Safelight\./],
    ['{"safelight":"recipe","version":1}', "This template has no runs."],
    ['{"safelight":"recipe","version":1,"runs":{}}', "The runs of this template aren’t a list."],
    [
      '{"safelight":"recipe","version":1,"runs":[{"model":"m","payload":{}},{"payload":{}}]}',
      "Run 2 of this template has no model.",
    ],
    ['{"safelight":"recipe","version":1,"runs":[{"model":"m"}]}', "Run 1 of this template has no settings."],
    ['{"safelight":"recipe","version":1,"groups":[7]}', "Group 1 of this template can’t be read."],
    [
      `{"safelight":"recipe","version":1,"runs":[${Array(2001).fill('{"model":"m","payload":{}}').join(",")}]}`,
      /has 2,001 runs\. A batch can have up to 2,000\.$/,
    ],
    [
      `{"safelight":"recipe","version":1,"axes":{"models":[${Array.from({ length: 51 }, (_, at) => `"${at}"`).join(",")}]}}`,
      "This template has more than 50 models.",
    ],
    [" ".repeat(5_000_001), "This file is too large for a template."],
    [`{"safelight":"recipe","version":1,"runs":${"[".repeat(100)}${"]".repeat(100)}}`, "This template is too large."],
  ])("is told, case %#", (text, problem) => {
    expect(readTemplate(text)).toEqual({
      problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
    });
  });

  // H6
  it("unknown fields are ignored, and keys of prototypes are dropped", () => {
    const text =
      '{"safelight":"recipe","version":1,"more":1,"name":"A\\u202eB","__proto__":{"x":1},"runs":[{"model":"m","payload":{"__proto__":{"polluted":1},"a":1},"price":3}]}';
    const { template } = readTemplate(text);
    expect(template).toEqual({
      name: "A⟨U+202E⟩B",
      groups: [{ name: "A⟨U+202E⟩B", runs: [{ model: "m", payload: { a: 1 } }] }],
    });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("is never thrown about, and what is read can be opened", () => {
    const part = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("m", "lumen", "recipe", -1, 1e300));
    const hostile = fc.record(
      {
        version: fc.constantFrom(1, 2, "1"),
        name: part,
        axes: fc.oneof(
          part,
          fc.record(
            { models: part, settings: part, parameters: fc.array(fc.record({ key: part, values: part, text: part })) },
            { requiredKeys: [] },
          ),
        ),
        runs: fc.oneof(part, fc.array(fc.record({ model: part, payload: part }))),
        groups: part,
        rules: part,
        steps: part,
        leftOut: part,
      },
      { requiredKeys: ["version"] },
    );
    fc.assert(
      fc.property(hostile, (raw) => {
        const { template, problem } = readTemplate(JSON.stringify({ safelight: "recipe", ...raw }));
        expect(template === undefined).toBe(problem !== undefined);
        if (!template) return;
        expect(readTemplate(writeTemplate(template)).template).toEqual(template);
        for (const note of open(template).notes) expect(note).toMatch(/[.!]$/);
      }),
      { numRuns: cases(300) },
    );
  });
});

describe("a link", () => {
  it("holds a template, and a long one is a file instead", async () => {
    const { link = "" } = await templateLink(FOXES, "https://studio.example/batch");
    expect(link).toMatch(/^https:\/\/studio\.example\/batch\?recipe=z[\w-]+$/);
    expect((await unpackTemplate(link.split("=")[1] ?? "")).template).toEqual(FOXES);
    const noise = Array.from({ length: 4000 }, (_, at) => ((at * 2654435761) % 4294967296).toString(36)).join("");
    const long = { name: "x", groups: [{ name: "x", runs: [{ model: "m", payload: { prompt: noise } }] }] };
    expect(await templateLink(long, "https://studio.example/batch")).toEqual({
      problem: "This template is too long for a link. Download it as a file instead.",
    });
    const vast = {
      name: "x",
      groups: [{ name: "x", runs: [{ model: "m", payload: { prompt: "a".repeat(300_000) } }] }],
    };
    expect(await packTemplate(vast)).toBeUndefined();
  });

  it.each(["", "z", "x123", "zAAAA", `z${"A".repeat(7000)}`])(
    "that was cut or changed is told, case %#",
    async (words) => {
      expect((await unpackTemplate(words)).problem).toMatch(/^Couldn’t read the template in this link\./);
    },
  );

  it("of a newer version, or of a payload, says so", async () => {
    const newer = await packJson({ safelight: "recipe", version: 9 }, 6000);
    expect((await unpackTemplate(newer ?? "")).problem).toMatch(/newer version of Safelight/);
    const payload = await packJson({ prompt: "fog" }, 6000);
    expect((await unpackTemplate(payload ?? "")).problem).toBe("This isn’t a Safelight template.");
  });
});
