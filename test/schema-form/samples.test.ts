import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Field } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

/** Real listings, stored outside the project. */
const SAMPLES = new URL("../../../shared/samples", import.meta.url).pathname;
const FOLDERS = ["schemas", "records/doc_param_tables"];

/** Fields written as JSON anywhere in a form, with their places. */
function jsonFields(fields: readonly Field[], place = ""): string[] {
  return fields.flatMap((field) => {
    const here = `${place}${field.key || "[]"}`;
    if (field.kind === "json") return [here];
    if (field.kind === "group") return jsonFields(field.fields, `${here}.`);
    if (field.kind === "list" || field.kind === "map") return jsonFields([field.item], `${here}.`);
    if (field.kind === "tuple") return jsonFields(field.items, `${here}.`);
    return field.kind === "union" ? jsonFields(field.variants, `${here}.`) : [];
  });
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))
    .sort();
}

/** Places where the file itself says nothing about the shape. None so far. */
const SAYS_NOTHING: Record<string, readonly string[]> = {};

describe("every real listing gives a form", () => {
  it.runIf(existsSync(SAMPLES))("each file of samples/schemas and each documented table, none of it as JSON", () => {
    const lines: string[] = [];
    for (const file of FOLDERS.flatMap((folder) => jsonFiles(join(SAMPLES, folder)))) {
      const name = file.slice(SAMPLES.length + 1);
      const form = readSchema(JSON.parse(readFileSync(file, "utf8")));
      const asJson = jsonFields(form.fields);
      const kinds = new Map<string, number>();
      for (const field of form.fields) kinds.set(field.kind, (kinds.get(field.kind) ?? 0) + 1);
      const counts = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ");
      lines.push(`${name}: ${form.reading}, ${form.fields.length} fields (${counts}), ${asJson.length} as JSON`);
      expect(form.fields.length, name).toBeGreaterThan(0);
      expect(asJson, name).toEqual(SAYS_NOTHING[name] ?? []);
    }
    console.info(lines.join("\n"));
    expect(lines.length).toBeGreaterThanOrEqual(70);
  });

  it.runIf(!existsSync(SAMPLES))("is not checked here: the samples are not on this machine", () => {
    console.info("Samples of real listings are absent; the shapes are tested in read-schema.test.ts.");
    expect(existsSync(SAMPLES)).toBe(false);
  });
});
