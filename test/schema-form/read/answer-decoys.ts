import type { JsonRecord } from "#lib/read.ts";

/** What stands beside the listing in an answer and is another one. */
export const DECOYS: readonly ((key: (name: string) => string) => JsonRecord)[] = [
  (key) => ({
    [key("output_schema")]: {
      type: "object",
      properties: {
        images: { type: "array", items: { type: "string" } },
        seed: { type: "integer" },
        prompt: { type: "string" },
      },
      required: ["images"],
    },
  }),
  (key) => ({ [key("error_schema")]: { properties: { code: { type: "integer" }, message: { type: "string" } } } }),
  () => ({
    pricing: {
      parameters: [
        { name: "resolution", type: "string", default: "720p" },
        { name: "duration", type: "integer" },
      ],
      unit: "clip",
    },
  }),
  (key) => ({
    [key("price_table")]: {
      columns: ["resolution", "duration", "price"],
      rows: [
        ["720p", "5", "$0.10"],
        ["1080p", "10", "$0.40"],
      ],
    },
  }),
  () => ({ examples: [{ id: "a1", input: { prompt: "A fox", seed: 3 }, output: ["https://files.example/a.png"] }] }),
  (key) => ({ [key("recent_jobs")]: [{ id: "j1", type: "image", status: "success", payload: { prompt: "x" } }] }),
  (key) => ({
    [key("webhook_schema")]: {
      type: "object",
      properties: { event: { type: "string" }, request_id: { type: "string" }, status: { enum: ["done", "failed"] } },
    },
  }),
  () => ({
    tags: [
      { id: "fast", name: "Fast" },
      { id: "new", name: "New" },
    ],
  }),
  (key) => ({
    [key("internal_parameters")]: {
      queue: { type: "string", default: "a" },
      weight: { type: "integer" },
      replicas: { type: "integer" },
    },
  }),
  (key) => ({
    [key("training_input_schema")]: {
      type: "object",
      properties: { dataset_url: { type: "string" }, steps: { type: "integer" }, learning_rate: { type: "number" } },
    },
  }),
  () => ({
    headers: [
      { name: "Authorization", type: "string", required: true },
      { name: "X-Trace", type: "string" },
    ],
  }),
  () => ({
    providers: [
      { name: "north", type: "internal" },
      { name: "south", type: "external" },
    ],
  }),
  (key) => ({
    [key("default_example")]: { input: { prompt: "A fox", width: 512 }, output: "https://files.example/b.png" },
  }),
  () => ({
    description: "# Guide\n\n| name | type |\n|---|---|\n| x | y |",
    icon: "data:image/png;base64,iVBORw0KGgo=",
  }),
  () => ({
    responses: {
      200: { schema: { type: "object", properties: { id: { type: "string" }, status: { type: "string" } } } },
    },
  }),
];
