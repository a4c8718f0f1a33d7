import { isRecord, makeSafe, parseJson, sameJson } from "#lib/read.ts";
import { findBestVariantIndex, fitsField } from "#schema-form/check/fits-field.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { mediaAddresses, mediaValue } from "#schema-form/media-value.ts";
import type { Field, MediaField, Option } from "#schema-form/read/field.ts";
import { optionText } from "#schema-form/read/options.ts";

/** A JSON value, or undefined for a text that is not JSON, or that loses digits. */
function jsonOf(text: string): unknown {
  if (!/^\s*["[{\-\dtfn]/.test(text)) return undefined;
  const { value } = parseJson(text);
  return value !== undefined && makeSafe(value) ? value : undefined;
}

function jsonOrText(text: string): unknown {
  const value = jsonOf(text);
  return value === undefined ? text : value;
}

/** Texts that a cell cannot hold as they are: an empty one is not sent, and `null` may be a value. */
const isAmbiguous = (text: string): boolean => text.trim() === "" || text === "null" || quotedText(text) !== undefined;

/** The text that a cell such as `""` stands for. */
function quotedText(cell: string): string | undefined {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return undefined;
  const text = jsonOf(cell);
  return typeof text === "string" && isAmbiguous(text) ? text : undefined;
}

const YES = new Set(["yes", "true", "on", "1"]);
const NO = new Set(["no", "false", "off", "0"]);

/**
 * What the text of a cell of a parameter is sent as; undefined where it is empty: not sent. Text that cannot be read stays
 * the text, so that the check of the row names it. Without a field, JSON is read as JSON and everything else as text.
 */
export function readCell(field: Field | undefined, text: string): unknown {
  if (text.trim() === "") return undefined;
  if (text === "null" && (field === undefined || field.nullable)) return null;
  const word = text.trim();
  switch (field?.kind) {
    case "text":
      return quotedText(text) ?? text;
    case "number":
      return numberFromText(field, text);
    case "boolean":
      return YES.has(word.toLowerCase()) ? true : NO.has(word.toLowerCase()) ? false : text;
    case "choice": {
      const option = optionOf(field.options, word);
      return option ? option.value : text;
    }
    case "choices":
      return choicesOf(field.options, text);
    case "media":
      return addressesOf(field, word);
    case "colour":
      return field.form === "hex" ? word : jsonOrText(text);
    case "union": {
      const value = jsonOf(text);
      if (value !== undefined && findBestVariantIndex(field.variants, value) >= 0) return value;
      const read = field.variants.map((variant) => ({ variant, value: readCell(variant, text) }));
      const fitting = read.find(({ variant, value: one }) => one !== undefined && fitsField(variant, one));
      return fitting ? fitting.value : jsonOrText(text);
    }
    case "group":
    case "map":
    case "list":
    case "tuple":
    case "json":
    case undefined:
      return jsonOrText(text);
    default:
      // `unknown` would let a new kind through here, and its cells would be dropped.
      return field satisfies never;
  }
}

/** The option that a text means: by value, as JSON, by label. */
function optionOf(options: readonly Option[], word: string): Option | undefined {
  const exact = options.find(({ value }) => optionText(value) === word);
  if (exact) return exact;
  const value = jsonOf(word);
  const small = word.toLowerCase();
  return (
    options.find((option) => value !== undefined && sameJson(option.value, value)) ??
    options.find(({ label }) => label === word) ??
    options.find(({ label }) => label.toLowerCase() === small) ??
    options.find((option) => optionText(option.value).toLowerCase() === small)
  );
}

function choicesOf(options: readonly Option[], text: string): unknown {
  const list = jsonOf(text);
  if (Array.isArray(list)) return list;
  const found = text.split(/[,;\n]/).map((word) => optionOf(options, word.trim()));
  return found.every((option) => option !== undefined) ? found.map(({ value }) => value) : text;
}

function addressesOf(field: MediaField, text: string): unknown {
  const list = text.startsWith("[") ? jsonOf(text) : undefined;
  if (Array.isArray(list)) return list;
  return field.shape === "one" ? text : mediaValue(field, text.split(/\s+/));
}

/**
 * A value as the text of a cell of a file: `readCell` with the same field gives the value back, as far as any text does.
 *
 */
export function exactCell(value: unknown, field: Field | undefined): string {
  const plain = cellText(value);
  if (value === undefined || sameJson(readCell(field, plain), value)) return plain;
  const json = JSON.stringify(value);
  return sameJson(readCell(field, json), value) ? json : plain;
}

/**
 * A value as the text of a cell on the screen; with its field so exactly that `readCell` gives the value back. Never throws for
 * what came from JSON.
 */
export function cellText(value: unknown, field?: Field): string {
  if (field !== undefined) return exactCell(value, field);
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  const addresses = mediaAddresses(value);
  const isAddresses = Array.isArray(value) && addresses.length === value.length && addresses.every(isAddress);
  if (isAddresses && addresses.length > 0) return addresses.join(" ");
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);
