// Texts of cells to values of parameters and back, for CSV files and for the table on the screen.

import { isRecord, makeSafe, parseJson, sameJson } from "#lib/read.ts";
import { findBestVariantIndex, fitsField } from "#schema-form/check/fits-field.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { mediaAddresses, mediaValue } from "#schema-form/media-value.ts";
import type { Field, MediaField, Option } from "#schema-form/read/field.ts";
import { optionText } from "#schema-form/read/options.ts";

/** A JSON value; undefined where the text is not JSON, or its numbers would lose digits. */
function readJson(text: string): unknown {
  if (!/^\s*["[{\-\dtfn]/.test(text)) return undefined;
  const { value } = parseJson(text);
  return value !== undefined && makeSafe(value) ? value : undefined;
}

function jsonOrText(text: string): unknown {
  const value = readJson(text);
  return value === undefined ? text : value;
}

/** Whether a text, written into a cell as it is, would be read as something else: as not sent, as null, or as quoted. */
const isAmbiguous = (text: string): boolean => text.trim() === "" || text === "null" || quotedText(text) !== undefined;

/** The text of a cell in quotation marks, such as `""` or `"null"`; undefined where they are part of the text. */
function quotedText(cell: string): string | undefined {
  if (cell.length < 2 || !cell.startsWith('"') || !cell.endsWith('"')) return undefined;
  const text = readJson(cell);
  return typeof text === "string" && isAmbiguous(text) ? text : undefined;
}

const YES = new Set(["yes", "true", "on", "1"]);
const NO = new Set(["no", "false", "off", "0"]);

/**
 * The value that a cell of a parameter is sent as; undefined: not sent. A text that the field cannot read stays that text, so that
 * the check of the row reports it. Without a field, JSON is read as JSON and everything else as text.
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
      const option = findOption(field.options, word);
      return option ? option.value : text;
    }
    case "choices":
      return readChoices(field.options, text);
    case "media":
      return readAddresses(field, word);
    case "colour":
      return field.form === "hex" ? word : jsonOrText(text);
    case "union": {
      const value = readJson(text);
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
      // Makes a new kind of field a type error here. Without it, its cells would be dropped silently.
      return field satisfies never;
  }
}

/** The option that a text means: by its value, as JSON, by its label, then by either in any case. */
function findOption(options: readonly Option[], word: string): Option | undefined {
  const exact = options.find(({ value }) => optionText(value) === word);
  if (exact) return exact;
  const value = readJson(word);
  const lowerCase = word.toLowerCase();
  return (
    options.find((option) => value !== undefined && sameJson(option.value, value)) ??
    options.find(({ label }) => label === word) ??
    options.find(({ label }) => label.toLowerCase() === lowerCase) ??
    options.find((option) => optionText(option.value).toLowerCase() === lowerCase)
  );
}

function readChoices(options: readonly Option[], text: string): unknown {
  const list = readJson(text);
  if (Array.isArray(list)) return list;
  const found = text.split(/[,;\n]/).map((word) => findOption(options, word.trim()));
  return found.every((option) => option !== undefined) ? found.map(({ value }) => value) : text;
}

function readAddresses(field: MediaField, text: string): unknown {
  const list = text.startsWith("[") ? readJson(text) : undefined;
  if (Array.isArray(list)) return list;
  return field.shape === "one" ? text : mediaValue(field, text.split(/\s+/));
}

/**
 * A value as the text of a cell in a file, from which `readCell` with the same field reads the value again, where any text
 * allows that. A file says `yes` and `no`, and the screen On and Off.
 */
export function exactCell(value: unknown, field: Field | undefined): string {
  const plain = typeof value === "boolean" ? (value ? "yes" : "no") : cellText(value);
  if (value === undefined || sameJson(readCell(field, plain), value)) return plain;
  const json = JSON.stringify(value);
  return sameJson(readCell(field, json), value) ? json : plain;
}

/**
 * A value as the text of a cell on the screen. With its field it is the text of `exactCell`, from which `readCell` reads the value
 * again.
 */
export function cellText(value: unknown, field?: Field): string {
  if (field !== undefined) return exactCell(value, field);
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "On" : "Off";
  const addresses = mediaAddresses(value);
  const isAddresses = Array.isArray(value) && addresses.length === value.length && addresses.every(isAddress);
  if (isAddresses && addresses.length > 0) return addresses.join(" ");
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text);
