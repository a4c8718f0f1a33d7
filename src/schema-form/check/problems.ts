import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { type Field, type FormSchema, fieldName } from "../read/field.ts";
import type { Issue, JsonPath } from "./check-json.ts";

/** One thing to put right before a run. */
export interface Problem {
  /** The form's name of the top-level field (`f0`, `f1`), or empty where the problem is about no field. */
  name: string;
  label: string;
  /** The place in the payload; empty where it is about the payload as a whole. */
  path: JsonPath;
  message: string;
  /** Whether nothing was given yet. Then it is shown only after the person left the field or pressed Run. */
  missing: boolean;
}

const characters = (value: unknown) =>
  typeof value === "number" ? counted(value, "character") : `${value} characters`;
const count = (value: unknown) => (typeof value === "number" ? formatNumber(value) : String(value));

/** "1 to 10", "at least 1", "above 0", with the unit; undefined where nothing bounds the number. */
export function rangeText(field: Field): string | undefined {
  if (field.kind !== "number") return undefined;
  const unit = field.unit ? ` ${field.unit}` : "";
  const { min, max } = field;
  if (min !== undefined && max !== undefined && !field.openMin && !field.openMax) return `${min} to ${max}${unit}`;
  const low = min === undefined ? "" : `${field.openMin ? "above" : "at least"} ${min}`;
  const high = max === undefined ? "" : `${field.openMax ? "below" : "at most"} ${max}`;
  return low || high ? `${[low, high].filter(Boolean).join(", ")}${unit}` : undefined;
}

function typeText(field: Field): string {
  switch (field.kind) {
    case "text":
      return "must be text";
    case "number":
      return field.integer ? "must be a whole number" : "must be a number";
    case "boolean":
      return "must be on or off";
    case "choices":
    case "list":
    case "tuple":
      return "must be a list";
    case "group":
    case "map":
      return "must be an object";
    case "media":
      return field.shape === "many" ? "must be a list of URLs" : "must be a URL";
    case "choice":
    case "colour":
    case "union":
    case "json":
      return "has a format that this model doesn’t accept";
  }
}

function enumText(field: Field): string {
  const options = field.kind === "choice" || field.kind === "choices" ? field.options : [];
  if (options.length === 0 || options.length > 6) return "must be one of the options";
  return `must be one of: ${options.map((option) => option.label).join(", ")}`;
}

function boundText(field: Field, issue: Issue): string {
  const range = rangeText(field);
  if (range) return `must be ${/^[\d-]/.test(range) ? `from ${range}` : range}`;
  const limit = issue.schema[issue.keyword];
  return /inimum/.test(issue.keyword) ? `must be at least ${limit}` : `must be at most ${limit}`;
}

function sentence(field: Field, issue: Issue, value: unknown): string {
  const limit = issue.schema[issue.keyword];
  switch (issue.keyword) {
    case "required":
      return "is required";
    case "type":
      return typeText(field);
    case "enum":
    case "const":
      return enumText(field);
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return boundText(field, issue);
    case "multipleOf":
      return `must be a multiple of ${limit}`;
    case "minLength":
      return `must have at least ${characters(limit)}`;
    case "maxLength": {
      const over = typeof value === "string" && typeof limit === "number" ? [...value].length - limit : 0;
      return `is ${characters(over)} too long (at most ${count(limit)})`;
    }
    case "pattern":
      return "doesn’t match the format that this model expects";
    case "minItems":
      return `must have at least ${count(limit)}`;
    case "maxItems":
      return `can have up to ${count(limit)}`;
    case "uniqueItems":
      return "contains the same value twice";
    case "dependentRequired":
      return `is required together with ${visibleLine(String(issue.schema.trigger), 60)}`;
    case "additionalProperties":
      return `has no parameter called “${visibleLine(issue.key ?? "", 60)}”`;
    case "anyOf":
    case "oneOf":
      return "has a format that this model doesn’t accept";
    default:
      return "conflicts with the other values";
  }
}

/** Why a value is not accepted, in the field's own words: its label, its options, its bounds. */
export function problemText(field: Field, issue: Issue, value: unknown): string {
  return `${field.label} ${sentence(field, issue, value)}.`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** How certain it is that a message names a field: 4 in quotes, 3 and 2 as a word by itself, 1 by its label, 0 not. */
function certainty(field: Field, message: string): number {
  if (!field.key || field.key.length > message.length) return 0;
  const key = escaped(field.key);
  if (new RegExp(`["'\`“‘]${key}["'\`”’]`).test(message)) return 4;
  if (new RegExp(`(?:payload|input|body|parameters)[.:>/\\s]+${key}(?![\\w])`, "i").test(message)) return 3;
  // A key such as `n` or `text` is also a word of any sentence: the shortest are believed only in quotes.
  if (field.key.length > 2 && new RegExp(`(?<![\\w.])${key}(?![\\w])`).test(message))
    return /[_.\d]|[a-z][A-Z]/.test(field.key) ? 3 : 2;
  return field.label.length > 3 && new RegExp(`(?<!\\w)${escaped(field.label)}(?!\\w)`, "i").test(message) ? 1 : 0;
}

/**
 * The field that a refusal of the service (400, spec 7) names, with the service's own text, to be put beside it.
 * Undefined where the text names none of the fields.
 */
export function problemFromMessage(schema: FormSchema, message: string): Problem | undefined {
  // Where a refusal goes on for pages, its first sentences name the field.
  const start = message.slice(0, 2000);
  const ranked = schema.fields
    .map((field, position) => ({ field, position, rank: certainty(field, start), at: start.indexOf(field.key) }))
    .filter((entry) => entry.rank > 0)
    // Of two that are named, the first is what the sentence is about: "prompt is required unless multi_shot is true".
    .sort((a, b) => b.rank - a.rank || a.at - b.at || b.field.key.length - a.field.key.length);
  const [best] = ranked;
  if (!best) return undefined;
  const { field, position } = best;
  return { name: fieldName(position), label: field.label, path: [field.key], message, missing: false };
}
