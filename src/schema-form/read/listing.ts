import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, ownArray, ownRecord, ownString } from "#lib/read.ts";
import type { Reading } from "./field.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { findNameKey, parameterName } from "./parameter-keys.ts";
import { parameterSchema, parameterTypeSchema, readParameters } from "./parameters.ts";
import type { SchemaIndex } from "./references.ts";
import { asTable, tableParameters } from "./table.ts";

/** One value of a response, read as a listing of parameters. */
export interface Listing {
  reading: Exclude<Reading, "none" | "empty" | "openapi">;
  names: readonly string[];
  /** How well its parts describe parameters, 0 to 1. */
  evidence: number;
  /** Whether it says what is required or what the defaults are. */
  hasMore: boolean;
  /** The listing as a JSON Schema. */
  read: () => { schema: JsonRecord; notes: string[] };
}

/** The most parts that are looked at for the evidence. */
const SAMPLE = 100;

const TYPE_WORD =
  /^(string|str|text|integer|int|number|float|double|boolean|bool|array|object|image|video|audio|file)$/i;
/** A type as an object: a schema, or how introspection writes one. */
const isTypeObject = (type: unknown): boolean =>
  isRecord(type) && (typeof type.type === "string" || typeof type.kind === "string" || hasSchemaWord(type));
/** Keywords whose list shows that a value is a schema. */
const LIST_WORDS = ["anyOf", "oneOf", "allOf", "enum"];
const hasSchemaWord = (value: JsonRecord) =>
  LIST_WORDS.some((word) => Array.isArray(value[word])) ||
  typeof value.$ref === "string" ||
  isRecord(value.properties) ||
  isRecord(value.items) ||
  value.const !== undefined;
/** Keys that mostly parameters have. */
const PARAMETER_WORDS = [
  "options",
  "choices",
  "values",
  "enum_values",
  "default",
  "default_value",
  "minimum",
  "min",
  "required",
];
/** Keys of things that are no parameters: files, prices, jobs, links. */
const OTHER_WORDS =
  /^(url|href|src|status|price|amount|cost|currency|createdat|email|version|score|path|code|content|role|size|payload|outcome|loc|msg|requestid|in|rel|method)$/;

/**
 * How well a value describes one parameter, 0 to 1: its type counts most. A value that is no record may be a type word,
 * a list of options, a `[type, words]` pair, or `true` for anything.
 */
function evidenceOf(value: unknown): number {
  if (typeof value === "string") return TYPE_WORD.test(value) ? 0.7 : 0;
  if (isScalarList(value)) return 0.5;
  if (isTyped(value)) return 0.9;
  if (value === true) return 0.3;
  if (!isRecord(value)) return 0;
  const keys = Object.keys(value);
  if (keys.length === 0) return 0.3;
  const type = typeWord(value);
  if (typeof type === "string") return parameterTypeSchema(type) ? 1 : 0.45;
  if (Array.isArray(type) || isTypeObject(type) || hasSchemaWord(value)) return 1;
  const { schema } = value;
  // A `schema` with properties of its own describes a whole payload, not one parameter.
  const isPart = isRecord(schema) && !isRecord(schema.properties);
  if (isPart && (typeof schema.type === "string" || hasSchemaWord(schema))) return 1;
  const plain = keys.map(plainName);
  if (plain.some((key) => PARAMETER_WORDS.some((word) => plainName(word) === key))) return 0.7;
  return plain.some((key) => key === "description" || key === "title" || key === "label") ? 0.3 : 0;
}

const TYPE_KEYS = ["type", "datatype", "valuetype", "paramtype", "parametertype", "fieldtype", "inputtype"];

function typeWord(value: JsonRecord): unknown {
  if (value.type !== undefined) return value.type;
  const key = Object.keys(value).find((name) => TYPE_KEYS.includes(plainName(name)));
  return key === undefined ? undefined : value[key];
}

const isScalarList = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > 1 && value.every((option) => typeof option !== "object" || option === null);

/** A type or options, and words about it: `["INT", {"default": 20}]`. */
function isTyped(value: unknown): value is [unknown, JsonRecord?] {
  if (!Array.isArray(value) || value.length === 0 || value.length > 2) return false;
  const [type, words] = value;
  const isType = typeof type === "string" ? /^[A-Z][A-Z0-9_*]*$/.test(type) : isScalarList(type);
  return isType && (value.length === 1 ? Array.isArray(type) || typeof type === "string" : isRecord(words));
}

function average(values: readonly unknown[]): number {
  const sample = values.slice(0, SAMPLE);
  return sample.length === 0 ? 0 : sample.reduce<number>((sum, value) => sum + evidenceOf(value), 0) / sample.length;
}

const saysMore = (parts: readonly unknown[]) =>
  parts.slice(0, SAMPLE).some((part) => {
    const keys = isRecord(part) ? Object.keys(part).map(plainName) : [];
    return keys.some((key) => /default|required|mandatory|optional/.test(key));
  });

/**
 * `raw` as a listing; undefined where it is none. It may still list something else than parameters: `evidence` says how
 * likely they are.
 */
export function asListing(raw: unknown, index: SchemaIndex): Listing | undefined {
  return (
    (Array.isArray(raw) ? undefined : asSchema(raw, index)) ??
    asTableListing(raw) ??
    asParameters(parameterList(raw)) ??
    asGroups(raw) ??
    asMap(raw)
  );
}

/** All groups of a record as one listing, because none of them alone has all parameters. */
function asGroups(raw: unknown): Listing | undefined {
  const all = asParameters(groupedList(raw));
  return all && { ...all, evidence: Math.max(all.evidence, 0.7) };
}

function asParameters(raw: unknown): Listing | undefined {
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  const items = raw.slice(0, SAMPLE).filter(isRecord);
  const nameKey = findNameKey(items);
  if (items.length === 0 || nameKey === undefined) return undefined;
  // Where a list says in which part of a request each stands, only those of the body are a payload's.
  if (items.some((item) => typeof item.in === "string" && !/^(body|formData)$/.test(item.in))) return undefined;
  // An item `in: body` has the schema of the whole payload, which the search finds by itself.
  if (items.some((item) => item.in === "body" || isModel(item))) return undefined;
  const named = items.map((item) => parameterName(item, nameKey)).filter((name) => name !== undefined);
  const foreignCount = items.filter((item) => Object.keys(item).some((key) => OTHER_WORDS.test(plainName(key)))).length;
  const plausibleNames = named.filter(
    (name) => /^[\p{L}_$<][^\s/]*$/u.test(name) && !/^[0-9a-f]{8}-[0-9a-f]{4}-/i.test(name),
  );
  const nameFactor = (plausibleNames.length / items.length) * 0.7 + 0.3;
  return {
    reading: "parameters",
    names: [...new Set(raw.filter(isRecord).map((item) => parameterName(item, nameKey) ?? ""))],
    evidence: average(items) * nameFactor * (1 - (0.8 * foreignCount) / items.length),
    hasMore: saysMore(items),
    read: () => readParameters(raw),
  };
}

/** The keys of a model's listing: an object with one of these is a model in a list, not a parameter. */
const LISTINGS = /^(parameters|params|(input|request|payload|output|response|openapi|api)schema|inputs)$/;
const isModel = (item: JsonRecord) =>
  Object.keys(item).some((key) => LISTINGS.test(plainName(key)) && typeof item[key] === "object" && item[key] !== null);

function asTableListing(raw: unknown): Listing | undefined {
  const table = asTable(raw);
  if (!table || table.rows.length === 0) return undefined;
  const read = tableParameters(table);
  const { parameters } = read;
  const typedCount = parameters
    .slice(0, SAMPLE)
    .filter(({ type }) => parameterTypeSchema(String(type)) !== undefined).length;
  const isNamed = table.columns.some((name) => /name|param|argument|field|key|property/i.test(name));
  const isTyped = table.columns.some((name) => /type/i.test(name));
  const share = typedCount / Math.max(1, Math.min(SAMPLE, parameters.length));
  return {
    reading: "table",
    names: parameters.map(({ name }) => String(name)),
    evidence: share * (isNamed ? 1 : 0.4) * (isTyped ? 1 : 0.4),
    hasMore: table.columns.some((name) => /required|default/i.test(name)),
    read: () => {
      const { schema, notes } = readParameters(parameters);
      return { schema, notes: [...read.notes, ...notes] };
    },
  };
}

/** The properties of a schema, also where it refers to another or is one of several alternatives. */
function propertiesOf(raw: JsonRecord, index: SchemaIndex): JsonRecord | undefined {
  const parts = ["$ref", "allOf", "anyOf", "oneOf"].some((key) => raw[key] !== undefined);
  if (!parts) return ownRecord(raw, "properties");
  const flat = flattenSchema(index, raw).schema;
  const found = { ...ownRecord(flat, "properties") };
  for (const part of [...(ownArray(flat, "anyOf") ?? []), ...(ownArray(flat, "oneOf") ?? [])].slice(0, 20)) {
    Object.assign(found, isRecord(part) ? ownRecord(flattenSchema(index, part).schema, "properties") : undefined);
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

function asSchema(raw: unknown, index: SchemaIndex): Listing | undefined {
  if (!isRecord(raw)) return undefined;
  const isRef = ownString(raw, "$ref") !== undefined;
  const isCombined = ["allOf", "anyOf", "oneOf"].some((key) => ownArray(raw, key)?.some(isRecord));
  // JSON Type Definition: what stands under `properties` is required.
  const optional = ownRecord(raw, "optionalProperties");
  if (optional) {
    const own = ownRecord(raw, "properties") ?? {};
    const map = asMap({ ...optional, ...own });
    return (
      map && {
        ...map,
        hasMore: true,
        read: () => ({ schema: readMap({ ...own, ...optional }, Object.keys(own)), notes: [] }),
      }
    );
  }
  if (!isRecord(raw.properties) && !isRef && !isCombined && raw.if === undefined) return undefined;
  const properties = propertiesOf(raw, index) ?? {};
  const values = Object.values(properties);
  const evidence = average(values);
  // A record under the key `properties` may be anything, so its values must look like parameters.
  const isOther = (value: unknown) => typeof value !== "boolean" && !isRecord(value) && evidenceOf(value) === 0;
  if (values.length > 0 && (evidence < 0.3 || values.some(isOther))) return undefined;
  return {
    reading: "json-schema",
    names: Object.keys(properties),
    evidence,
    hasMore: Array.isArray(raw.required) || raw.type === "object" || saysMore(values),
    read: () => ({ schema: raw, notes: [] }),
  };
}

const isGroup = (value: unknown) => isRecord(value) && Object.values(value).every((part) => typeof part === "object");

/** `{required: {name: …}, optional: {name: …}}` as one map, with what is required. */
function halves(raw: JsonRecord): { map: JsonRecord; required: string[] | undefined } {
  const parts = Object.keys(raw).filter((key) => /^(required|optional)$/i.test(key) && isGroup(raw[key]));
  if (parts.length === 0 || Object.keys(raw).some((key) => !/^(required|optional|hidden)$/i.test(key))) {
    return { map: raw, required: undefined };
  }
  const membersUnder = (key: string) => ownRecord(raw, key) ?? {};
  const required = parts.filter((key) => /^required$/i.test(key)).flatMap((key) => Object.keys(membersUnder(key)));
  return { map: Object.fromEntries(parts.flatMap((key) => Object.entries(membersUnder(key)))), required };
}

const isSchemaOfObject = (value: unknown) => isRecord(value) && isRecord(value.properties);
const isSchema = (value: unknown) =>
  isSchemaOfObject(value) || (isRecord(value) && (typeof value.$ref === "string" || Array.isArray(value.allOf)));
/** Keys of a set of schemas that say what each schema is for. */
const SCHEMA_ROLES = /^(schema|(input|output|request|response|error|payload|body|result)s?(schema)?)$/;

function asMap(raw: unknown): Listing | undefined {
  if (!isRecord(raw)) return undefined;
  const { map, required } = halves(raw);
  const values = Object.values(map);
  if (values.length === 0 || values.length > 5000) return undefined;
  if (!values.every((value) => evidenceOf(value) > 0)) return undefined;
  if (values.every((value) => Array.isArray(value) && !isTyped(value))) return undefined;
  // A set of named object schemas is no map of parameters, of which at least half are plain. Keys with a slash are
  // paths of an API.
  const keys = Object.keys(map);
  const wholes = keys.filter((key) => isSchemaOfObject(map[key]) || holdsList(map[key]));
  if (wholes.length * 2 > values.length || keys.some((key) => key.includes("/"))) return undefined;
  if (keys.some((key) => SCHEMA_ROLES.test(plainName(key)) && isSchema(map[key]))) return undefined;
  return {
    reading: "map",
    names: Object.keys(map),
    evidence: average(values) * 0.95,
    hasMore: required !== undefined || saysMore(values),
    read: () => ({ schema: readMap(map, required), notes: [] }),
  };
}

/** Whether a value is itself a listing, not a parameter: `{fields: […]}`, `{name: […], type: […]}`. */
function holdsList(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (Array.isArray(value.name) || isRecord(value.optionalProperties)) return true;
  return Object.keys(value).some((key) => {
    const part = value[key];
    return (
      Array.isArray(part) &&
      (LIST_KEY.test(plainName(key)) ? part.some(isRecord) : part.some(Array.isArray) && key === "values")
    );
  });
}
const LIST_KEY = /^(fields|members|parameters|params|inputs|arguments|args|properties|children|entries|columns)$/;

function readMap(map: JsonRecord, requiredNames: string[] | undefined): JsonRecord {
  const properties = Object.entries(map).map(([key, value]) => [key, partSchema(key, value)] as const);
  const isRequired = (value: unknown) =>
    isRecord(value) && (value.required === true || value.rule === "required" || value.required === "true");
  const required = requiredNames ?? Object.keys(map).filter((key) => isRequired(map[key]));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

function partSchema(name: string, value: unknown): JsonRecord {
  if (typeof value === "string") return parameterSchema({ name, type: value });
  if (isTyped(value)) {
    const [type, words = {}] = value;
    return parameterSchema({ ...words, name, ...(Array.isArray(type) ? { options: type } : { type }) });
  }
  if (Array.isArray(value)) return parameterSchema({ name, options: value });
  const part = isRecord(value) ? value : {};
  // What combines schemas stays as it is. Anything else is read like an object of a parameter array.
  return part.anyOf || part.oneOf || part.allOf || part.$ref ? part : parameterSchema({ ...part, name });
}

/*
 * Lists of parameters that are not simply lists of them: numbered, in pairs, each in a wrapper, or divided into groups.
 */

const MAX_ITEMS = 5000;
const MAX_GROUPS = 40;
/** Places of a request that are not its body. */
const ELSEWHERE = /^(header|path|query|cookie)$/i;

/**
 * The parameter objects of a list: numbered by its keys, as pairs of name and description, each under a key of its own,
 * or with XML's attributes under a key. A list of other things is returned as it is; undefined without a list.
 */
function parameterList(raw: unknown): unknown[] | undefined {
  const list = Array.isArray(raw) ? raw : numbered(raw);
  if (list === undefined || list.length > MAX_ITEMS) return list;
  const isForm = list.some((item) => isRecord(item) && item.in === "formData");
  const bodyItems = isForm ? list.filter((item) => !(isRecord(item) && ELSEWHERE.test(String(item.in)))) : list;
  if (bodyItems.length > 1 && bodyItems.every(isPair)) return bodyItems.map(([name, words]) => ({ ...words, name }));
  const wrapper = bodyItems.length > 1 ? wrapperOf(bodyItems) : undefined;
  if (wrapper === "$" || wrapper === "_attributes") {
    return bodyItems.map((item) => ({ ...((item as JsonRecord)[wrapper] as JsonRecord), ...(item as JsonRecord) }));
  }
  if (wrapper !== undefined) return bodyItems.map((item) => (item as JsonRecord)[wrapper]);
  const single = bodyItems.map(namedByKey);
  const names = new Set(single.map((item) => item?.name));
  return single.length > 1 && names.size === single.length && !names.has(undefined) ? single : bodyItems;
}

/** `{"0": {…}, "1": {…}}`. */
function numbered(raw: unknown): unknown[] | undefined {
  if (!isRecord(raw)) return undefined;
  const keys = Object.keys(raw);
  return keys.length > 1 && keys.every((key, at) => Number(key) === at || Number(key) === at + 1)
    ? Object.values(raw)
    : undefined;
}

const isPair = (item: unknown): item is [string, JsonRecord] =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === "string" && isRecord(item[1]);

/** A key that all items have, with a record under it, and beside which nothing describes the parameter. */
function wrapperOf(items: readonly unknown[]): string | undefined {
  return ["node", "parameter", "param", "field", "argument", "$", "_attributes"].find((key) =>
    items.every(
      (item) => isRecord(item) && isRecord(item[key]) && (/^[$_]/.test(key) || Object.keys(item).length <= 2),
    ),
  );
}

/** `{"prompt": {…}}` as an item of a list. */
function namedByKey(item: unknown): JsonRecord | undefined {
  const [entry, ...more] = isRecord(item) ? Object.entries(item) : [];
  const [name, words] = entry ?? [];
  return name !== undefined && isRecord(words) && more.length === 0 ? { ...words, name } : undefined;
}

/** What listings call parameters. */
const WHAT = "(parameters?|params|inputs?|fields|arguments|args|properties)";
/** Keys of the parts of a divided listing, such as `required_inputs`. */
const HALF = new RegExp(
  `^(required|mandatory|optional|basic|advanced|common|main|general|additional|extra|expert)${WHAT}?$`,
);
const GROUPS = /(groups|sections|tabs|categories|fieldsets|panels)$/;
const MEMBERS = new RegExp(`^${WHAT}$`);

/**
 * The parameters of all groups that a record divides them into, as one list: `required_inputs` beside
 * `optional_inputs`, or `groups` that hold `fields` each. Undefined without such groups, and where two groups name the
 * same.
 */
function groupedList(raw: unknown): JsonRecord[] | undefined {
  if (!isRecord(raw)) return undefined;
  const entries = Object.entries(raw);
  const halves = entries.filter(([key, value]) => HALF.test(plainName(key)) && membersOf(value));
  const groups = entries.find(([key, value]) => GROUPS.test(plainName(key)) && Array.isArray(value))?.[1];
  const parts =
    halves.length > 1
      ? halves.map(([key, value]) => withRequired(membersOf(value) ?? [], plainName(key)))
      : groupMembers(groups);
  if (parts === undefined || parts.length < 2) return undefined;
  const all = parts.flat();
  const nameKey = findNameKey(all);
  const names = all.map((item) => parameterName(item, nameKey));
  return names.includes(undefined) || new Set(names).size < names.length ? undefined : all;
}

function groupMembers(groups: unknown): JsonRecord[][] | undefined {
  if (!Array.isArray(groups) || groups.length > MAX_GROUPS) return undefined;
  const parts = groups.map((group) => {
    const members = isRecord(group) ? Object.entries(group).filter(([key]) => MEMBERS.test(plainName(key))) : [];
    return members.length === 1 ? membersOf(members[0]?.[1]) : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** A list of parameter objects, or a map of them by name, as one list. */
function membersOf(value: unknown): JsonRecord[] | undefined {
  const list = isRecord(value)
    ? Object.entries(value).map(([name, words]) => (isRecord(words) ? { ...words, name } : undefined))
    : parameterList(value);
  if (list === undefined || list.length === 0 || list.length > MAX_ITEMS) return undefined;
  return list.every(isRecord) ? list : undefined;
}

function withRequired(items: JsonRecord[], half: string): JsonRecord[] {
  if (!/^(required|mandatory)/.test(half)) return items;
  return items.map((item) => (item.required === undefined ? { ...item, required: true } : item));
}
