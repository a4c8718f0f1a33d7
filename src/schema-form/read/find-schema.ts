import { isRecord, type JsonRecord, ownArray, ownRecord, ownString, tryParseJson } from "#lib/read.ts";
import { boundListing } from "./bound-listing.ts";
import type { Reading } from "./field.ts";
import { isOpenApi, openApiSchema } from "./openapi.ts";
import { isParameterArray, parameterSchema, readParameters } from "./parameters.ts";
import { indexSchema } from "./references.ts";
import { isTable, tableParameters } from "./table.ts";

interface FoundSchema {
  reading: Reading;
  schema: JsonRecord;
  /** The document that `$ref`s point into. */
  root: unknown;
  notes: string[];
}

/** Where a listing hides inside another object: the names that real services use (in-the-wild 1 and 5). */
const WRAPPERS = [
  "parameters",
  "params",
  "payload_schema",
  "input_schema",
  "request_schema",
  "parameter_schema",
  "json_schema",
  "schema",
  "schemas",
  "openapi_schema",
  "latest_version",
  "api_schema",
  "api_schemas",
  "input_data",
  "input",
  "inputs",
  "fields",
  "arguments",
  "args",
  "payload",
  "body",
  "model",
  "data",
  "result",
  "detail",
  "spec",
  "tools",
  "function",
];
const MAX_WRAPPERS = 6;

const SCHEMA_KEYWORDS = [
  "properties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "patternProperties",
  "$defs",
  "definitions",
];
const PROPERTY_KEYWORDS = [
  "type",
  "default",
  "default_value",
  "enum",
  "options",
  "description",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
];

function isObjectSchema(raw: JsonRecord): boolean {
  if (isRecord(raw.properties)) return true;
  if (raw.type === "object" && !Object.values(raw).some(isRecord)) return true;
  if (ownString(raw, "$ref")) return true;
  return (
    ["allOf", "anyOf", "oneOf"].some((key) => ownArray(raw, key)?.some(isRecord)) &&
    SCHEMA_KEYWORDS.some((k) => k in raw)
  );
}

function describesParameter(value: unknown): boolean {
  if (!isRecord(value) || isRecord(value.properties)) return false;
  const { type } = value;
  if (type !== undefined && typeof type !== "string" && !Array.isArray(type)) return false;
  return PROPERTY_KEYWORDS.some((key) => Object.hasOwn(value, key));
}

/** A map may give only the type, as in `steps: "integer"`, or only the options, as in `mode: ["fast", "fine"]`. */
const TYPE_WORD =
  /^(string|str|text|integer|int|number|float|double|boolean|bool|array|object|image|video|audio|file)$/i;

function listingOf(value: unknown): JsonRecord | undefined {
  if (typeof value === "string" && TYPE_WORD.test(value)) return { type: value };
  const isList = Array.isArray(value) && value.length > 1 && value.every((option) => !(option instanceof Object));
  if (isList) return { options: value };
  return isRecord(value) && describesParameter(value) ? value : undefined;
}

/** Whether every value describes a parameter of that key. A set of named object schemas is not a map. */
function isParameterMap(raw: JsonRecord): boolean {
  const values = Object.values(raw);
  return (
    values.length > 0 && values.every((value) => listingOf(value)) && values.some((value) => !Array.isArray(value))
  );
}

function readMap(raw: JsonRecord): JsonRecord {
  const properties = Object.entries(raw).map(([key, value]) => {
    const listing = listingOf(value) ?? {};
    // A JSON Schema stays one; anything in the words of a parameter array is read as that.
    return [
      key,
      listing.anyOf || listing.oneOf || listing.allOf || listing.$ref
        ? listing
        : parameterSchema({ ...listing, name: key }),
    ];
  });
  const required = Object.entries(raw).filter(([, value]) => isRecord(value) && value.required === true);
  return { type: "object", properties: Object.fromEntries(properties), required: required.map(([key]) => key) };
}

function parsed(raw: unknown): unknown {
  if (typeof raw !== "string" || !/^\s*[[{]/.test(raw)) return raw;
  const value = tryParseJson(raw);
  if (value === undefined) return raw;
  const bounded = boundListing(value);
  return bounded.isTooLarge ? undefined : bounded.raw;
}

function search(given: unknown, around: unknown, depth: number): FoundSchema | undefined {
  // A listing may be JSON as text inside JSON.
  const raw = parsed(given);
  const root = raw === given ? around : raw;
  if (isParameterArray(raw)) {
    const { schema, notes } = readParameters(raw);
    return { reading: "parameters", schema, root, notes };
  }
  if (Array.isArray(raw) && depth > 0) return raw.length > 0 ? search(raw[0], raw[0], depth - 1) : undefined;
  if (!isRecord(raw)) return undefined;
  if (isTable(raw)) {
    const { parameters, notes } = tableParameters(raw);
    const read = readParameters(parameters);
    return { reading: "table", schema: read.schema, root, notes: [...notes, ...read.notes] };
  }
  if (isOpenApi(raw)) {
    const found = openApiSchema(raw, indexSchema(raw));
    if (found && isRecord(found.schema)) return { reading: "openapi", schema: found.schema, root: raw, notes: [] };
  }
  if (isObjectSchema(raw)) {
    const isWhole =
      raw.$defs !== undefined || raw.definitions !== undefined || raw.$schema !== undefined || raw.$id !== undefined;
    return { reading: "json-schema", schema: raw, root: isWhole ? raw : (root ?? raw), notes: [] };
  }
  if (isParameterMap(raw)) return { reading: "map", schema: readMap(raw), root, notes: [] };
  if (depth <= 0) return undefined;
  for (const key of WRAPPERS) {
    if (!Object.hasOwn(raw, key)) continue;
    const found = search(raw[key], root, depth - 1);
    if (found) return found;
  }
  const others = Object.entries(raw).filter(
    ([key, value]) => /schema|param/i.test(key) && !WRAPPERS.includes(key) && isRecord(value),
  );
  for (const [, value] of others) {
    const found = search(value, root, depth - 1);
    if (found) return found;
  }
  return undefined;
}

/**
 * Finds the listing of a payload's keys wherever it sits in `raw`; undefined where nothing looks like one. Never
 * throws.
 */
export function findSchema(raw: unknown): FoundSchema | undefined {
  const value = parsed(raw);
  return search(value, typeof value === "object" && value !== null ? value : undefined, MAX_WRAPPERS);
}

/**
 * The document that the local refs of a schema lead into: they may be written from the listing itself rather than from
 * the document around it. Never throws for what came from JSON.
 */
export function rootOf(found: FoundSchema): unknown {
  const text = JSON.stringify(found.schema);
  const refs = (text.includes('"$ref"') && text.match(/"\$ref":"#\/([^"/]+)/g)) || [];
  const fromSchema = refs.some((ref) => Object.hasOwn(found.schema, ref.slice(9).split("/")[0] ?? ""));
  const fromRoot = isRecord(found.root)
    ? ownRecord(found.root, "components", "$defs", "definitions") !== undefined
    : false;
  return fromSchema && !fromRoot ? found.schema : found.root;
}
