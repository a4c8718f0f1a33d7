import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, ownRecord, ownString, tryParseJson } from "#lib/read.ts";

/** The key under which a parameter's word is read, and the other names that listings have for it, in any spelling. */
const NAMES: Record<string, string> = {
  type: "datatype valuetype paramtype parametertype fieldtype inputtype argtype vartype kind",
  default_value: "default defaultval initial initialvalue parameterdefault",
  has_default: "hasdefault parameterhasdefault",
  required: "isrequired mandatory use presence mode",
  optional: "isoptional",
  options:
    "enum enumvalues choices values allowedvalues allowed validvalues possiblevalues supportedvalues selectoptions symbols enumeration",
  min_value: "minimum min ge lowerbound minval lower mininclusive",
  max_value: "maximum max le upperbound maxval upper maxinclusive",
  step: "stepvalue stepsize multipleof increment",
  min_length: "minchars",
  max_length: "maxchars",
  max_items: "maxcount",
  pattern: "regex",
  unit: "units",
  display_name: "title label caption",
  description: "desc help helptext tooltip hint doc",
  json_schema: "schema",
};

const CANONICAL = new Map(
  Object.entries(NAMES).flatMap(([key, others]) => [
    [plainName(key), key] as const,
    ...others.split(" ").map((other) => [other, key] as const),
  ]),
);
for (const key of ["minItems", "maxItems", "readOnly"])
  CANONICAL.set(plainName(key), key.replace(/I/, "_i").toLowerCase());
CANONICAL.set("readonly", "readOnly");

/** Records that hold some of a parameter's words. */
const PARTS =
  "constraints validation validations validators rules range limits bounds between spec definition attributes props widget typeoptions metadata value".split(
    " ",
  );
const RANGES = ["range", "bounds", "limits", "between"];

/**
 * A parameter object with its words under the names that the reader asks for: `DefaultValue` and `default` become
 * `default_value`. Words that are there twice stay as the first of their names has them.
 */
export function canonicalParameter(item: JsonRecord): JsonRecord {
  const read: JsonRecord = {};
  const later: JsonRecord[] = [];
  for (const key of Object.keys(item)) {
    const value = item[key];
    const name = CANONICAL.get(plainName(key));
    if (PARTS.includes(plainName(key))) later.push(...partsOf(plainName(key), value));
    // A list of many kinds of things says with its type that this one is a parameter.
    const isKind =
      name === "type" && typeof value === "string" && /^(input_?)?(parameter|param|argument)$/i.test(value);
    if (isKind) continue;
    if (name === undefined) Object.defineProperty(read, key, { value, enumerable: true, configurable: true });
    else if (name === key || !Object.hasOwn(item, name)) read[name] ??= value;
  }
  for (const part of later) {
    const words = canonicalParameter(part);
    for (const key of Object.keys(words)) if (!Object.hasOwn(read, key)) read[key] = words[key];
  }
  return isRecord(read.type) ? withTypeOf(read, read.type) : read;
}

/** What a part says, as records of words: a record, a range as two numbers or a text, a list of rules. */
function partsOf(part: string, value: unknown): JsonRecord[] {
  if (isRecord(value)) return [value];
  const range =
    typeof value === "string" ? /^\s*(-?[\d.]+)\s*(?:-|–|to|\.\.+|,)\s*(-?[\d.]+)\s*$/.exec(value)?.slice(1) : value;
  if (Array.isArray(range) && range.length === 2 && !range.some(isRecord)) {
    return RANGES.includes(part) ? [{ min_value: range[0], max_value: range[1] }] : [];
  }
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 20)
    .filter(isRecord)
    .map((rule) => {
      const name = ownString(rule, "type", "name", "kind", "rule");
      return name !== undefined && rule.value !== undefined ? { [name]: rule.value } : rule;
    });
}

/** A type that is an object: a JSON Schema, or how introspection writes one, a kind around another type. */
function withTypeOf(parameter: JsonRecord, type: JsonRecord): JsonRecord {
  const { kind, name } = type;
  if (typeof kind !== "string" && typeof name === "string" && type.type === undefined) {
    const { type: inner = name, ...words } = canonicalParameter({ ...type, type: name, name: undefined });
    return { ...words, ...parameter, type: inner };
  }
  if (typeof kind !== "string") return { ...parameter, type: undefined, json_schema: parameter.json_schema ?? type };
  const inner = ownRecord(type, "ofType") ?? {};
  const given = parameter.default_value;
  const read = { ...parameter, default_value: typeof given === "string" ? (tryParseJson(given) ?? given) : given };
  if (kind === "NON_NULL") return withTypeOf({ ...read, required: given === null || given === undefined }, inner);
  if (kind === "LIST") return { ...read, type: `array of ${ownString(inner, "name") ?? "string"}` };
  const values = Array.isArray(type.enumValues) ? type.enumValues : undefined;
  return {
    ...read,
    type: kind === "ENUM" ? "enum" : (ownString(type, "name") ?? "string"),
    ...(values && { options: values }),
  };
}

/** Names of the field that holds a parameter's key, the clearest first; they are compared without their spelling. */
const NAME_KEYS = [
  "parametername",
  "paramname",
  "argumentname",
  "argname",
  "fieldname",
  "propertyname",
  "name",
  "key",
  "param",
  "parameter",
  "field",
  "argument",
  "id",
  "slug",
];

/** How code writes a name. `Prompt text` does not fit: it is what a person reads. */
const CODE_NAME = /^[a-z_$][\w.$:-]*$/;

/**
 * The field of a parameter array's objects that holds their keys: the first that reads like a name in code in all of
 * them, else the first that is there. Undefined where the objects name nothing.
 */
export function findNameKey(items: readonly JsonRecord[]): string | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  const sample = items.slice(0, 50);
  const keys = new Map<string, string>();
  for (const item of sample.slice(0, 5)) {
    for (const key of Object.keys(item)) if (typeof item[key] === "string") keys.set(plainName(key), key);
  }
  const named = NAME_KEYS.map((name) => keys.get(name)).filter((key) => key !== undefined);
  const isCode = (key: string) => sample.every((item) => CODE_NAME.test(String(item[key] ?? "")));
  const isName = (key: string) => sample.some((item) => typeof item[key] === "string");
  return named.find(isCode) ?? named.find(isName);
}

/** The key of a parameter object, byte for byte. `nameKey` is where its array has them. */
export function parameterName(parameter: JsonRecord, nameKey: string | undefined): string | undefined {
  const own = nameKey === undefined || !Object.hasOwn(parameter, nameKey) ? undefined : parameter[nameKey];
  if (typeof own === "string") return own;
  for (const key of ["name", "key", "id", "param", "parameter", "field"]) {
    const value = Object.hasOwn(parameter, key) ? parameter[key] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}
