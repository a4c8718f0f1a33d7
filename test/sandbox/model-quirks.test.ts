import { describe, expect, it } from "vitest";
import { readModelDetail } from "#api/models.ts";
import type { JsonRecord } from "#lib/read.ts";
import { CATALOGUE } from "#sandbox/catalogue/catalogue.ts";
import { MODEL_QUIRKS } from "#sandbox/quirks/model-quirks.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { openSandbox } from "./sandbox-client.ts";

const DETAIL_QUIRKS = MODEL_QUIRKS.map(({ name }) => name).filter((name) => name.startsWith("detail-"));
const WITH_SCHEMA = DETAIL_QUIRKS.filter((name) => name !== "detail-without-schema");

async function detailOf(quirks: readonly string[], id: string) {
  const { json } = await openSandbox({ quirks: [...quirks] }).queue("GET", `/apikey/models/${encodeURIComponent(id)}`);
  return json;
}

const keysOf = (id: string) =>
  CATALOGUE.find((model) => model.id === id)?.parameters.map(({ wire }) => wire.name) ?? [];

describe("quirks of a model's detail", () => {
  it.each(WITH_SCHEMA)("%s: every model has its form, its type and its price", async (name) => {
    for (const { id, type } of CATALOGUE) {
      const detail = readModelDetail(await detailOf([name], id), id);
      const form = readSchema(detail.raw);
      expect([id, form.fields.map(({ key }) => key).sort()]).toEqual([id, [...keysOf(id)].sort()]);
      expect([id, form.isUnsure, detail.type]).toEqual([id, false, type]);
      expect(detail.priceText).toMatch(/^\$\d/);
      expect(detail.priceText).not.toMatch(/micro|usd/i);
    }
  });

  it("every pair of them still gives the form", async () => {
    for (const first of WITH_SCHEMA) {
      for (const second of WITH_SCHEMA) {
        const form = readSchema(await detailOf([first, second], "halide-turbo"));
        expect([first, second, form.fields.length]).toEqual([first, second, keysOf("halide-turbo").length]);
      }
    }
  });

  it("detail-without-schema: no form and no silence about it", async () => {
    const form = readSchema(await detailOf(["detail-without-schema"], "lumen-2"));
    expect(form).toMatchObject({ reading: "none", fields: [] });
    expect(form.limits?.join()).toMatch(/no readable list of parameters/);
  });

  it("detail-nested, detail-as-table and detail-as-openapi: stand where they say", async () => {
    expect(await detailOf(["detail-nested"], "lumen-2")).toMatchObject({
      data: { result: { latestVersion: { inputSchema: { properties: { prompt: { title: "Prompt" } } } } } },
    });
    const table = (await detailOf(["detail-as-table"], "lumen-2")).parameter_table as JsonRecord;
    expect([table.columns, table.rows]).toEqual([expect.arrayContaining(["name", "type"]), expect.any(Array)]);
    expect(await detailOf(["detail-as-openapi"], "lumen-2")).toMatchObject({
      openapi_schema: { components: { schemas: { ModelPayload: { type: "object" } } } },
    });
  });

  it("detail-camel-case, detail-as-json-text and detail-with-decoys: are as they say", async () => {
    expect(await detailOf(["detail-camel-case"], "lumen-2")).toMatchObject({
      modelType: "image",
      parameters: expect.arrayContaining([expect.objectContaining({ displayName: "Prompt" })]),
    });
    expect((await detailOf(["detail-as-json-text"], "lumen-2")).spec).toMatch(/^\{"type":"object"/);
    expect(await detailOf(["detail-with-decoys"], "lumen-2")).toHaveProperty("output_schema.properties.images");
  });

  it("detail-price-as-object: the unit is the currency, and no words say the price", async () => {
    const detail = await detailOf(["detail-price-as-object"], "lumen-2");
    expect(detail).not.toHaveProperty("pricing_details");
    expect(detail).toMatchObject({ price_info: { price: 35_000, unit: "micro_usd" } });
    expect(readModelDetail(detail, "lumen-2").priceText).toBe("$0.035");
  });
});
