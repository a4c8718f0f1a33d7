import { isRecord, type JsonRecord } from "#lib/read.ts";
import { ODD_MODEL_IDS } from "../catalogue/catalogue.ts";
import { camelKeys, documentOfSchema, parametersOf, schemaOfParameters, tableOfParameters } from "./model-shapes.ts";
import type { Quirk } from "./quirk.ts";

/** How the catalogue of generation models and the detail of a model come. */
export const MODEL_QUIRKS: readonly Quirk[] = [
  {
    name: "odd-model-ids",
    explanation: "The model list has IDs with a space, a bare UUID and a slash.",
    json: {
      routes: ["models"],
      change: (body) => ({ model_ids: [...ODD_MODEL_IDS, ...(body.model_ids as string[])] }),
    },
  },
  {
    name: "duplicate-model-ids",
    explanation: "Some IDs appear twice in the model list.",
    json: {
      routes: ["models"],
      change: ({ model_ids }) => ({
        model_ids: (model_ids as string[]).flatMap((id) => (id.includes("2") ? [id, id] : [id])),
      }),
    },
  },
  {
    name: "models-enveloped",
    explanation: "Both model lists are in result.models, as objects.",
    json: {
      routes: ["models", "text-models"],
      change(body) {
        const list = Array.isArray(body.model_ids) ? body.model_ids.map((id) => ({ id })) : body.data;
        return Array.isArray(list) ? { result: { models: list, total: list.length } } : body;
      },
    },
  },
  {
    name: "detail-with-decoys",
    explanation: "A model’s details also have an output schema, a price table, example jobs and inner parameters.",
    json: {
      routes: ["model"],
      change: (body) => ({
        output_schema: {
          type: "object",
          properties: { images: { type: "array", items: { type: "string" } }, seed: { type: "integer" } },
        },
        price_table: {
          columns: ["resolution", "price"],
          rows: [
            ["720p", "0.10"],
            ["1080p", "0.40"],
          ],
        },
        examples: [{ id: "example", input: { prompt: "A fox" }, output: ["https://files.example/a.png"] }],
        internal_parameters: { queue: { type: "string", default: "a" }, replicas: { type: "integer" } },
        ...body,
      }),
    },
  },
  {
    name: "detail-as-table",
    explanation: "A model’s parameters come as a table with columns and rows.",
    json: {
      routes: ["model"],
      change: (body) => replaced(body, (all) => ({ parameter_table: tableOfParameters(all) })),
    },
  },
  {
    name: "detail-as-openapi",
    explanation: "A model’s parameters come as an OpenAPI document whose request body wraps them.",
    json: {
      routes: ["model"],
      change: (body) =>
        replaced(body, (all) => ({ openapi_schema: documentOfSchema(schemaOfParameters(all), String(body.model)) })),
    },
  },
  {
    name: "detail-as-json-text",
    explanation: "A model’s parameters come as a JSON Schema in a string.",
    json: {
      routes: ["model"],
      change: (body) => replaced(body, (all) => ({ spec: JSON.stringify(schemaOfParameters(all)) })),
    },
  },
  {
    name: "detail-camel-case",
    explanation: "Model details have camel case fields.",
    json: {
      routes: ["model"],
      // The parameters' own names are what a payload must have.
      change: (body) => camelKeys(body, ["properties", "schemas", "paths", "rows", "default_value"]),
    },
  },
  {
    name: "detail-nested",
    explanation: "Model details are in data.result.latestVersion, with the parameters as a schema.",
    json: {
      routes: ["model"],
      change(body) {
        const { model, ...rest } = replaced(body, (all) => ({ inputSchema: schemaOfParameters(all) }));
        return { success: true, data: { result: { id: model, latestVersion: rest } } };
      },
    },
  },
  {
    name: "detail-price-as-object",
    explanation: "A model’s price is an object whose unit is the currency.",
    json: {
      routes: ["model"],
      change: ({ pricing_details: _, ...body }) =>
        isRecord(body.price_info) ? { ...body, price_info: { ...body.price_info, unit: "micro_usd" } } : body,
    },
  },
  {
    name: "detail-without-schema",
    explanation: "Model details have no parameters.",
    json: { routes: ["model"], change: (body) => replaced(body, () => ({})) },
  },
];

/** The detail with its parameters in another form; one that another quirk changed already stays as it is. */
function replaced(body: JsonRecord, make: (parameters: JsonRecord[]) => JsonRecord): JsonRecord {
  const all = parametersOf(body);
  if (all === undefined) return body;
  const { parameters: _, ...rest } = body;
  return { ...rest, ...make(all) };
}
