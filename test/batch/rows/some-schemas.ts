import type { FormSchema } from "#schema-form/read/field.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchema, ModelSchemas } from "#schema-form/use-model-schemas.ts";

/** A model of pictures. */
export const PICTURE = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "negative_prompt", type: "string" },
  { name: "seed", type: "integer", min_value: 0, max_value: 1000 },
  { name: "size", type: "enum", options: ["1024x1024", "1536x1024", "1024x1536"] },
  { name: "steps", type: "integer", min_value: 1, max_value: 50 },
  { name: "guidance", type: "number", min_value: 0, max_value: 20 },
  { name: "hd", type: "boolean" },
  { name: "image", type: "image" },
  { name: "end_image", type: "image" },
]);

/** Another one, with other names and less of everything. */
export const FAST = readSchema([
  { name: "text", type: "string", required: true },
  { name: "random_seed", type: "integer" },
  { name: "ratio", type: "enum", options: ["1:1", "16:9"] },
  { name: "first_frame", type: "image" },
]);

export const ready = (schema: FormSchema): ModelSchema => ({ state: "ready", schema, type: "image" });

export const SCHEMAS: ModelSchemas = new Map([
  ["lumen", ready(PICTURE)],
  ["fast", ready(FAST)],
]);
