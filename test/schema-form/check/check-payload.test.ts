import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { numberFromText, stepNumber } from "#schema-form/check/number-text.ts";
import { matchPatterns } from "#schema-form/check/pattern-worker.ts";
import { checkPatterns, type PatternWorker } from "#schema-form/check/patterns.ts";
import { problemFromMessage } from "#schema-form/check/problems.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import fc from "../../setup/fc.ts";

describe("problems in the field's own words", () => {
  const say = (parameter: object, payload: Record<string, unknown>) =>
    checkPayload(readSchema([{ name: "x", display_name: "Weight", ...parameter }]), payload).map(
      (problem) => problem.message,
    );

  it.each<[object, Record<string, unknown>, string]>([
    [{ type: "string", required: true }, {}, "Weight is required."],
    [{ type: "string", required: true }, { x: "" }, "Weight is required."],
    [{ type: "float", min_value: 1, max_value: 4 }, { x: 9 }, "Weight must be from 1 to 4."],
    [{ type: "float", min_value: 1, unit: "s" }, { x: 0 }, "Weight must be at least 1 s."],
    [{ type: "integer" }, { x: 1.5 }, "Weight must be a whole number."],
    [{ type: "enum", options: ["a", "b"] }, { x: "c" }, "Weight must be one of: a, b."],
    [{ type: "string", max_length: 3 }, { x: "abcd" }, "Weight is 1 character too long (at most 3)."],
    [{ type: "boolean" }, { x: "yes" }, "Weight must be on or off."],
    [{ type: "string", min_value: 0, max_value: 1 }, { x: "2" }, "Weight must be from 0 to 1."],
  ])("%j with %j", (parameter, payload, message) => {
    expect(say(parameter, payload)).toEqual([message]);
  });

  it("say at its own place which required file inside a value is empty", () => {
    const image = { type: "string", title: "Image", contentMediaType: "image/*" };
    const part = { type: "object", properties: { face: image, back: image }, required: ["face"] };
    const schema = readSchema({ properties: { cast: { title: "Cast", type: "array", items: part } } });
    const said = checkPayload(schema, { cast: [{ face: "https://files.example/a.png" }, { face: "", back: "" }] });
    expect(said.map(({ path, message, missing }) => ({ path, message, missing }))).toEqual([
      { path: ["cast", 1, "face"], message: "Cast: Image is required.", missing: true },
    ]);
  });

  // In-the-wild 1.
  it("are none for a listing's own default and options, or numbers as strings", () => {
    expect(say({ type: "integer", options: ["512"], default_value: 512 }, { x: "512" })).toEqual([]);
    expect(say({ type: "integer", options: ["512"], default_value: 512 }, { x: 512 })).toEqual([]);
    expect(say({ type: "float", min_value: 0.5, max_value: 2 }, { x: "1" })).toEqual([]);
    expect(say({ type: "float", min_value: 0.5, max_value: 2 }, { x: "9" })).toEqual(["Weight must be from 0.5 to 2."]);
  });

  it("name conditions between fields, and unknown keys", () => {
    const schema = readSchema({
      properties: { a: { type: "string", title: "First" }, b: { type: "string", title: "Second" } },
      dependentRequired: { a: ["b"] },
      additionalProperties: false,
    });
    expect(checkPayload(schema, { a: "x" }).map((problem) => problem.message)).toEqual([
      "Second is required together with a.",
    ]);
    expect(checkPayload(schema, { c: 1 }).map((problem) => problem.message)).toEqual([
      "“c” isn’t a parameter of this model.",
    ]);
  });
});

// Spec 7.
describe("the service's 400 text beside the field that it names", () => {
  const schema = readSchema([
    { name: "prompt" },
    { name: "n", type: "integer" },
    { name: "image_url" },
    { name: "aspect_ratio" },
    { name: "size" },
  ]);
  it.each([
    ['Unknown key "n" in payload.', "f1"],
    ["payload.image_url is not reachable", "f2"],
    ["Invalid aspect_ratio: 3:7", "f3"],
    ["Generation rejected; please review the prompt and parameters", "f0"],
    ["`size` must be one of 1K, 2K", "f4"],
    ["payload: prompt is required unless aspect_ratio is given", "f0"],
    ["Something is wrong with one n", undefined],
    ["Backend error (400). Please try again.", undefined],
  ])("%s", (message, name) => {
    expect(problemFromMessage(schema, message)?.name).toBe(name);
  });
});

// H8
describe("patterns run in a worker", () => {
  const startNode = (): PatternWorker => {
    const code = `const match = ${matchPatterns.toString()}; const { parentPort } = require("node:worker_threads"); parentPort.on("message", (jobs) => parentPort.postMessage(match(jobs)));`;
    const worker = new Worker(code, { eval: true });
    const adapted: PatternWorker = {
      postMessage: (jobs) => worker.postMessage(jobs),
      terminate: () => void worker.terminate(),
      onmessage: null,
      onerror: null,
    };
    worker.on("message", (data: boolean[]) => adapted.onmessage?.({ data }));
    worker.on("error", (error) => adapted.onerror?.(error));
    return adapted;
  };
  const job = (name: string, pattern: string, text: string) => ({ name, label: name, pattern, text });

  it("report a mismatch, and skip endless and invalid patterns", async () => {
    const { failing, stopped } = await checkPatterns(
      [
        job("f0", "^[a-z]+$", "abc"),
        job("f1", "^(a+)+$", `${"a".repeat(60)}!`),
        job("f2", "^[a-z]+$", "ABC"),
        job("f3", "(", "x"),
      ],
      startNode,
    );
    expect(failing.map((found) => found.name)).toEqual(["f2"]);
    expect(stopped.map((found) => found.name)).toEqual(["f1"]);
  });

  it("are not checked where the platform has no workers", async () => {
    expect(await checkPatterns([job("f0", "^a$", "b")], () => undefined)).toEqual({ failing: [], stopped: [] });
  });
});

describe("a number as text", () => {
  it("keeps digits that a number cannot hold, and steps exactly", () => {
    const [field] = readSchema([{ name: "x", type: "float", min_value: 0, max_value: 1, step: 0.1 }]).fields;
    if (field?.kind !== "number") throw new Error("Not a number field.");
    expect(numberFromText(field, "9007199254740993")).toBe("9007199254740993");
    expect(numberFromText(field, "0,5")).toBe(0.5);
    expect(stepNumber(field, "0.2", 1)).toBe("0.3");
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        (value) => numberFromText(field, String(value)) === value || Object.is(value, -0),
      ),
    );
  });
});
