import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonRecord } from "#lib/read.ts";
import { DECOYS } from "./answer-decoys.ts";

/** Answers about a model as real servers wrap them: made of a seed, with the keys that the right listing has. */
export interface MadeAnswer {
  answer: unknown;
  names: readonly string[];
  /** How it was made, for the message of a failure. */
  how: string;
}

interface Source {
  name: string;
  /** The schema of the input without references, where it has none. */
  plain: JsonRecord | undefined;
  document: JsonRecord | undefined;
  table: JsonRecord | undefined;
  names: readonly string[];
}

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A number from 0 to 1 at each call, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Listings of our own, in the shapes that matter. */
export function ownSources(): Source[] {
  const schema = (properties: JsonRecord, required: string[] = []) => ({ type: "object", properties, required });
  const plain: Record<string, JsonRecord> = {
    picture: schema(
      {
        prompt: { type: "string", title: "Prompt", description: "What to paint" },
        negative_prompt: { type: "string", default: "" },
        size: { type: "string", enum: ["1024*1024", "1536*1024"], default: "1024*1024" },
        n: { type: "integer", minimum: 1, maximum: 4, default: 1 },
        seed: { type: "integer", default: -1 },
      },
      ["prompt"],
    ),
    clip: schema(
      {
        image_url: { type: "string", format: "uri", title: "Image" },
        prompt: { anyOf: [{ type: "string" }, { type: "null" }], title: "Prompt" },
        duration: { enum: ["5", "10"], default: "5" },
        camera: { type: "object", properties: { pan: { type: "number" }, tilt: { type: "number" } } },
        "person_image.24": { type: "string" },
      },
      ["image_url"],
    ),
    voice: schema(
      { text: { type: "string" }, voice_id: { type: "string", default: "calm" }, speed: { type: "number" } },
      ["text"],
    ),
    short: schema({ prompt: { type: "string" } }, ["prompt"]),
    odd: schema({
      left_bank: { type: "number", default: 3 },
      Tide: { type: "boolean" },
      moonPhase: { enum: ["new", "full"] },
    }),
  };
  return Object.entries(plain).map(([name, given]) => ({
    name,
    plain: given,
    document: { openapi: "3.0.0", info: { title: name }, components: { schemas: { [`${name}Input`]: given } } },
    table: undefined,
    names: Object.keys(given.properties as JsonRecord),
  }));
}

/** The real listings beside the project, where they are. */
export function sampleSources(folder: string): Source[] {
  const files = (sub: string) =>
    existsSync(join(folder, sub))
      ? readdirSync(join(folder, sub), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".json"))
          .sort()
          .map((name) => join(folder, sub, name))
      : [];
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as JsonRecord;
  const documents = files("schemas").flatMap((file): Source[] => {
    const document = read(file);
    const schemas = (document.components as { schemas: Record<string, JsonRecord> }).schemas;
    const key =
      Object.keys(schemas).find((name) => name === "Input") ?? Object.keys(schemas).find((name) => /Input$/.test(name));
    const input = schemas[key ?? ""];
    if (!input || !isRecord(input.properties)) return [];
    const plain = JSON.stringify(input).includes('"$ref"') ? undefined : input;
    return [{ name: file, plain, document, table: undefined, names: Object.keys(input.properties) }];
  });
  const tables = files("records/doc_param_tables").map((file): Source => {
    const { columns, rows } = read(file) as { columns: string[]; rows: string[][] };
    const names = rows.map(([name]) => String(name)).filter((name) => !/^\(.*\)$/.test(name.trim()));
    return { name: file, plain: undefined, document: undefined, table: { columns, rows }, names: [...new Set(names)] };
  });
  return [...documents, ...tables];
}

type Pick = <T>(list: readonly T[]) => T;

const STYLES: readonly ((words: string[]) => string)[] = [
  (words) => words.join("_"),
  (words) => words.map((word, at) => (at === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join(""),
  (words) => words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join(""),
  (words) => words.join("-"),
];
const spelled = (name: string, style: number) => (STYLES[style] ?? STYLES[0])?.(name.split("_")) ?? name;

const ENVELOPES =
  "data model result latest_version detail response attributes item payload_info spec version model_info record body_data entity content wrapper api".split(
    " ",
  );
const LISTING_KEYS =
  "parameters params input_schema payload_schema request_schema schema inputs arguments input parameter_schema request_body_schema json_schema input_parameters model_inputs input_fields".split(
    " ",
  );
const DOCUMENT_KEYS = "openapi_schema openapi spec api_schema open_api_document api_spec".split(" ");

/** A schema as a parameter array in one of the vocabularies. */
function asArray(schema: JsonRecord, pick: Pick, style: number): unknown[] {
  const name = pick(["name", "key", "id", "parameter_name", "field"]);
  const type = pick(["type", "data_type", "value_type"]);
  const fallback = pick(["default", "default_value"]);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties as Record<string, JsonRecord>).map(([key, property]) => ({
    [spelled(name, style)]: key,
    [spelled(type, style)]: String(property.type ?? (property.enum ? "enum" : "string")),
    ...(property.default === undefined ? {} : { [spelled(fallback, style)]: property.default }),
    ...(property.enum ? { options: property.enum } : {}),
    required: required.has(key),
    description: String(property.description ?? property.title ?? key),
  }));
}

function asTable(schema: JsonRecord, pick: Pick): JsonRecord {
  const columns = [pick(["name", "Parameter", "field"]), "type", "required", "default", "description"];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const cells = Object.entries(schema.properties as Record<string, JsonRecord>).map(([key, property]) => [
    key,
    String(property.type ?? "string"),
    required.has(key) ? "Yes" : "No",
    property.default === undefined ? "-" : String(property.default),
    String(property.description ?? ""),
  ]);
  if (pick([true, false])) return { columns, rows: cells };
  const keys = columns.map((_, at) => `c${at}`);
  return {
    columns: columns.map((label, at) => ({ key: keys[at], label })),
    rows: cells.map((row) => Object.fromEntries(row.map((cell, at) => [keys[at] ?? "", cell]))),
  };
}

/** An OpenAPI document of one service: the input as a named schema, as a body, or as a body that wraps it. */
function asDocument(source: Source, schema: JsonRecord, pick: Pick): JsonRecord {
  const way = pick(["named", "body", "wrapped", "payload"] as const);
  if (source.document && (way === "named" || !source.plain)) return source.document;
  const name = pick(["ModelInput", "GenerateRequest", "RunArguments", "Txt2ImgParams"]);
  const ref = { $ref: `#/components/schemas/${name}` };
  const inner = way === "payload" ? "payload" : "input";
  const wrapper = {
    type: "object",
    properties: {
      [inner]: ref,
      ...(way === "payload" ? { model: { type: "string" } } : { webhook: { type: "string" }, id: { type: "string" } }),
    },
  };
  const done = {
    type: "object",
    properties: {
      id: { type: "string" },
      status: { type: "string" },
      output: { type: "array", items: { type: "string" } },
    },
  };
  return {
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: {
      "/jobs/{id}": {
        get: {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: {
            200: { content: { "application/json": { schema: { $ref: "#/components/schemas/JobStatus" } } } },
          },
        },
      },
      "/run": {
        post: {
          operationId: "run",
          requestBody: {
            content: { "application/json": { schema: way === "body" || way === "named" ? ref : wrapper } },
          },
          responses: {
            200: { content: { "application/json": { schema: { $ref: "#/components/schemas/JobStatus" } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        JobStatus: done,
        [name]: schema,
        HTTPError: { type: "object", properties: { detail: { type: "string" } } },
      },
    },
  };
}

/** An answer of a seed. */
export function makeAnswer(sources: readonly Source[], seed: number): MadeAnswer {
  const next = dice(seed);
  const pick: Pick = (list) => list[Math.floor(next() * list.length)] as never;
  const source = pick(sources);
  const style = Math.floor(next() * 4);
  const key = (name: string) => spelled(name, style);
  const how: string[] = [source.name.split("/").at(-1) ?? "", `style ${style}`];
  const shape = source.table
    ? "table"
    : pick(source.plain ? ["schema", "array", "table", "map", "document"] : ["document"]);
  how.push(String(shape));
  const schema = source.plain ?? {};
  let listing: unknown = source.table ?? schema;
  if (shape === "array") listing = asArray(schema, pick, style);
  if (shape === "table" && source.plain) listing = asTable(schema, pick);
  if (shape === "map") listing = schema.properties;
  if (shape === "document") listing = asDocument(source, schema, pick);
  if (next() < 0.15) listing = JSON.stringify(listing);
  let at = key(pick(shape === "document" ? DOCUMENT_KEYS : LISTING_KEYS));
  const depth = Math.floor(next() * 6);
  let answer: unknown = listing;
  // An answer that is the document or the table itself.
  const isBare = depth === 0 && typeof listing === "object" && next() < 0.5;
  for (let level = 0; !isBare && level <= depth; level++) {
    const around: JsonRecord = {};
    const decoys = level === 0 || next() < 0.3 ? Math.floor(next() * 4) : 0;
    for (let n = 0; n < decoys; n++) {
      const made = pick(DECOYS)(key);
      how.push(...Object.keys(made));
      Object.assign(around, made);
    }
    if (level === depth)
      Object.assign(around, { [key("model_type")]: "image", [key("price_info")]: { price: 35_000, unit: "image" } });
    const isList = level > 0 && next() < 0.12;
    const inner = isList ? [answer] : answer;
    answer = next() < 0.5 ? { ...around, [at]: inner } : { [at]: inner, ...around };
    how.push(at);
    at = key(pick(ENVELOPES));
  }
  return { answer, names: source.names, how: how.join(" · ") };
}
