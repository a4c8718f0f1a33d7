import { cellText } from "#batch/rows/cell-value.ts";
import { sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Field } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchItem } from "#storage/stored-batches.ts";

/** A column of the table. `width` is a value of `grid-template-columns`. */
export type RunColumn =
  | { kind: "number" | "status" | "model" | "prompt" | "price" | "result"; label: string; width: string }
  | { kind: "parameter"; key: string; label: string; width: string };

/** Columns of parameters; the form of each row has the others. */
const MAX_PARAMETERS = 5;
const NUMBER: RunColumn = { kind: "number", label: "#", width: "2.625rem" };
const STATUS: RunColumn = { kind: "status", label: "Status", width: "11rem" };
const PROMPT: RunColumn = { kind: "prompt", label: "Prompt", width: "minmax(9.375rem,1fr)" };
const LAST: RunColumn[] = [
  { kind: "price", label: "Price", width: "4.5rem" },
  { kind: "result", label: "Result", width: "minmax(9.75rem,0.5fr)" },
];

/**
 * A width for the longest text of a column. 6.6 and 8.2 are the usual widths of a character in the head and in a cell, in pixels
 * at a font size of 16 pixels. Steps of 8 pixels, so that one more character rarely changes the width.
 */
function getWidth(label: string, longest: number, [min, max]: [number, number]): string {
  const needed = Math.max(label.length * 6.6, longest * 8.2) + 16;
  return `${Math.max(min, Math.min(max, Math.ceil(needed / 8) * 8)) / 16}rem`;
}

const getLength = (value: unknown) => (typeof value === "string" ? value : cellText(value)).length;

/** The field of a row's parameter; undefined while the parameters load, and for a key that the model does not list. */
export function findModelField(schemas: ModelSchemas, model: string, key: string): Field | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema.fields.find((field) => field.key === key) : undefined;
}

/** Keys under which services take the prompt. */
const PROMPT_KEYS = ["prompt", "text", "instruction", "lyrics", "input"];

/** The key of a row's prompt; undefined where it has none. */
export function getRowPromptKey(schemas: ModelSchemas, { request }: Pick<BatchItem, "request">): string | undefined {
  const known = schemas.get(request.model);
  const field = known?.state === "ready" ? known.schema.fields.find(({ role }) => role === "prompt") : undefined;
  return field?.key ?? PROMPT_KEYS.find((name) => Object.hasOwn(request.payload, name));
}

/** A parameter that some rows set. */
interface UsedParameter {
  label: string;
  /** Up to `MAX_VALUES` different values. */
  values: unknown[];
  /** How many rows set it. */
  count: number;
  /** The length of its longest value. */
  longest: number;
  /** Its index in the form of the first model that has it. */
  place: number;
}

/** Two values are enough to know that they differ. */
const MAX_VALUES = 2;

/**
 * The columns of a table: the fixed ones, and up to `MAX_PARAMETERS` parameters that rows set, in the order of their form. With
 * more parameters, those that differ between rows come before those that do not.
 */
export function runColumns(items: readonly BatchItem[], schemas: ModelSchemas): RunColumn[] {
  const found = new Map<string, UsedParameter>();
  const models = new Map<string, string | undefined>();
  for (const item of items) {
    const { model, payload } = item.request;
    if (!models.has(model)) models.set(model, getRowPromptKey(schemas, item));
    const prompt = models.get(model);
    for (const [key, value] of Object.entries(payload)) {
      if (key === prompt) continue;
      const length = getLength(value);
      const known = found.get(key);
      if (!known) {
        const { label, place } = getFormPlace(schemas, model, key);
        found.set(key, { label, place, values: [value], count: 1, longest: length });
        continue;
      }
      known.count += 1;
      known.longest = Math.max(known.longest, length);
      const isNew = known.values.length < MAX_VALUES && !known.values.some((one) => sameJson(one, value));
      if (isNew) known.values.push(value);
    }
  }
  const parameters = [...found]
    .map(([key, one]) => ({ key, ...one }))
    .sort((a, b) => b.values.length - a.values.length || b.count - a.count)
    .slice(0, MAX_PARAMETERS)
    .sort((a, b) => a.place - b.place)
    .map(({ key, label, longest }): RunColumn => {
      return { kind: "parameter", key, label, width: getWidth(label, longest, [56, 160]) };
    });
  const longestModel = Math.max(0, ...[...models.keys()].map(({ length }) => length));
  const model: RunColumn = { kind: "model", label: "Model", width: getWidth("Model", longestModel * 0.85, [88, 172]) };
  return [NUMBER, STATUS, model, PROMPT, ...parameters, ...LAST];
}

function getFormPlace(schemas: ModelSchemas, model: string, key: string): { label: string; place: number } {
  const known = schemas.get(model);
  const fields = known?.state === "ready" ? known.schema.fields : [];
  const at = fields.findIndex((field) => field.key === key);
  return { label: visibleLine(fields[at]?.label ?? key, 40), place: at < 0 ? fields.length : at };
}

/** The unique name of a column, used as a React key. */
export const columnName = (column: RunColumn) => (column.kind === "parameter" ? `p:${column.key}` : column.kind);
