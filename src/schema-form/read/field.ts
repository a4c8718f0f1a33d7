import type { JsonRecord } from "#lib/read.ts";
import type { SchemaIndex } from "./references.ts";

/** What a field means to Safelight, guessed from its name and shape, or set by the person. */
export const ROLES = [
  "prompt",
  "negative-prompt",
  "seed",
  "image",
  "video",
  "audio",
  "file",
  "mask",
  "count",
  "aspect-ratio",
  "size",
  "width",
  "height",
  "resolution",
  "duration",
] as const;
export type Role = (typeof ROLES)[number];

/** Kinds of media a field takes. `file` is an address of anything. */
export type FieldMedia = "image" | "video" | "audio" | "file";

/** One choice. `value` is sent exactly as given: `"5"` stays a string, `""` is a choice. */
export interface Option {
  value: unknown;
  label: string;
}

/**
 * A condition on a payload with all defaults filled in: it fits a schema (`holds: false`: it does not), or has a key.
 */
export type Condition = { schema: unknown; holds: boolean } | { key: string };

interface FieldBase {
  /** The parameter's key, byte for byte. For items of a list it is empty. */
  key: string;
  /** The display name, else the key in words. It is the accessible name. */
  label: string;
  /** Help in the schema's own words, possibly markdown. Untrusted. */
  help: string | undefined;
  required: boolean;
  /** `null` can be chosen. */
  nullable: boolean;
  /** What the service applies when the key is left out. Undefined where it names none; `null` is a default. */
  defaultValue: unknown;
  examples: readonly unknown[];
  role: Role | undefined;
  /**
   * Set where only some payloads have this key (`then`, `else`, `dependentSchemas`): it is shown while one of them is
   * met.
   */
  conditions?: readonly Condition[] | undefined;
  /** Folded away under "Advanced". */
  advanced: boolean;
  unit: string | undefined;
}

export interface TextField extends FieldBase {
  kind: "text";
  multiline: boolean;
  /** `plain`, or the schema's `format`: password, email, uri, date, date-time, time. */
  format: string;
  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: string | undefined;
  /** Values to pick from where any other text is fine too. */
  suggestions: readonly Option[];
}

export interface NumberField extends FieldBase {
  kind: "number";
  integer: boolean;
  min: number | undefined;
  max: number | undefined;
  /** The bound itself is not allowed. */
  openMin: boolean;
  openMax: boolean;
  step: number | undefined;
  /** The schema types this number as a string, so a string is sent (in-the-wild 1, trap 1). */
  asString: boolean;
}

export interface BooleanField extends FieldBase {
  kind: "boolean";
}

export interface ChoiceField extends FieldBase {
  kind: "choice";
  options: readonly Option[];
}

/** Several of the options, as an array. */
export interface ChoicesField extends FieldBase {
  kind: "choices";
  options: readonly Option[];
  minItems: number | undefined;
  maxItems: number | undefined;
}

export interface MediaField extends FieldBase {
  kind: "media";
  media: FieldMedia;
  /** One address, an array of them, or either: then one is sent as a string and several as an array. */
  shape: "one" | "many" | "either";
  minItems: number | undefined;
  maxItems: number | undefined;
}

export interface ColourField extends FieldBase {
  kind: "colour";
  /** How a color is written: `"#aabbcc"`, `{r, g, b}` or `[r, g, b]`, 0 to 255. */
  form: "hex" | "object" | "tuple";
}

export interface GroupField extends FieldBase {
  kind: "group";
  fields: readonly Field[];
}

export interface ListField extends FieldBase {
  kind: "list";
  item: Field;
  minItems: number | undefined;
  maxItems: number | undefined;
}

export interface TupleField extends FieldBase {
  kind: "tuple";
  items: readonly Field[];
}

/** An object of any keys whose values share one shape. */
export interface MapField extends FieldBase {
  kind: "map";
  item: Field;
}

/** One of several shapes, such as a preset or an object of width and height. */
export interface UnionField extends FieldBase {
  kind: "union";
  variants: readonly Field[];
}

interface JsonField extends FieldBase {
  kind: "json";
  /** Why this part has no form of its own. */
  reason: string;
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | MediaField
  | ColourField
  | GroupField
  | ListField
  | TupleField
  | MapField
  | UnionField
  | JsonField;

/** Which of the known listings matched. `empty`: a listing without a parameter; `none`: no listing was found. */
export type Reading = "parameters" | "json-schema" | "openapi" | "map" | "table" | "empty" | "none";

/** Keys and positions that lead from a response to a part of it. JSON texts on the way are transparent. */
export type AnswerPath = readonly (string | number)[];

/** A place of a response that lists parameters, or could. */
export interface ReadingPlace {
  path: AnswerPath;
  /** How many it lists. */
  count: number;
  reading: Reading;
}

export interface FormSchema {
  reading: Reading;
  fields: readonly Field[];
  /** What was left out or read with doubt, in sentences. */
  notes: readonly string[];
  /** What the listing asks for and the form does not contain, in sentences that are shown above it. */
  limits?: readonly string[];
  /** The listing as one JSON Schema of the payload: what `checkPayload` checks against. */
  schema: JsonRecord;
  /** The document that local `$ref`s point into. */
  index: SchemaIndex;
  /** What the service said, as it came. */
  answer?: unknown;
  /** The place in the response where the listing stands. */
  place?: ReadingPlace;
  /** Whether the person named the place. */
  isChosen?: boolean;
  /** Whether another place may be the right one: that is said above the form. */
  isUnsure?: boolean;
  /** Other places that could be meant, the likeliest first. */
  others?: readonly ReadingPlace[];
}

/** The form's name of a field by its position: parameter keys are never names. */
export const fieldName = (position: number): string => `f${position}`;

interface Names {
  names: readonly string[];
  positions: ReadonlyMap<string, number>;
}

// Made once for a form, because they are looked up at every key.
const namesBySchema = new WeakMap<FormSchema, Names>();

function namesOf(schema: FormSchema): Names {
  const known = namesBySchema.get(schema);
  if (known) return known;
  const names = schema.fields.map((_, position) => fieldName(position));
  const fresh = { names, positions: new Map(schema.fields.map((field, position) => [field.key, position])) };
  namesBySchema.set(schema, fresh);
  return fresh;
}

/** The names of a form's fields, in order. */
export const fieldNames = (schema: FormSchema): readonly string[] => namesOf(schema).names;

/** Where the field of each parameter key stands. */
export const fieldPositions = (schema: FormSchema): ReadonlyMap<string, number> => namesOf(schema).positions;
