import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";

/**
 * Answers in the shapes that other services and protocols have, of which none was at hand when the search was written. A
 * line each: what must follow, its name, the answer, and the keys that it lists where those are not the usual three.
 */
const lines = readFileSync(new URL("other-services.jsonl", import.meta.url).pathname, "utf8")
  .trim()
  .split("\n")
  .map(
    (line) => JSON.parse(line) as [kind: "found" | "none" | "empty", name: string, answer: unknown, names?: string[]],
  );
const answers = (kind: string) => lines.filter((line) => line[0] === kind);
const NAMES = ["prompt", "width", "seed"];

describe("the listing in an answer of another kind of service", () => {
  it.each(answers("found"))("%s: %s", (_kind, _name, answer, want = NAMES) => {
    const form = readSchema(answer);
    expect(form.fields.map((f) => f.key).sort()).toEqual([...want].sort());
  });
});
describe("an answer without a listing of inputs", () => {
  it.each(answers("none"))("%s of it is a form in silence: %s", (_kind, _name, answer) => {
    const form = readSchema(answer);
    expect(form.fields.length === 0 || form.isUnsure).toBe(true);
  });
});
describe("an empty listing", () => {
  it.each(answers("empty"))("%s is a model without parameters: %s", (_kind, _name, answer) => {
    const form = readSchema(answer);
    expect(form.reading).toBe("empty");
    expect(form.limits?.join()).toMatch(/has no parameters/);
  });

  it("beside a filled one is not taken for the model's", () => {
    expect(
      readSchema({ parameters: [], input_schema: { properties: { a: { type: "string" }, b: {}, c: {} } } }).fields,
    ).toHaveLength(3);
  });
});
