import { isRecord, type JsonRecord } from "#lib/read.ts";

/** The words of a parameter array's types as JSON Schema has them; the rest is text. */
const TYPES: readonly [RegExp, JsonRecord][] = [
  [/array|list/i, { type: "array", items: { type: "string" } }],
  [/json|object/i, {}],
  [/bool/i, { type: "boolean" }],
  [/int/i, { type: "integer" }],
  [/float|number/i, { type: "number" }],
  [/image|video|audio|url/i, { type: "string", format: "uri" }],
];

/** The sandbox's own parameter array, wherever an earlier quirk left it in place. */
export const parametersOf = (body: JsonRecord): JsonRecord[] | undefined =>
  Array.isArray(body.parameters) ? body.parameters.filter(isRecord) : undefined;

/** A parameter array as a JSON Schema of the payload. */
export function schemaOfParameters(parameters: readonly JsonRecord[]): JsonRecord {
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((parameter) => [String(parameter.name), property(parameter)])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    "x-order-properties": parameters.map(({ name }) => name),
  };
}

function property(parameter: JsonRecord): JsonRecord {
  const { type, display_name, description, default_value, options, min_value, max_value, pattern } = parameter;
  const words = {
    title: display_name,
    description,
    default: default_value,
    enum: options,
    minimum: min_value,
    maximum: max_value,
    pattern,
  };
  const given = Object.entries(words).filter(([, value]) => value !== undefined);
  const isChoice = options !== undefined;
  const kind = TYPES.find(([word]) => word.test(String(type)))?.[1] ?? { type: "string" };
  return { ...(isChoice ? {} : kind), ...Object.fromEntries(given) };
}

/** A parameter array as a documentation table: columns beside rows. */
export function tableOfParameters(parameters: readonly JsonRecord[]): JsonRecord {
  const columns = ["name", "display_name", "type", "required", "default", "options", "min", "max", "description"];
  const cells = ({
    name,
    display_name,
    type,
    required,
    default_value,
    options,
    min_value,
    max_value,
    description,
  }: JsonRecord) =>
    [
      name,
      display_name,
      type,
      required === true ? "Yes" : "No",
      default_value,
      options,
      min_value,
      max_value,
      description,
    ].map((cell) => cell ?? null);
  return { columns, rows: parameters.map(cells) };
}

/** An OpenAPI document in which the schema is what a request's body wraps, beside the body of its answer. */
export function documentOfSchema(schema: JsonRecord, title: string): JsonRecord {
  const ref = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
  return {
    openapi: "3.1.0",
    info: { title, version: "1" },
    paths: {
      "/requests": {
        post: {
          requestBody: { content: ref("JobRequest") },
          responses: { 200: { content: ref("JobRecord") } },
        },
      },
    },
    components: {
      schemas: {
        JobRecord: { type: "object", properties: { request_id: { type: "string" }, status: { type: "string" } } },
        JobRequest: {
          type: "object",
          properties: { model: { type: "string" }, payload: { $ref: "#/components/schemas/ModelPayload" } },
          required: ["model", "payload"],
        },
        ModelPayload: schema,
      },
    },
  };
}

/** Every key of a value in camel case, at any depth; values under `keep` stay as they are. */
export function camelKeys(value: unknown, keep: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => camelKeys(item, keep));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      keep.includes(key) ? inner : camelKeys(inner, keep),
    ]),
  );
}
