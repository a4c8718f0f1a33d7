import { describe, expect, it } from "vitest";
import { type CsvColumn, type CsvRow, csvModels, csvRuns, matchColumns, writeCsv } from "#batch/rows/csv-runs.ts";
import { readCsv } from "#batch/rows/read-csv.ts";
import { rowProblems } from "#batch/rows/row-problems.ts";
import { type JsonRecord, makeSafe } from "#lib/read.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { ready, SCHEMAS } from "./some-schemas.ts";

const meant = (header: readonly string[], schemas: ModelSchemas = SCHEMAS) =>
  matchColumns(header, schemas).map((column) => (column.kind === "parameter" ? column.key : `(${column.kind})`));

function read(text: string, more: Partial<Parameters<typeof csvRuns>[2]> = {}) {
  const table = readCsv(text);
  const columns = matchColumns(table.header, SCHEMAS);
  return csvRuns(table, columns, { model: "lumen", schemas: SCHEMAS, ...more });
}

describe("the columns of a CSV", () => {
  it.each([
    [
      ["prompt", "seed"],
      ["prompt", "seed"],
    ],
    [
      ["Prompt", "SEED", "Negative prompt", "guidance "],
      ["prompt", "seed", "negative_prompt", "guidance"],
    ],
    [
      ["Instruction", "Dimensions", "Picture"],
      ["prompt", "size", "image"],
    ],
    [
      ["Model", "prompt", "whatever", ""],
      ["(model)", "prompt", "(ignored)", "(ignored)"],
    ],
    [
      ["prompt", "Prompt", "text"],
      ["prompt", "(ignored)", "text"],
    ],
    [
      ["Price (USD)", "Status", "Job ID", "Result"],
      ["(ignored)", "(ignored)", "(ignored)", "(ignored)"],
    ],
    [
      ["payload.model", "payload.odd key "],
      ["model", "odd key "],
    ],
  ])("%j mean %j", (header, keys) => {
    expect(meant(header)).toEqual(keys);
  });

  it("never mean a parameter twice, whatever they are called", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom("prompt", "Prompt", "text", "seed", "image", "input", "n"), fc.string())),
        (header) => {
          const keys = matchColumns(header, SCHEMAS).flatMap((column) =>
            column.kind === "parameter" ? [column.key] : [],
          );
          expect(new Set(keys).size).toBe(keys.length);
        },
      ),
      { numRuns: cases(100) },
    );
  });
});

describe("the rows of a CSV", () => {
  it("are runs, with empty cells as the settings have them", () => {
    expect(
      read("prompt;seed;hd\nfog;7;yes\nrain;;\n", { settings: { lumen: { seed: 1, size: "1024x1024" } } }),
    ).toEqual([
      { request: { model: "lumen", payload: { seed: 7, size: "1024x1024", prompt: "fog", hd: true } } },
      { request: { model: "lumen", payload: { seed: 1, size: "1024x1024", prompt: "rain" } } },
    ]);
  });

  it("keep what is wrong in its cell, and the row names it", () => {
    const runs = read("prompt,seed,size\nfog,41 27,huge\n,5000,\n");
    expect(runs.map(({ request }) => request.payload)).toEqual([
      { prompt: "fog", seed: "41 27", size: "huge" },
      { seed: 5000 },
    ]);
    expect(runs.map((run) => rowProblems(run, SCHEMAS))).toEqual([
      ["Seed must be a whole number.", "Size must be one of: 1024x1024, 1536x1024, 1024x1536."],
      ["Prompt is required.", "Seed must be from 0 to 1000."],
    ]);
  });

  it("may each name a model, in which the columns mean the same", () => {
    const text =
      "model,prompt,seed,size,first_frame\nLUMEN,fog,1,1024x1024,\nfast,rain,2,1536x1024,https://a.example/1.png\ngone,sun,3,,";
    const table = readCsv(text);
    expect(csvModels(table, matchColumns(table.header, SCHEMAS))).toEqual(["LUMEN", "fast", "gone"]);
    expect(read(text, { settings: { lumen: { negative_prompt: "blur" } } })).toEqual([
      { request: { model: "lumen", payload: { negative_prompt: "blur", prompt: "fog", seed: 1, size: "1024x1024" } } },
      {
        request: { model: "fast", payload: { text: "rain", random_seed: 2, first_frame: "https://a.example/1.png" } },
        unavailable: ["Size 1536x1024"],
      },
      { request: { model: "gone", payload: { negative_prompt: "blur", prompt: "sun", seed: 3 } } },
    ]);
  });

  it("lose the apostrophe that stands before a formula, and no other", () => {
    expect(read("prompt\n'=1+1\n''=1+1\n'twas\n=1+1").map(({ request }) => request.payload.prompt)).toEqual([
      "=1+1",
      "'=1+1",
      "'twas",
      "=1+1",
    ]);
  });
});

describe("the written table", () => {
  const rows: CsvRow[] = [
    {
      request: { model: "lumen", payload: { prompt: '=HYPERLINK("x"), 1', seed: 7 } },
      priceMicroUsd: 1_234_035_000,
      status: "Done",
      requestId: "j1",
      results: ["https://a.example/1.png", "https://a.example/2.png"],
    },
    { request: { model: "fast", payload: { text: "fog", model: "x" } } },
  ];

  // H20
  it("has every parameter and what became of each run, and no formula", () => {
    expect(writeCsv(rows, SCHEMAS)).toBe(
      "Model,prompt,seed,text,payload.model,Price (USD),Status,Job ID,Result\r\n" +
        'lumen,"\'=HYPERLINK(""x""), 1",7,,,1234.035,Done,j1,https://a.example/1.png https://a.example/2.png\r\n' +
        "fast,,,fog,x,,,,\r\n",
    );
  });

  it("is read back as the same runs", () => {
    expect(read(writeCsv(rows, SCHEMAS))).toEqual(rows.map(({ request }) => ({ request })));
  });
});

const ODD = readSchema({
  type: "object",
  properties: Object.fromEntries(
    ["prompt", "model", "status", "Price", "a b", "A B", "=x", "Job ID", "payload.x", "sep=;"].map((key) => [
      key,
      { type: "string" },
    ]),
  ),
});
const PLAIN = new Map([...SCHEMAS, ["odd", ready(ODD)] as const]);
const words = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "=", "'", '"', ",", "\n", "\r", ";", " ", "é", "-", "1") }),
  fc.constantFrom("", " ", "null", '""', "=1+1", "'=1", "-5", "yes"),
);
const some = (entries: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(entries, { requiredKeys: [] }).map((payload): JsonRecord => {
    const safe = JSON.parse(JSON.stringify(payload));
    makeSafe(safe);
    return safe;
  });
const request = fc.oneof(
  fc.record({
    model: fc.constant("lumen"),
    payload: some({
      prompt: words,
      seed: fc.integer(),
      size: fc.constantFrom("1024x1024", "1536x1024"),
      hd: fc.boolean(),
      guidance: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1000, max: 1000 }),
      image: fc.webUrl(),
    }),
  }),
  fc.record({ model: fc.constant("fast"), payload: some({ text: words, ratio: fc.constantFrom("1:1", "16:9") }) }),
  fc.record({
    model: fc.constant("odd"),
    payload: some(Object.fromEntries(ODD.fields.map(({ key }) => [key, words]))),
  }),
  fc.record({ model: fc.constant("unknown"), payload: some({ prompt: words, x: fc.jsonValue({ maxDepth: 2 }) }) }),
);

it("every table that is written is read back as the same runs", () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 6 }), (requests) => {
      const table = readCsv(
        writeCsv(
          requests.map((one) => ({ request: one })),
          PLAIN,
        ),
      );
      expect(table.problems).toEqual([]);
      const columns = matchColumns(table.header, PLAIN);
      const runs = csvRuns(table, columns, { model: "lumen", schemas: PLAIN });
      expect(runs).toEqual(requests.map((one) => ({ request: one })));
    }),
    { numRuns: cases(300) },
  );
});

it("any file with any meaning of its columns is a run for each row", () => {
  const column: fc.Arbitrary<CsvColumn> = fc.oneof(
    fc.constantFrom<CsvColumn>({ kind: "model" }, { kind: "ignored" }),
    fc
      .constantFrom("prompt", "seed", "size", "image", "text", "__proto__", "x")
      .map((key) => ({ kind: "parameter" as const, key })),
  );
  const cells = fc.array(
    fc.array(fc.oneof(words, fc.string(), fc.constantFrom("lumen", "fast")), { minLength: 3, maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(column, { minLength: 3, maxLength: 3 }), cells, (columns, rows) => {
      const runs = csvRuns({ header: ["a", "b", "c"], rows }, columns, { model: "lumen", schemas: SCHEMAS });
      expect(runs).toHaveLength(rows.length);
      for (const run of runs) expect(rowProblems(run, SCHEMAS).every((text) => typeof text === "string")).toBe(true);
    }),
    { numRuns: cases(200) },
  );
});
