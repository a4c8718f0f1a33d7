import "../../setup/page-stand-in.ts";
import "fake-indexeddb/auto";
import { beforeEach, describe, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { jobRuns } from "#batch/rows/group-runs.ts";
import { imageRuns } from "#batch/rows/image-runs.ts";
import { problemKeys, rowProblems } from "#batch/rows/row-problems.ts";
import { connect } from "#connection/connection-store.ts";
import { allowKey } from "#connection/find-key.ts";
import { noteDeletion } from "#media/deleted-media.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { FAST, PICTURE, SCHEMAS } from "./some-schemas.ts";

const KEY = "0123456789abcdefghijkl-own";
const service = { queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: KEY };
let accountId = "";

beforeEach(async () => {
  freshDatabase();
  localStorage.clear();
  ({ accountId } = await connect(service));
});

const row = (payload: Record<string, unknown>, more = {}) => ({ request: { model: "lumen", payload }, ...more });

describe("what keeps a row from being run", () => {
  it("is told for each parameter, in the words of its field", () => {
    const item = row({ seed: "41 27", steps: 99 }, { unavailable: ["Size 9x9"] });
    expect(rowProblems(item, SCHEMAS)).toEqual([
      "Not available in lumen: Size 9x9.",
      "Prompt is required.",
      "Seed must be a whole number.",
      "Steps must be from 1 to 50.",
    ]);
    expect([...problemKeys(item, SCHEMAS)]).toEqual(["prompt", "seed", "steps"]);
    expect(rowProblems(row({ prompt: "fog", seed: 7 }), SCHEMAS)).toEqual([]);
  });

  it("is found once for a row and a form", () => {
    const item = row({ seed: 1 });
    expect(rowProblems(item, SCHEMAS)).toBe(rowProblems(item, new Map(SCHEMAS)));
    const changed: ModelSchemas = new Map([["lumen", { state: "ready", schema: FAST, type: "image" }]]);
    expect(rowProblems(item, changed)).toEqual(["Text is required."]);
  });

  it("is the model, where it is gone or its parameters cannot be read", () => {
    const failed = (error: Error): ModelSchemas => new Map([["lumen", { state: "failed", error, retry: () => {} }]]);
    const gone = new RefusedError({ status: 404, message: "no such model" });
    expect(rowProblems(row({}), failed(gone))).toEqual(["Model not available: lumen."]);
    expect(rowProblems(row({}), failed(new RefusedError({ status: 500, message: "broken" })))[0]).toMatch(
      /^Couldn’t load the parameters of lumen: .*\.$/,
    );
    expect(rowProblems(row({}), new Map([["lumen", { state: "loading" }]]))).toEqual([]);
  });

  // K9
  it("is a text that may be an API key, until the person allows it", () => {
    const found = "sk-test-9f8e7d6c5b4a39281716";
    const item = row({ prompt: `fog ${found}` });
    expect(rowProblems(item, SCHEMAS)).toEqual([
      "Prompt may contain an API key (sk-tes…). Remove it, or allow it if it isn’t one.",
    ]);
    expect([...problemKeys(item, SCHEMAS)]).toEqual(["prompt"]);
    const own = row({ prompt: "fog", negative_prompt: `x ${KEY}` });
    expect(rowProblems(own, SCHEMAS)).toEqual(["Negative prompt contains your API key. Remove it."]);
    allowKey({ kind: "similar", found });
    expect(rowProblems(item, SCHEMAS)).toEqual([]);
  });

  it("is an input that was deleted meanwhile", () => {
    const address = "https://files.example/in.png";
    const item = row({ prompt: "fog", image: address });
    expect(rowProblems(item, SCHEMAS)).toEqual([]);
    noteDeletion(accountId, { requestId: "j", files: [address], inputs: [] });
    expect(rowProblems(item, SCHEMAS)).toEqual([expect.stringMatching(/^This file (was|may have been) deleted\./)]);
  });
});

describe("images", () => {
  const [a, b] = ["https://a.example/1.png", "https://a.example/2.png"];
  const target = { model: "lumen", schema: PICTURE, settings: { steps: 5 }, prompts: ["{red|blue}"] };
  const made = (more: Partial<Parameters<typeof imageRuns>[1]>) =>
    imageRuns([a, b], { ...target, way: "each", ...more }).runs.map(({ request }) => [
      request.payload.image,
      request.payload.prompt,
    ]);

  it("go each with every prompt, or in pairs", () => {
    expect(made({})).toEqual([
      [a, "red"],
      [a, "blue"],
      [b, "red"],
      [b, "blue"],
    ]);
    expect(made({ way: "paired" })).toEqual([
      [a, "red"],
      [b, "blue"],
    ]);
    expect(made({ way: "paired", prompts: ["one"] })).toEqual([
      [a, "one"],
      [b, "one"],
    ]);
    expect(imageRuns([a], { ...target, prompts: [], way: "each" }).runs[0]?.request.payload).toEqual({
      steps: 5,
      image: a,
    });
  });

  it("in pairs of other lengths, or for a model without a field for them, are a problem", () => {
    expect(imageRuns([a], { ...target, way: "paired" }).problem).toBe(
      "Pairs need as many prompts as images: 2 prompts, 1 image.",
    );
    const none = readSchema([{ name: "prompt", type: "string" }]);
    expect(imageRuns([a], { ...target, schema: none, way: "each" }).problem).toBe("lumen doesn’t accept images.");
    expect(
      imageRuns(
        Array.from({ length: 1001 }, () => a),
        { ...target, way: "each" },
      ).problem,
    ).toMatch(/^Too many runs: 2,002\. /);
  });

  it("come in the shape that the field takes, masks last", () => {
    const schema = readSchema([
      { name: "mask", type: "image" },
      { name: "images", type: "array of URLs" },
    ]);
    const { runs } = imageRuns([a], { ...target, schema, way: "each" });
    expect(runs[0]).toEqual({
      request: { model: "lumen", payload: { steps: 5, images: [a] } },
      unavailable: ["Prompt red"],
    });
  });
});

it("jobs of History become runs, and those with unknown settings are named", () => {
  const payload = { prompt: "fog" };
  expect(
    jobRuns([
      { requestId: "1", model: "lumen", payload },
      { requestId: "2", model: "lumen", payload: undefined },
      { requestId: "3", model: undefined, payload },
    ]),
  ).toEqual({
    runs: [{ request: { model: "lumen", payload } }],
    unknown: ["2", "3"],
    problem: "2 jobs have unknown settings and are skipped.",
  });
  const many = Array.from({ length: 2001 }, (_, at) => ({ requestId: `${at}`, model: "lumen", payload }));
  expect(jobRuns(many).problem).toBe("A batch can have up to 2,000 runs. 1 more job is skipped.");
});
