import { isRecord, type JsonRecord, ownArray, ownNumber, ownRecord, ownString, ownValue } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { canonicalParameter, findNameKey, parameterName } from "./parameter-keys.ts";

interface ReadParameters {
  schema: JsonRecord;
  notes: string[];
}

/**
 * A parameter array as one JSON Schema of the payload, in the array's order. The last of two equal names wins.
 */
export function readParameters(raw: readonly unknown[]): ReadParameters {
  const notes: string[] = [];
  const properties = new Map<string, JsonRecord>();
  const required = new Set<string>();
  const nameKey = findNameKey(raw.filter(isRecord));
  for (const item of raw) {
    const name = isRecord(item) ? parameterName(item, nameKey) : undefined;
    if (!isRecord(item) || name === undefined) {
      notes.push("A parameter without a name was skipped.");
      continue;
    }
    if (properties.has(name)) notes.push(`“${visibleLine(name, 60)}” is listed twice. The last one is used.`);
    const parameter = canonicalParameter(item);
    properties.set(name, schemaOf(parameter));
    if (isRequired(parameter)) required.add(name);
  }
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      required: [...required],
      "x-order-properties": [...properties.keys()],
    },
    notes,
  };
}

/**
 * `true`, "yes" and "required" are required; "Conditional" is not, the service decides (in-the-wild
 * 1).
 */
function isRequired(parameter: JsonRecord): boolean {
  const value = ownValue(parameter, "required");
  if (typeof value === "string") return /^(true|yes|required|y|1|label_required)$/i.test(value.trim());
  if (typeof parameter.type === "string" && parameter.type.endsWith("!")) return defaultOf(parameter) === undefined;
  if (value === undefined) return parameter.optional === false || parameter.has_default === false;
  return value === true || value === 1;
}

/** The most items that the words of a media parameter allow, as in "up to 14 images"; sizes and times do not count. */
function readMaxItems(words: string | undefined): number | undefined {
  const match = words
    ?.slice(0, 2000)
    .match(/\b(?:up to|max(?:imum)?(?: of)?)\s+(\d{1,2})\b(?!\s*(?:[kmg]b\b|px|s\b|sec|char|min|%|[.:x*]))/i);
  const count = match ? Number(match[1]) : 1;
  return count > 1 ? count : undefined;
}

/** The schema of a parameter's type alone: the declared one, else by its default, else by its bounds. */
function baseSchema(parameter: JsonRecord, defaultValue: unknown): JsonRecord {
  const nested = ownRecord(parameter, "json_schema");
  if (nested) return nested;
  if (ownValue(parameter, "anyOf", "oneOf", "allOf", "$ref") !== undefined) return parameter;
  const properties = ownRecord(parameter, "properties");
  if (properties)
    return { type: "object", properties, ...(ownArray(parameter, "required") && { required: parameter.required }) };
  const type = ownValue(parameter, "type");
  const known = typeof type === "string" ? parameterTypeSchema(type) : undefined;
  const items = ownRecord(parameter, "items");
  if (items && (!known || known.type === "array" || Object.keys(known).length === 0)) return { type: "array", items };
  if (known) return known;
  if (Array.isArray(type)) {
    const words = type.filter((word) => word !== "null");
    const [word] = words;
    const only = words.length === 1 && typeof word === "string" ? parameterTypeSchema(word) : undefined;
    return only && only.type !== undefined ? { ...only, nullable: true } : { type };
  }
  // An unknown type word falls back to the default, then to the bounds, then to JSON. No word at all means text.
  if (typeof defaultValue === "boolean") return { type: "boolean" };
  if (typeof defaultValue === "number") return { type: "number" };
  if (typeof defaultValue === "string") return { type: "string" };
  if (Array.isArray(defaultValue)) return { type: "array" };
  if (isRecord(defaultValue)) return {};
  if (ownNumber(parameter, "min_value", "max_value") !== undefined) return { type: "number" };
  return typeof type === "string" && type.trim() ? {} : { type: "string" };
}

/**
 * One object of a parameter array (in-the-wild 1) as a JSON Schema property, with hints under `x-`
 * keys.
 */
export function parameterSchema(parameter: JsonRecord): JsonRecord {
  return schemaOf(canonicalParameter(parameter));
}

const defaultOf = (parameter: JsonRecord) => ownValue(parameter, "default_value") ?? undefined;

/** A default that is written as a text, in the parameter's type: listings made from XML have only texts. */
function typedDefault(value: unknown, type: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value;
  if (type === "boolean") return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : value;
  const number = type === "integer" || type === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : value;
}

function schemaOf(parameter: JsonRecord): JsonRecord {
  const defaultValue = ownValue(parameter, "default_value");
  const description = ownString(parameter, "description");
  let schema: JsonRecord = { ...baseSchema(parameter, defaultValue) };
  const options = readOptions(ownValue(parameter, "options"));
  if (options) {
    if (schema.type === "array") schema.items = { enum: options.values, "x-option-labels": options.labels };
    else schema = { ...schema, enum: options.values, "x-option-labels": options.labels };
  } else if (schema["x-choice"] && schema.type === undefined) {
    schema.type = typeof defaultValue === "number" ? "number" : "string";
  }
  const keywords = {
    minimum: ownNumber(parameter, "min_value"),
    maximum: ownNumber(parameter, "max_value"),
    minLength: ownNumber(parameter, "min_length"),
    maxLength: ownNumber(parameter, "max_length"),
    minItems: ownNumber(parameter, "min_items"),
    maxItems: ownNumber(parameter, "max_items"),
    "x-step": ownNumber(parameter, "step"),
    pattern: ownString(parameter, "pattern"),
    format: schema.format ?? ownString(parameter, "format"),
    "x-unit": ownString(parameter, "unit"),
    title: ownString(parameter, "display_name") ?? schema.title,
    description: description ?? schema.description,
  };
  for (const [key, value] of Object.entries(keywords)) if (value !== undefined) schema[key] = value;
  if (schema.type === "string" && !options && (keywords.minimum !== undefined || keywords.maximum !== undefined)) {
    schema["x-numeric"] = true;
  }
  if (schema.contentMediaType && schema.type === "string") {
    const maxItems = keywords.maxItems ?? readMaxItems(description);
    if (maxItems !== undefined) schema["x-max-items"] = maxItems;
  }
  if (defaultValue !== undefined) schema.default = options ? defaultValue : typedDefault(defaultValue, schema.type);
  if (defaultValue === null || ownValue(parameter, "nullable") === true) schema.nullable = true;
  for (const flag of ["hidden", "disabled", "advanced", "readOnly", "examples"] as const) {
    const value = ownValue(parameter, flag);
    if (value !== undefined) schema[flag] = value;
  }
  return schema;
}

const MEDIA = /\b(image|video|audio|file|media|photo|mask)s?\b/;

/** A string that holds an address (or inline data) of one kind of media. */
function mediaSchema(word: string): JsonRecord {
  const kind = word === "photo" || word === "mask" ? "image" : word;
  const contentMediaType = kind === "file" || kind === "media" ? "*/*" : `${kind}/*`;
  return { type: "string", contentMediaType };
}

/** The schema of one value of a type word, without arrays. Undefined: the word is not known. */
function scalarSchema(word: string): JsonRecord | undefined {
  const media = word.match(MEDIA)?.[1];
  if (media) return mediaSchema(media);
  if (/\bjson|\bobject|\bdict|\bmap\b|\bstruct/.test(word)) return {};
  if (/bool|\bswitch\b|\btoggle\b|\bcheckbox\b/.test(word)) return { type: "boolean" };
  if (/\bint|\blong\b/.test(word)) return { type: "integer" };
  if (/float|double|number|decimal|slider|\breal\b/.test(word)) return { type: "number" };
  if (/colou?r/.test(word)) return { type: "string", format: "color" };
  if (/password|secret/.test(word)) return { type: "string", format: "password" };
  if (/date-?time|timestamp/.test(word)) return { type: "string", format: "date-time" };
  if (/\bdate\b/.test(word)) return { type: "string", format: "date" };
  if (/\b(any)?ur[li]s?\b|\blink/.test(word)) return { type: "string", format: "uri" };
  if (/textarea|multi-?line/.test(word)) return { type: "string", "x-multiline": true };
  if (/str|text|prompt|char/.test(word)) return { type: "string" };
  if (/enum|select|dropdown|radio|choice|option/.test(word)) return { "x-choice": true };
  return undefined;
}

/**
 * The JSON Schema that a parameter's `type` word stands for. The vocabulary is open (in-the-wild 1):
 * words are matched in any case and by parts, such as `image (URL)`, `string/array` or `array of strings (URLs)`. `{}`
 * is any JSON; undefined means that the word is not known.
 */
export function parameterTypeSchema(type: string): JsonRecord | undefined {
  const word = type
    .trim()
    .toLowerCase()
    .replace(/^type_/, "");
  if (!word || word === "any") return undefined;
  if (/\bjson|\bobject/.test(word) && !/array|list|\[\]/.test(word)) return {};
  if (/array|list|\[\]|\btuple\b/.test(word)) {
    const rest = word.replace(/arrays?|lists?|\[\]|\bof\b|[<>]/g, " ").trim();
    if (word.includes("/") && /str|text|image|video|audio|url/.test(rest)) {
      const items = scalarSchema(rest.replace("/", " ").trim()) ?? { type: "string" };
      return { anyOf: [items, { type: "array", items }] };
    }
    const items = rest ? scalarSchema(rest) : undefined;
    return items ? { type: "array", items } : { type: "array" };
  }
  return scalarSchema(word);
}

interface ReadOptions {
  values: unknown[];
  /** Labels by position, undefined where the value is its own label. */
  labels: (string | undefined)[];
}

/**
 * Options as a listing gives them: scalars, objects of value and label, a map of value to label, or one string with
 * commas. Values stay exactly as given: digits stay strings and the empty string is an option.
 */
function readOptions(raw: unknown): ReadOptions | undefined {
  if (typeof raw === "string") {
    const values = raw.split(/[,|]/).map((part) => part.trim());
    return values.length > 1 ? { values, labels: values.map(() => undefined) } : undefined;
  }
  if (isRecord(raw)) {
    const inner = ["inline", "choices", "values", "items", "enum"].map((key) => raw[key]).find(Array.isArray);
    if (inner) return readOptions(inner);
    const entries = Object.entries(raw).filter(([, label]) => typeof label === "string");
    if (entries.length === 0) return undefined;
    return { values: entries.map(([value]) => value), labels: entries.map(([, label]) => String(label)) };
  }
  if (!Array.isArray(raw) || raw.length === 0) return undefined;
  const values: unknown[] = [];
  const labels: (string | undefined)[] = [];
  const seen = new Set<unknown>();
  const isPairs = raw.every(
    (option) => Array.isArray(option) && option.length === 2 && option.every((part) => typeof part === "string"),
  );
  for (const option of isPairs ? raw.map(([value, label]) => ({ value, label })) : raw) {
    const key = isRecord(option)
      ? ["value", "const", "id", "key", "name"].find((k) => Object.hasOwn(option, k))
      : undefined;
    const value = isRecord(option) && key !== undefined ? option[key] : option;
    if (seen.has(value)) continue;
    seen.add(value);
    values.push(value);
    labels.push(isRecord(option) ? ownString(option, "label", "title", "display_name", "name", "text") : undefined);
  }
  return { values, labels };
}
