import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkJson } from "#schema-form/check/check-json.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/**
 * A checkout of the JSON Schema Test Suite. No package of the registry carries drafts 7 and 2020-12, so the folder is
 * given by hand; the keywords are also tested one by one in check-json.test.ts, which runs everywhere.
 */
const SUITE = process.env.JSON_SCHEMA_TEST_SUITE ?? "";
const isHere = SUITE !== "" && existsSync(join(SUITE, "tests/draft2020-12"));

interface Case {
  description: string;
  schema: unknown;
  tests: { description: string; data: unknown; valid: boolean }[];
}

/** The keywords that the form supports, and those that they need. */
const LISTED = new Set(
  (
    "$ref ref allOf anyOf oneOf const enum items prefixItems additionalItems properties required type format " +
    "content default pattern multipleOf dependentRequired if-then-else minimum maximum exclusiveMinimum exclusiveMaximum " +
    "minLength maxLength minItems maxItems uniqueItems contains minContains maxContains minProperties maxProperties " +
    "additionalProperties patternProperties propertyNames dependentSchemas dependencies not defs definitions anchor boolean_schema"
  ).split(" "),
);

const testPattern = (pattern: string, text: string) => new RegExp(pattern, "u").test(text);

describe.each(["draft2020-12", "draft7"])("JSON Schema Test Suite, %s", (draft) => {
  it.runIf(isHere)("agrees on 98 % of the listed keywords, and each schema gives a form", () => {
    const folder = join(SUITE, "tests", draft);
    const lines: string[] = [];
    let listed = 0;
    let agreed = 0;
    let asFields = 0;
    let asJson = 0;
    const crashes: string[] = [];
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort()) {
      const keyword = file.replace(".json", "");
      const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as Case[];
      let right = 0;
      let total = 0;
      const wrong: string[] = [];
      for (const { description, schema, tests } of cases) {
        try {
          readSchema(schema);
          const [field] = readSchema({ type: "object", properties: { value: schema }, required: ["value"] }).fields;
          if (!field) crashes.push(`${keyword}: ${description} gives no field`);
          else if (field.kind === "json") asJson += 1;
          else asFields += 1;
        } catch (error) {
          crashes.push(`${keyword}: ${description}: ${error}`);
        }
        for (const test of tests) {
          total += 1;
          const valid = checkJson(schema, test.data, { testPattern }).length === 0;
          if (valid === test.valid) right += 1;
          else wrong.push(`${description} / ${test.description}`);
        }
      }
      const isListed = LISTED.has(keyword);
      if (isListed) {
        listed += total;
        agreed += right;
      }
      lines.push(
        `${isListed ? "*" : " "} ${keyword}: ${right} of ${total}${wrong.length > 0 ? ` — ${wrong.join("; ")}` : ""}`,
      );
    }
    console.info(
      `${draft}: ${agreed} of ${listed} (${((100 * agreed) / listed).toFixed(2)} %) over the listed keywords (*); ${asFields} schemas as fields, ${asJson} as JSON, ${crashes.length} crashes\n${lines.join("\n")}`,
    );
    expect(crashes).toEqual([]);
    expect(agreed / listed).toBeGreaterThanOrEqual(0.98);
  });

  it.runIf(!isHere)("is not run here: set JSON_SCHEMA_TEST_SUITE to a checkout of the suite", () => {
    expect(isHere).toBe(false);
  });
});
