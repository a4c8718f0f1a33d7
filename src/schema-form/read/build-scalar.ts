import { isRecord, type JsonRecord, ownArray, ownNumber, ownRecord, ownString, ownValue } from "#lib/read.ts";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import type { ChoiceField, ColourField, Field, MediaField, NumberField, Option, Role, TextField } from "./field.ts";
import { optionLabel, optionText } from "./options.ts";
import type { SchemaIndex } from "./references.ts";
import { componentHint, guessRole, humaniseName, keyWords, mediaOfSchema, schemaHint } from "./roles.ts";

/** What every part of building shares. */
export interface BuildContext {
  index: SchemaIndex;
  /** Roles that the person set, by top-level key. */
  roles: ReadonlyMap<string, Role | "none">;
  /** Fields that may still be made: a hostile schema stops growing here. */
  budget: { left: number };
  /** What was left out or read with doubt, in sentences. */
  notes: string[];
  /** What the form does not contain, in sentences that are shown at once. */
  limits: string[];
}

/** Where a field stands in the schema. */
export interface Place {
  /** The parameter's key; empty for an item of a list. */
  key: string;
  required: boolean;
  /** 0 for a top-level parameter. */
  depth: number;
  /** The `$ref`s followed on the way here, to recognize cycles. */
  trail: readonly string[];
}

/** A schema without `$ref`, `allOf` and null, with its place: what the builders of each kind work on. */
export interface Part {
  context: BuildContext;
  place: Place;
  schema: JsonRecord;
  nullable: boolean;
}

/** Characters of a label, an option and a unit that are shown. */
const LONGEST_LABEL = 120;
const LONGEST_UNIT = 20;
/** The characters of a key or a text that are searched for what a field is for. */
const LONGEST_SEARCHED = 200;

const UNITS: readonly [RegExp, string][] = [
  [/(^|_)(ms|milliseconds)$/i, "ms"],
  [/(^|_)(seconds|secs|sec|duration)$|duration_?s(econds)?$|durationSeconds$/i, "s"],
  [/(^|_)fps$|frames_per_second$/i, "fps"],
];

function unitOf(part: Part): string | undefined {
  const declared = ownString(part.schema, "x-unit", "unit", "units");
  if (declared) return visibleLine(declared, LONGEST_UNIT);
  // Every name in `UNITS` ends in one of these letters, so most keys need no search.
  if (!/[scnd]$/i.test(part.place.key)) return undefined;
  return UNITS.find(([name]) => name.test(part.place.key))?.[1];
}

/** The display name: the title, or the key in words where there is no other title. */
function labelOf(schema: Part["schema"], key: string): string {
  const title = ownString(schema, "title", "display_name", "label")?.trim();
  const name = title === undefined || title === key ? humaniseName(key.slice(0, LONGEST_SEARCHED)) : title;
  return visibleLine(name, LONGEST_LABEL);
}

/** What every kind of field has in common. `kind` and `options` help to guess the role. */
export function fieldBase(part: Part, kind: Field["kind"], options: readonly string[] = []) {
  const { schema, place, context } = part;
  const chosenRole = place.depth === 0 ? context.roles.get(place.key) : undefined;
  const isSearched = place.key !== "" && place.key.length <= LONGEST_SEARCHED;
  const guessed = isSearched ? guessRole(place.key, kind, options) : undefined;
  const role: Role | undefined = chosenRole === "none" ? undefined : (chosenRole ?? guessed);
  const examples = ownArray(schema, "examples") ?? (ownValue(schema, "example") === undefined ? [] : [schema.example]);
  return {
    key: place.key,
    label: labelOf(schema, place.key),
    help: ownString(schema, "description", "help")?.trim(),
    required: place.required,
    nullable: part.nullable,
    defaultValue: ownValue(schema, "default"),
    examples,
    role,
    advanced: false,
    unit: unitOf(part),
  };
}

/** Options of an `enum`, labelled by whichever of the known hints is there. */
export function enumOptions(schema: Part["schema"]): Option[] {
  const values = ownArray(schema, "enum") ?? (Object.hasOwn(schema, "const") ? [schema.const] : []);
  if (values.length === 0) return [];
  const hint = schemaHint(schema, "enum-labels") ?? schema.enumLabels;
  const byValue = isRecord(hint) ? hint : undefined;
  const byPosition = ownArray(schema, "x-option-labels", "enumNames", "x-enumNames", "x-enum-varnames");
  return values.map((value, position) => {
    const named =
      byValue && Object.hasOwn(byValue, optionText(value)) ? byValue[optionText(value)] : byPosition?.[position];
    return { value, label: shownLabel(typeof named === "string" && named ? named : optionLabel(value)) };
  });
}

/** An option as it is shown. What is sent is its value, to the letter. */
const shownLabel = (label: string) =>
  label.length > LONGEST_LABEL ? visibleLine(label, LONGEST_LABEL) : visibleText(label);

/** A field with one value of several options. */
export function buildChoice(part: Part, options: readonly Option[]): ChoiceField {
  const base = fieldBase(
    part,
    "choice",
    options.map((option) => optionText(option.value)),
  );
  const only = options.length === 1 && Object.hasOwn(part.schema, "const") ? options[0]?.value : undefined;
  return { ...base, kind: "choice", options, defaultValue: base.defaultValue ?? only };
}

/** A number with its bounds and step, in any of the spellings of listings. */
export function buildNumber(part: Part, integer: boolean): NumberField {
  const { schema } = part;
  // Draft 4 writes `exclusiveMinimum: true` beside `minimum`; later drafts write the bound itself under that key.
  const openLow = ownValue(schema, "exclusiveMinimum");
  const openHigh = ownValue(schema, "exclusiveMaximum");
  const min = ownNumber(schema, "minimum", "ge");
  const max = ownNumber(schema, "maximum", "le");
  const low = typeof openLow === "number" ? openLow : ownNumber(schema, "gt");
  const high = typeof openHigh === "number" ? openHigh : ownNumber(schema, "lt");
  const openMin = openLow === true || (low !== undefined && (min === undefined || low >= min));
  const openMax = openHigh === true || (high !== undefined && (max === undefined || high <= max));
  return {
    ...fieldBase(part, "number"),
    kind: "number",
    integer,
    min: openMin && low !== undefined ? low : min,
    max: openMax && high !== undefined ? high : max,
    openMin,
    openMax,
    step:
      ownNumber({ ...schema, hint: schemaHint(schema, "step") }, "multipleOf", "hint", "step") ??
      (integer ? 1 : undefined),
    asString: schema["x-numeric"] === true,
  };
}

/** Last words of the keys of texts that rarely fit on one line. */
const LONG_WORDS = new Set(
  "prompt text lyrics script instruction instructions caption story description message sentence".split(" "),
);

/** Whether a text gets an area of several lines. Its default, its limit or its name shows that it may be long. */
function isLong(part: Part, role: string | undefined): boolean {
  const { schema, place } = part;
  const component = componentHint(schema);
  if (component === "textarea" || schema["x-multiline"] === true || schema.format === "textarea") return true;
  if (role === "prompt" || role === "negative-prompt") return true;
  if (typeof schema.default === "string" && (schema.default.includes("\n") || schema.default.length > 80)) return true;
  // A plural described as "comma-separated" or the like is a list written in one text.
  if (/separated/i.test(ownString(schema, "description")?.slice(0, 2000) ?? "") && /s$|list$/i.test(place.key))
    return true;
  return LONG_WORDS.has(keyWords(place.key).at(-1) ?? "") || (ownNumber(schema, "maxLength") ?? 0) > 400;
}

/** A text, with suggestions where there are any. */
export function buildText(part: Part, suggestions: readonly Option[] = []): TextField {
  const { schema } = part;
  const base = fieldBase(
    part,
    "text",
    suggestions.map((option) => optionText(option.value)),
  );
  const secret = schema.writeOnly === true || schemaHint(schema, "secret") === true;
  const format = secret ? "password" : (ownString(schema, "format") ?? "plain");
  return {
    ...base,
    kind: "text",
    multiline: suggestions.length === 0 && (format === "plain" || format === "textarea") && isLong(part, base.role),
    format,
    minLength: ownNumber(schema, "minLength"),
    maxLength: ownNumber(schema, "maxLength"),
    pattern: ownString(schema, "pattern"),
    suggestions,
  };
}

/** One or more addresses of media. */
export function buildMedia(part: Part, media: MediaField["media"], shape: MediaField["shape"]): MediaField {
  const base = fieldBase(part, "media");
  const mask = keyWords(part.place.key).some((word) => /^masks?$/.test(word));
  const chosenRole = part.context.roles.get(part.place.key);
  return {
    ...base,
    kind: "media",
    role: chosenRole === "none" ? undefined : (chosenRole ?? (mask && media === "image" ? "mask" : media)),
    media: chosenRole === "image" || chosenRole === "video" || chosenRole === "audio" ? chosenRole : media,
    shape,
    minItems: ownNumber(part.schema, "minItems"),
    maxItems: ownNumber(part.schema, "maxItems", "x-max-items"),
  };
}

/** A color, in the form in which it is sent. */
export function buildColour(part: Part, form: ColourField["form"]): ColourField {
  return { ...fieldBase(part, "colour"), kind: "colour", form };
}

/** A string schema as text, media, a color, or a number that is written as a string. */
export function buildString(part: Part): Field {
  const { schema, place, context } = part;
  const chosenRole = place.depth === 0 ? context.roles.get(place.key) : undefined;
  const asText = chosenRole === "prompt" || chosenRole === "negative-prompt" || chosenRole === "none";
  const asMedia =
    chosenRole === "image" ||
    chosenRole === "video" ||
    chosenRole === "audio" ||
    chosenRole === "file" ||
    chosenRole === "mask";
  const media = asMedia
    ? chosenRole === "mask"
      ? "image"
      : chosenRole
    : asText
      ? undefined
      : mediaOfSchema(place.key, schema);
  if (media) return buildMedia(part, media, ownNumber(schema, "x-max-items") ? "either" : "one");
  if (schema["x-numeric"] === true) return buildNumber(part, false);
  const format = ownString(schema, "format");
  if (format === "color" || format === "colour" || format === "hex-color") return buildColour(part, "hex");
  const examples = ownArray(schema, "examples") ?? [];
  // The examples of a size are as good as options.
  const areWords = examples.length > 2 && examples.every((value) => typeof value === "string" && value.length <= 40);
  const isSize = /size|resolution|ratio/i.test(place.key);
  return buildText(
    part,
    areWords && isSize ? examples.map((value) => ({ value, label: shownLabel(optionLabel(value)) })) : [],
  );
}

/** Whether the schema is an object of r, g and b. */
export function isRgb(schema: Part["schema"]): boolean {
  const properties = ownRecord(schema, "properties");
  return isRecord(properties) && Object.keys(properties).sort().join() === "b,g,r";
}
