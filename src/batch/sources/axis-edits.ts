// Pure functions that make and change the axes of a group, and put them into words.

import { findField } from "#batch/rows/carry-axes.ts";
import { expandText } from "#batch/rows/text-template.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { randomSeed } from "#schema-form/controls/seed.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import type { Field, FormSchema, NumberField } from "#schema-form/read/field.ts";
import { humaniseName } from "#schema-form/read/roles.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { type BatchAxes, MAX_ITEMS, type ParameterAxis } from "#storage/stored-batches.ts";

/** The editors for values of an axis. `lines`: one value per line, written as in a cell of the table. */
export type AxisKind = "text" | "options" | "numbers" | "seeds" | "booleans" | "files" | "lines";

/** The editor for the values of a parameter; `lines` where the model does not list the parameter. */
export function axisKind(field: Field | undefined): AxisKind {
  switch (field?.kind) {
    case "text":
      return "text";
    case "choice":
      return "options";
    case "number":
      return field.role === "seed" ? "seeds" : "numbers";
    case "boolean":
      return "booleans";
    case "media":
      return "files";
    default:
      return "lines";
  }
}

/** The name of a parameter on the screen. */
export const axisLabel = (field: Field | undefined, key: string): string =>
  visibleLine(field?.label ?? humaniseName(key), 40) || "Parameter";

/** The schema of the first model; undefined until it is loaded. */
export function firstSchema(axes: BatchAxes, schemas: ModelSchemas): FormSchema | undefined {
  const known = schemas.get(axes.models[0] ?? "");
  return known?.state === "ready" ? known.schema : undefined;
}

/** The first parameter with a role. */
export const roleField = (schema: FormSchema | undefined, role: Field["role"]): Field | undefined =>
  schema?.fields.find((field) => field.role === role);

/** Expands lines with `{a|b}` and `{1..4}`. `problem` says in a sentence why there are no texts. */
export function readTexts(text: string): { texts: string[]; problem?: string } {
  const texts: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") continue;
    const { texts: expanded, problem } = expandText(line.trim());
    if (problem !== undefined) return { texts: [], problem };
    if (texts.length + expanded.length > MAX_ITEMS) {
      return {
        texts: [],
        problem: `A batch can have up to ${formatNumber(MAX_ITEMS)} runs. Enter fewer lines.`,
      };
    }
    for (const one of expanded) texts.push(one);
  }
  return { texts };
}

/** How many values an axis has. */
export const axisCount = ({ values, text }: ParameterAxis): number =>
  // A template that was written by hand may have the text alone.
  text === undefined || values.length > 0 ? values.length : readTexts(text).texts.length;

/** An axis of texts, one per line. */
export const textAxis = (key: string, text: string): ParameterAxis => ({ key, values: readTexts(text).texts, text });

/** `count` different random seeds, or fewer where the field does not allow as many. */
export function randomSeeds(field: NumberField, count: number, random: () => number = Math.random): unknown[] {
  const seeds = new Set<number>();
  // The tries are limited, because a field may allow fewer seeds than `count`.
  for (let tries = 0; seeds.size < count && tries < count * 20; tries += 1) seeds.add(randomSeed(field, random));
  return [...seeds].map((seed) => (field.asString ? String(seed) : seed));
}

/** A new axis with its first values: four random seeds, both states of a switch, else the value of the settings. */
export function newAxis(axes: BatchAxes, field: Field): ParameterAxis {
  const { key } = field;
  const setting = getFirstSetting(axes, key);
  switch (axisKind(field)) {
    case "text":
      // A text of several lines stays one value.
      if (typeof setting === "string" && /[\r\n]/.test(setting.trim())) return { key, values: [setting] };
      return textAxis(key, typeof setting === "string" ? setting : "");
    case "seeds":
      return { key, values: field.kind === "number" ? randomSeeds(field, 4) : [] };
    case "booleans":
      return { key, values: [true, false] };
    default:
      return { key, values: setting === undefined ? [] : [setting] };
  }
}

/** The value that the settings of the first model have for a parameter. */
function getFirstSetting(axes: BatchAxes, key: string): unknown {
  const settings = axes.settings[axes.models[0] ?? ""];
  return settings && Object.hasOwn(settings, key) ? settings[key] : undefined;
}

/** The axes with one parameter set, added at the end where it is new. */
export function withAxis(axes: BatchAxes, axis: ParameterAxis): BatchAxes {
  const isKnown = axes.parameters.some(({ key }) => key === axis.key);
  const parameters = isKnown
    ? axes.parameters.map((one) => (one.key === axis.key ? axis : one))
    : [...axes.parameters, axis];
  return { ...axes, parameters };
}

/** The axes without one parameter. If it had a single value, that becomes a setting. */
export function withoutAxis(axes: BatchAxes, key: string): BatchAxes {
  const removed = axes.parameters.find((axis) => axis.key === key);
  const parameters = axes.parameters.filter((axis) => axis !== removed);
  const [model] = axes.models;
  if (!removed || model === undefined || removed.values.length !== 1) return { ...axes, parameters };
  return withSettings({ ...axes, parameters }, model, { ...axes.settings[model], [key]: removed.values[0] });
}

/** The axes with other settings for one model; undefined: the settings of the first model are carried to it. */
export function withSettings(axes: BatchAxes, model: string, settings: JsonRecord | undefined): BatchAxes {
  const others = Object.entries(axes.settings).filter(([id]) => id !== model);
  return { ...axes, settings: Object.fromEntries(settings ? [...others, [model, settings]] : others) };
}

/**
 * The axes with other models. If another model becomes the first, keys and values are carried to it; what it has no field for is
 * dropped.
 */
export function withModels(axes: BatchAxes, models: readonly string[], schemas: ModelSchemas): BatchAxes {
  const [oldFirst] = axes.models;
  const [first] = models;
  const settings = Object.fromEntries(Object.entries(axes.settings).filter(([id]) => models.includes(id)));
  const next = { ...axes, models, settings };
  if (first === oldFirst || first === undefined || oldFirst === undefined) return next;
  const from = schemas.get(oldFirst);
  const to = schemas.get(first);
  if (from?.state !== "ready" || to?.state !== "ready") return next;
  const parameters = axes.parameters.flatMap((axis) => carryAxis(axis, from.schema, to.schema) ?? []);
  const ownSettings = Object.hasOwn(axes.settings, first) ? axes.settings[first] : undefined;
  const carried = ownSettings ?? carryValues(from.schema, axes.settings[oldFirst] ?? {}, to.schema).payload;
  return { ...next, parameters, settings: { ...settings, [first]: carried } };
}

function carryAxis(axis: ParameterAxis, from: FormSchema, to: FormSchema): ParameterAxis | undefined {
  const carried = axis.values.flatMap((value) => Object.entries(carryValues(from, { [axis.key]: value }, to).payload));
  const key = carried[0]?.[0];
  if (key === undefined) {
    // An axis without values has nothing to carry, so its parameter is found by its role.
    const target = roleField(to, findField(from, axis.key)?.role ?? "prompt");
    return axis.values.length === 0 && target ? { ...axis, key: target.key } : undefined;
  }
  const values = carried.filter(([other]) => other === key).map(([, value]) => value);
  return { key, values, ...(axis.text === undefined ? {} : { text: axis.text }) };
}

/** Whether a value is among those of an axis. */
export const hasValue = (values: readonly unknown[], value: unknown): boolean =>
  values.some((one) => sameJson(one, value));

/** A name for a batch or a group: the start of its first prompt or text, else `otherwise`. */
export function nameOfAxes(axes: BatchAxes, schema: FormSchema | undefined, otherwise: string): string {
  const key = roleField(schema, "prompt")?.key;
  const axis = axes.parameters.find((one) => one.key === key) ?? axes.parameters.find((one) => one.text !== undefined);
  const first = axis?.text?.split("\n").find((line) => line.trim() !== "") ?? axis?.values[0];
  return nameFrom(first, otherwise);
}

/** The start of a text as a name, else `otherwise`. */
export function nameFrom(text: unknown, otherwise: string): string {
  const line = typeof text === "string" ? visibleLine(text.trim(), 60) : "";
  return line === "" ? otherwise : line;
}

/** "3 × 3 × 2 = 18 runs". Axes with one value are left out of the product. */
export function sumWords(axes: BatchAxes, runs: number): string {
  const counts = [...axes.parameters.map(axisCount), axes.models.length].filter((count) => count > 1);
  const total = counted(runs, "run");
  return axes.way === "product" && counts.length > 1 ? `${counts.map(formatNumber).join(" × ")} = ${total}` : total;
}

/** Repeats each line `times` times, so that equal runs are next to each other. */
export const repeated = (text: string, times: number): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => Array.from({ length: times }, () => line))
    .join("\n");

/** The reverse of `repeated`: each line once, and how often each is repeated. 1 where the lines are not equally frequent. */
export function unrepeated(text: string): { text: string; times: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const groups: { line: string; count: number }[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    if (last?.line === line) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  const times = groups[0]?.count ?? 1;
  if (times === 1 || groups.some(({ count }) => count !== times)) return { text, times: 1 };
  return { text: groups.map(({ line }) => line).join("\n"), times };
}

interface NumberList {
  values: unknown[];
  /** Why the text cannot be read, in a sentence. */
  problem?: string;
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:\\.\\.(${NUMBER}))?$`, "i");
const SINGLE = new RegExp(`^${NUMBER}$`, "i");

/** Reads numbers and ranges: `1, 2.5, 5`, `1..4`, `0..1..0.25`, separated by commas, semicolons, spaces or line breaks. */
export function readNumberList(field: NumberField, text: string): NumberList {
  const values: unknown[] = [];
  for (const piece of text.split(/[\s,;]+/)) {
    if (piece === "") continue;
    const [, from, to, by] = RANGE.exec(piece) ?? [];
    if (from !== undefined && to !== undefined) {
      const range = readRange(Number(from), Number(to), by === undefined ? 1 : Number(by));
      if (range === undefined)
        return { values: [], problem: `${piece} makes more than ${formatNumber(MAX_ITEMS)} values.` };
      for (const number of range) values.push(numberFromText(field, String(number)));
    } else if (SINGLE.test(piece)) values.push(numberFromText(field, piece));
    else
      return {
        values: [],
        problem: `“${piece.slice(0, 40)}” isn’t a number. Enter numbers such as 1, 2.5, 5 or 1..4.`,
      };
    if (values.length > MAX_ITEMS) return { values: [], problem: `Enter up to ${formatNumber(MAX_ITEMS)} values.` };
  }
  return { values };
}

function readRange(from: number, to: number, by: number): number[] | undefined {
  const step = Math.abs(by) || 1;
  // The tolerance is for floating-point errors, which must not drop the last value.
  const count = Math.floor(Math.abs(to - from) / step + 1e-9) + 1;
  if (!(count <= MAX_ITEMS)) return undefined;
  const sign = to < from ? -step : step;
  return Array.from({ length: count }, (_, at) => Number((from + at * sign).toFixed(10)));
}

/** Values as the text that `readNumberList` reads back. */
export const numberListText = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === "number" || typeof value === "string" ? String(value) : "")).join(", ");
