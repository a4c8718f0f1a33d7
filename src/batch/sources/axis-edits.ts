import { findField } from "#batch/rows/carry-axes.ts";
import { expandText } from "#batch/rows/text-template.ts";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { randomSeed } from "#schema-form/controls/seed.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import type { Field, FormSchema, NumberField } from "#schema-form/read/field.ts";
import { humaniseName } from "#schema-form/read/roles.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { type BatchAxes, MAX_ITEMS, type ParameterAxis } from "#storage/stored-batches.ts";

/** How the values of an axis are edited. `lines`: one value per line, in the text that a cell of the table has. */
export type AxisKind = "text" | "options" | "numbers" | "seeds" | "booleans" | "files" | "lines";

/** How the values of a parameter are edited; of one that the model does not list, as lines. */
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

/** How a parameter is called on the screen. */
export const axisLabel = (field: Field | undefined, key: string): string =>
  visibleLine(field?.label ?? humaniseName(key), 40) || "Parameter";

/** The parameters of the first model, where they are known. */
export function firstSchema(axes: BatchAxes, schemas: ModelSchemas): FormSchema | undefined {
  const known = schemas.get(axes.models[0] ?? "");
  return known?.state === "ready" ? known.schema : undefined;
}

/** The parameter of a role. */
export const roleField = (schema: FormSchema | undefined, role: Field["role"]): Field | undefined =>
  schema?.fields.find((field) => field.role === role);

/** The texts of lines with `{a|b}` and `{1..4}`, or why there are no texts, in a sentence. */
export function readTexts(text: string): { texts: string[]; problem?: string } {
  const texts: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === "") continue;
    const { texts: own, problem } = expandText(line.trim());
    if (problem !== undefined) return { texts: [], problem };
    if (texts.length + own.length > MAX_ITEMS) {
      return {
        texts: [],
        problem: `A batch takes at most ${MAX_ITEMS.toLocaleString("en-US")} runs. Enter fewer lines.`,
      };
    }
    for (const one of own) texts.push(one);
  }
  return { texts };
}

/** How many values an axis has: those that are written, where it is a text. */
export const axisCount = ({ values, text }: ParameterAxis): number =>
  // They follow from the text, which a recipe that was written by hand may have alone.
  text === undefined || values.length > 0 ? values.length : readTexts(text).texts.length;

/** An axis of texts, one per line. */
export const textAxis = (key: string, text: string): ParameterAxis => ({ key, values: readTexts(text).texts, text });

/** `count` random seeds, each another one. */
export function randomSeeds(field: NumberField, count: number, random: () => number = Math.random): unknown[] {
  const seeds = new Set<number>();
  // A field may allow fewer seeds than are asked for.
  for (let tries = 0; seeds.size < count && tries < count * 20; tries += 1) seeds.add(randomSeed(field, random));
  return [...seeds].map((seed) => (field.asString ? String(seed) : seed));
}

/** What an axis begins with: for a text what the settings hold, both for a switch, four seeds. */
export function newAxis(axes: BatchAxes, field: Field): ParameterAxis {
  const { key } = field;
  const setting = ownSetting(axes, key);
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

/** What the settings of the first model hold for a parameter. */
function ownSetting(axes: BatchAxes, key: string): unknown {
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

/** The axes without one of their parameters. Its only value stays as a setting. */
export function withoutAxis(axes: BatchAxes, key: string): BatchAxes {
  const gone = axes.parameters.find((axis) => axis.key === key);
  const parameters = axes.parameters.filter((axis) => axis !== gone);
  const [model] = axes.models;
  if (!gone || model === undefined || gone.values.length !== 1) return { ...axes, parameters };
  return withSettings({ ...axes, parameters }, model, { ...axes.settings[model], [key]: gone.values[0] });
}

/** The axes with the settings of one model; undefined: as the first model has them. */
export function withSettings(axes: BatchAxes, model: string, settings: JsonRecord | undefined): BatchAxes {
  const others = Object.entries(axes.settings).filter(([id]) => id !== model);
  return { ...axes, settings: Object.fromEntries(settings ? [...others, [model, settings]] : others) };
}

/**
 * The axes with other models. Where another one becomes the first, keys and values are put into its words; what it has no
 * field for is left out.
 */
export function withModels(axes: BatchAxes, models: readonly string[], schemas: ModelSchemas): BatchAxes {
  const [before] = axes.models;
  const [first] = models;
  const settings = Object.fromEntries(Object.entries(axes.settings).filter(([id]) => models.includes(id)));
  const next = { ...axes, models, settings };
  if (first === before || first === undefined || before === undefined) return next;
  const from = schemas.get(before);
  const to = schemas.get(first);
  if (from?.state !== "ready" || to?.state !== "ready") return next;
  const parameters = axes.parameters.flatMap((axis) => carryAxis(axis, from.schema, to.schema) ?? []);
  const own = Object.hasOwn(axes.settings, first) ? axes.settings[first] : undefined;
  const carried = own ?? carryValues(from.schema, axes.settings[before] ?? {}, to.schema).payload;
  return { ...next, parameters, settings: { ...settings, [first]: carried } };
}

function carryAxis(axis: ParameterAxis, from: FormSchema, to: FormSchema): ParameterAxis | undefined {
  const carried = axis.values.flatMap((value) => Object.entries(carryValues(from, { [axis.key]: value }, to).payload));
  const key = carried[0]?.[0];
  if (key === undefined) {
    // Nothing is written yet: the prompt of one model is that of the other.
    const target = roleField(to, findField(from, axis.key)?.role ?? "prompt");
    return axis.values.length === 0 && target ? { ...axis, key: target.key } : undefined;
  }
  const values = carried.filter(([other]) => other === key).map(([, value]) => value);
  return { key, values, ...(axis.text === undefined ? {} : { text: axis.text }) };
}

/** Whether a value is among those of an axis. */
export const hasValue = (values: readonly unknown[], value: unknown): boolean =>
  values.some((one) => sameJson(one, value));

/** The name of a batch or of its runs: the start of the first text, else the given word. */
export function nameOfAxes(axes: BatchAxes, schema: FormSchema | undefined, otherwise: string): string {
  const key = roleField(schema, "prompt")?.key;
  const axis = axes.parameters.find((one) => one.key === key) ?? axes.parameters.find((one) => one.text !== undefined);
  const first = axis?.text?.split("\n").find((line) => line.trim() !== "") ?? axis?.values[0];
  return nameFrom(first, otherwise);
}

/** The first words of a text as a name. */
export function nameFrom(text: unknown, otherwise: string): string {
  const line = typeof text === "string" ? visibleLine(text.trim(), 60) : "";
  return line === "" ? otherwise : line;
}

/** "3 × 3 × 2 = 18 runs". Lists of one value are left out of a product. */
export function sumWords(axes: BatchAxes, runs: number): string {
  const counts = [...axes.parameters.map(axisCount), axes.models.length].filter((count) => count > 1);
  const total = runs === 1 ? "1 run" : `${runs.toLocaleString("en-US")} runs`;
  return axes.way === "product" && counts.length > 1 ? `${counts.join(" × ")} = ${total}` : total;
}

/** Every line `times` times: equal runs beside one another. */
export const repeated = (text: string, times: number): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .flatMap((line) => Array.from({ length: times }, () => line))
    .join("\n");

/** The lines of a text in which every one stands equally often, each once, and how often. */
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
  /** Why it cannot be read, in a sentence. */
  problem?: string;
}

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:\\.\\.(${NUMBER}))?$`, "i");
const SINGLE = new RegExp(`^${NUMBER}$`, "i");

/** Numbers and ranges: `1, 2.5, 5`, `1..4`, `0..1..0.25`, parted by commas, spaces or lines. */
export function readNumberList(field: NumberField, text: string): NumberList {
  const values: unknown[] = [];
  for (const piece of text.split(/[\s,;]+/)) {
    if (piece === "") continue;
    const [, from, to, by] = RANGE.exec(piece) ?? [];
    if (from !== undefined && to !== undefined) {
      const range = readRange(Number(from), Number(to), by === undefined ? 1 : Number(by));
      if (range === undefined) return { values: [], problem: `${piece} makes too many values.` };
      for (const number of range) values.push(numberFromText(field, String(number)));
    } else if (SINGLE.test(piece)) values.push(numberFromText(field, piece));
    else
      return {
        values: [],
        problem: `“${piece.slice(0, 40)}” is not a number. Enter numbers such as 1, 2.5, 5 or 1..4.`,
      };
    if (values.length > MAX_ITEMS) return { values: [], problem: `These are more than ${MAX_ITEMS} values.` };
  }
  return { values };
}

function readRange(from: number, to: number, by: number): number[] | undefined {
  const step = Math.abs(by) || 1;
  // Binary noise must not cost the last value.
  const count = Math.floor(Math.abs(to - from) / step + 1e-9) + 1;
  if (!(count <= MAX_ITEMS)) return undefined;
  const sign = to < from ? -step : step;
  return Array.from({ length: count }, (_, at) => Number((from + at * sign).toFixed(10)));
}

/** Values as the text that `readNumberList` reads back. */
export const numberListText = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === "number" || typeof value === "string" ? String(value) : "")).join(", ");
