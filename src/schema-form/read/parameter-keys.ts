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
CANONICAL.set("minitems", "min_items");
CANONICAL.set("readonly", "readOnly");

/** Keys whose records have some of a parameter's words, such as `constraints: {min: 1}`. */
const PARTS =
  "constraints validation validations validators rules range limits bounds between spec definition attributes props widget typeoptions metadata value".split(
    " ",
  );
const RANGES = ["range", "bounds", "limits", "between"];

/**
 * A parameter object with its words under the names that `parameters.ts` reads: `DefaultValue` and `default` become
 * `default_value`. Of several keys for one word, the one that is spelled so already wins, else the first. Words inside
 * parts (`PARTS`) count where the object itself does not have them.
 */
export function canonicalParameter(item: JsonRecord): JsonRecord {
  const read: JsonRecord = {};
  const parts: JsonRecord[] = [];
  for (const key of Object.keys(item)) {
    const value = item[key];
    const name = CANONICAL.get(plainName(key));
    if (PARTS.includes(plainName(key))) parts.push(...partsOf(plainName(key), value));
    // In a list of many kinds of things, a type such as "parameter" only says which kind this one is.
    const isKind =
      name === "type" && typeof value === "string" && /^(input_?)?(parameter|param|argument)$/i.test(value);
    if (isKind) continue;
    // Defined, not assigned, because the key may be `__proto__`.
    if (name === undefined) Object.defineProperty(read, key, { value, enumerable: true, configurable: true });
    else if (name === key || !Object.hasOwn(item, name)) read[name] ??= value;
  }
  for (const part of parts) {
    const words = canonicalParameter(part);
    for (const key of Object.keys(words)) if (!Object.hasOwn(read, key)) read[key] = words[key];
  }
  return isRecord(read.type) ? withTypeOf(read, read.type) : read;
}

/** The words of a part, as records. A part is a record, a range (two numbers or a text), or a list of rules. */
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

/**
 * A parameter whose type is an object: a JSON Schema, or a type of GraphQL introspection (`kind`, `name`, `ofType`).
 */
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

/** Keys under which a parameter object has its name, the clearest first, as `plainName` writes them. */
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
 * The key under which the objects of a parameter array have their names: the first whose values all read like code,
 * else the first that is there. Undefined where the objects name nothing.
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

/** The name of a parameter, byte for byte. `nameKey`: what `findNameKey` found for its array. */
export function parameterName(parameter: JsonRecord, nameKey: string | undefined): string | undefined {
  const own = nameKey === undefined || !Object.hasOwn(parameter, nameKey) ? undefined : parameter[nameKey];
  if (typeof own === "string") return own;
  for (const key of ["name", "key", "id", "param", "parameter", "field"]) {
    const value = Object.hasOwn(parameter, key) ? parameter[key] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}
