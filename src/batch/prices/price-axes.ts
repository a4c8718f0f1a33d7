// The two parameters that a price table varies, their values, and settings in words.

import { asLooseNumber, type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFreeOfPrice } from "#runs/prices/estimate-queries.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { Field, FormSchema, NumberField, Option } from "#schema-form/read/field.ts";
import { optionLabel } from "#schema-form/read/options.ts";
import type { PriceSearch } from "./price-search.ts";

interface AxisValue {
  value: unknown;
  /** As a heading: "8 s", "1080p". */
  label: string;
}

export interface PriceAxis {
  field: Field;
  values: readonly AxisValue[];
  /** The person types its values, because the parameter has no options. */
  isTyped: boolean;
}

export interface PriceAxes {
  rows: PriceAxis | undefined;
  columns: PriceAxis | undefined;
}

/** Stands in the address for "no axis". */
export const NO_AXIS = "none";
/** A longer table is unreadable. */
const MAX_VALUES = 16;

/** Keys that often move the price although they have no role. */
const PRICE_KEYS = /quality|mode|tier|speed|fps|frames/i;

/**
 * How likely a parameter moves the price, by what it is for: lower is likelier. The numbers only order the axes. An aspect
 * ratio comes near the end: it changes the shape, and seldom how much is made.
 */
function getRank(field: Field): number {
  switch (field.role) {
    case "duration":
      return 0;
    case "resolution":
      return 1;
    case "count":
      return 2;
    case "size":
    case "width":
    case "height":
      return 3;
    case "aspect-ratio":
      return 8;
    default:
      if (PRICE_KEYS.test(field.key)) return 4;
      return field.kind === "choice" ? 6 : field.kind === "boolean" ? 5 : 9;
  }
}

/** The parameters that can be an axis: those that may move the price and have single values. Likeliest first. */
export function axisFields(schema: FormSchema): Field[] {
  return schema.fields
    .filter((field) => !isFreeOfPrice(field) && (getOptions(field) !== undefined || field.kind === "number"))
    .map((field, at) => ({ field, at }))
    .sort((a, b) => getRank(a.field) - getRank(b.field) || a.at - b.at)
    .map(({ field }) => field);
}

/** Everything that a field can be set to; undefined where that is not known, or where a number has more than `MAX_VALUES`. */
function getOptions(field: Field): readonly unknown[] | undefined {
  const values = (options: readonly Option[]) => options.map(({ value }) => value);
  switch (field.kind) {
    case "choice":
      return values(field.options);
    case "boolean":
      return [false, true];
    case "text":
      return field.suggestions.length > 0 ? values(field.suggestions) : undefined;
    case "number":
      return wholeNumbers(field);
    case "union":
      return field.variants.flatMap((variant) => (variant.kind === "choice" ? values(variant.options) : []));
    default:
      return undefined;
  }
}

function wholeNumbers({ integer, min, max, step = 1, openMin, openMax, asString }: NumberField) {
  if (!integer || min === undefined || max === undefined || openMin || openMax || !(step >= 1)) return undefined;
  const count = Math.floor((max - min) / step) + 1;
  if (!(count >= 1) || count > MAX_VALUES) return undefined;
  return Array.from({ length: count }, (_, at) => (asString ? String(min + at * step) : min + at * step));
}

/** What a number is tried with until the person types values: its bounds and its default. */
function someNumbers({ min, max, defaultValue, asString }: NumberField): unknown[] {
  const numbers = [min, Number(defaultValue ?? Number.NaN), max].filter(
    (value): value is number => value !== undefined && Number.isFinite(value),
  );
  return [...new Set(numbers)].sort((a, b) => a - b).map((value) => (asString ? String(value) : value));
}

/** The values of a text such as "1, 2, 4". */
function typedValues(field: NumberField, text: string): unknown[] {
  const words = text.split(/[,;\s]+/).filter(Boolean);
  return [...new Set(words.map((word) => numberFromText(field, word)))];
}

/** At most `MAX_VALUES` values, spread evenly, with the first and the last; the current value may be one more. */
function spread(values: readonly unknown[], current: unknown): readonly unknown[] {
  if (values.length <= MAX_VALUES) return values;
  const step = (values.length - 1) / (MAX_VALUES - 1);
  const positions = new Set(Array.from({ length: MAX_VALUES }, (_, at) => Math.round(at * step)));
  const at = values.findIndex((value) => sameJson(value, current));
  if (at >= 0) positions.add(at);
  return values.filter((_, index) => positions.has(index));
}

function createAxis(field: Field, typed: string | undefined, payload: JsonRecord): PriceAxis {
  const current = Object.hasOwn(payload, field.key) ? payload[field.key] : field.defaultValue;
  const options = getOptions(field);
  const numbers = () =>
    field.kind === "number" ? (typed === undefined ? someNumbers(field) : typedValues(field, typed)) : [];
  const all = options ?? numbers();
  // The current value is added, so that the table shows its price, but not to values that the person typed.
  const isListed = current === undefined || current === null || all.some((value) => sameJson(value, current));
  const values = spread(isListed || typed !== undefined ? all : [...all, current], current);
  return {
    field,
    values: values.map((value) => ({ value, label: getHeading(field, value) })),
    isTyped: options === undefined,
  };
}

/** The two axes of a table: those of the address, else the two that most likely move the price. */
export function chooseAxes(schema: FormSchema, payload: JsonRecord, search: PriceSearch): PriceAxes {
  const fields = axisFields(schema);
  const find = (key: string | undefined) => fields.find((field) => field.key === key);
  const [first, second] = fields.filter(({ key }) => key !== search.rows && key !== search.columns);
  const rows = search.rows === NO_AXIS ? undefined : (find(search.rows) ?? first);
  const next = rows === first ? second : first;
  const columns = search.columns === NO_AXIS ? undefined : (find(search.columns) ?? next);
  return {
    rows: rows && createAxis(rows, search.rowValues, payload),
    columns: columns && columns !== rows ? createAxis(columns, search.columnValues, payload) : undefined,
  };
}

const isNumeric = (value: unknown) =>
  typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value));

/** A value as a heading: "8 s", "1080p", "On". */
function valueLabel(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "Default";
  if (field.kind === "boolean" && typeof value === "boolean") return value ? "On" : "Off";
  const unit = field.unit ?? (field.role === "duration" ? "s" : undefined);
  if (isNumeric(value)) return unit === undefined ? String(value) : `${value} ${visibleLine(unit, 12)}`;
  const options = field.kind === "choice" ? field.options : [];
  const label = options.find((option) => sameJson(option.value, value))?.label ?? optionLabel(value);
  return visibleLine(label, 40).replace(/(\d)\s*[x*]\s*(?=\d)/gi, "$1×");
}

/** A value as a heading; a bare number of results says what it counts: "2 images". */
const getHeading = (field: Field, value: unknown) =>
  field.role === "count" && isNumeric(value) ? settingWords(field, value) : valueLabel(field, value);

/** Values of these say by themselves what they are. */
const SELF_EVIDENT = new Set(["aspect-ratio", "size", "resolution", "duration"]);

/** A setting in a sentence: "8 s", "no sound", "2 images", "quality high". */
export function settingWords(field: Field, value: unknown): string {
  const label = lowerFirst(visibleLine(field.label, 30));
  const words = valueLabel(field, value);
  const isOn = value === true || /^on$/i.test(words);
  const isOff = value === false || /^off$/i.test(words);
  if (isOn || isOff) return isOn ? `with ${label}` : `no ${label}`;
  if (field.role !== undefined && SELF_EVIDENT.has(field.role)) return words;
  if (field.role === "count" && isNumeric(value)) return `${words} ${countWord(Number(value), label)}`;
  return `${label} ${words}`;
}

/** A label inside of a sentence; "CFG scale" stays as it is. */
export const lowerFirst = (text: string) =>
  /^.[A-Z]/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** The word for counted results: the label where it is a plural ("images"), else "results"; singular for one. */
function countWord(count: number, label: string): string {
  const word = /^[a-z]+s$/.test(label) ? label : "results";
  return count === 1 ? word.replace(/s$/, "") : word;
}

/** Two settings as one phrase: "8 s at 1080p", "2 images, 512×512". */
export function getSettingsPhrase({ rows, columns }: PriceAxes, row: unknown, column: unknown): string {
  const parts = [
    rows && { role: rows.field.role, words: settingWords(rows.field, row) },
    columns && { role: columns.field.role, words: settingWords(columns.field, column) },
  ].filter((part) => part !== undefined);
  // The duration comes first: "8 s at 1080p".
  const [a, b] = [...parts].sort((one, other) => Number(other.role === "duration") - Number(one.role === "duration"));
  if (!a) return "your settings";
  if (!b) return a.words;
  const isClip = a.role === "duration" && (b.role === "resolution" || b.role === "size");
  return isClip ? `${a.words} at ${b.words}` : `${a.words}, ${b.words}`;
}

/** `leftOut`: the labels of settings that the other model has no place for. `why`: in a few words, such as "6 s at most". */
type CarriedPayload =
  | { payload: JsonRecord; leftOut: readonly string[]; why?: undefined }
  | { payload?: undefined; why: string };

/**
 * The same payload for another model, or why that model does not accept it. The prompt, the files and everything that has a
 * role, such as the duration, must find a place; settings of one model alone, such as a guidance scale, may be left out.
 */
export function carryPayload(from: FormSchema, payload: JsonRecord, to: FormSchema): CarriedPayload {
  const { payload: carried, dropped } = carryValues(from, payload, to);
  const fields = from.fields.filter(({ label }) => dropped.includes(label));
  const lost = fields.find(isNeeded);
  if (lost) return { why: whyDropped(lost, payload[lost.key], to) };
  const whole = withStartingValues(to, carried);
  const [problem] = checkPayload(to, whole);
  if (problem) return { why: problem.missing ? `Needs ${lowerFirst(problem.label)}` : problem.message };
  return { payload: whole, leftOut: fields.filter((field) => !isFreeOfPrice(field)).map(({ label }) => label) };
}

/** Whether a payload without this setting would ask for something else. */
const isNeeded = ({ kind, role }: Field) =>
  kind === "media" || (role !== undefined && role !== "seed" && role !== "negative-prompt");

/** Why a value has no place in another model: it has no such field, or the value is out of its range. */
function whyDropped(field: Field, value: unknown, to: FormSchema): string {
  const words = valueLabel(field, value);
  const target =
    to.fields.find(({ key }) => key === field.key) ??
    to.fields.find(({ role }) => role !== undefined && role === field.role);
  if (!target) return `No ${lowerFirst(field.label)}`;
  const bounds = getBounds(target);
  const number = asLooseNumber(value);
  if (bounds && number !== undefined) {
    if (number > bounds.max) return `${valueLabel(target, bounds.max)} at most`;
    if (number < bounds.min) return `${valueLabel(target, bounds.min)} at least`;
  }
  if (target.kind === "choice" && target.options.length === 1) {
    return `${valueLabel(target, target.options[0]?.value)} only`;
  }
  return `No ${words}`;
}

function getBounds(field: Field): { min: number; max: number } | undefined {
  if (field.kind === "number") {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
    return { min, max };
  }
  if (field.kind !== "choice") return undefined;
  const numbers = field.options.map(({ value }) => asLooseNumber(value));
  if (numbers.length === 0 || numbers.some((number) => number === undefined)) return undefined;
  return { min: Math.min(...(numbers as number[])), max: Math.max(...(numbers as number[])) };
}
