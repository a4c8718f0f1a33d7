import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { type Field, type FormSchema, fieldPositions } from "#schema-form/read/field.ts";
import { humaniseName } from "#schema-form/read/roles.ts";
import { cellText } from "./cell-value.ts";

/** Values of a parameter, in the words of one model. */
export interface Values {
  key: string;
  values: readonly unknown[];
}

/** What one value of an axis is in a model: entries of its payload, or the label of what it has not. */
export interface Choice {
  payload: JsonRecord;
  unavailable?: string;
}

interface CarriedAxes {
  settings: JsonRecord;
  /** For each axis, each of its values. */
  choices: Choice[][];
  /** Labels of settings that have no place and change what is made: an input, the prompt. */
  unavailable: string[];
  /** Labels of other settings that have no place. */
  dropped: string[];
}

/** The field of a key; undefined where the schema is unknown or has none. */
export function findField(schema: FormSchema | undefined, key: string): Field | undefined {
  const position = schema && fieldPositions(schema).get(key);
  return position === undefined ? undefined : schema?.fields[position];
}

/** What a form asks for where the runs bring the rest: the parameters that axes vary, or that results fill. */
export function withoutFields(schema: FormSchema, keys: ReadonlySet<string>): FormSchema {
  if (keys.size === 0) return schema;
  const { required } = schema.schema;
  return {
    ...schema,
    fields: schema.fields.filter(({ key }) => !keys.has(key)),
    schema: Array.isArray(required)
      ? { ...schema.schema, required: required.filter((key) => !keys.has(String(key))) }
      : schema.schema,
  };
}

/** How a parameter is called. */
export function getParameterLabel(schema: FormSchema | undefined, key: string): string {
  return visibleLine(findField(schema, key)?.label ?? humaniseName(key), 60);
}

/** A parameter and its value in words, such as "Size 1536x1024"; of files the parameter alone. */
export function labelled(schema: FormSchema | undefined, key: string, value: unknown): string {
  const label = getParameterLabel(schema, key);
  if (findField(schema, key)?.kind === "media") return label;
  return `${label} ${visibleLine(cellText(value), 40)}`.trim();
}

const single = (key: string, value: unknown): JsonRecord => Object.fromEntries([[key, value]]);

/** The entries of axes and settings as they are: in the first model, or where a schema is unknown. */
export function asIs(axes: readonly Values[]): Choice[][] {
  return axes.map(({ key, values }) => values.map((value) => ({ payload: single(key, value) })));
}

/**
 * Axes and settings of one model in the words of another. Each value is carried once, and two parameters never come to one
 * field.
 */
export function carryAxes(
  from: FormSchema,
  to: FormSchema,
  axes: readonly Values[],
  settings: JsonRecord,
): CarriedAxes {
  const targets = findTargets(from, to, axes, settings);
  const known = knownOf(from, to);
  const carry = (key: string, value: unknown): JsonRecord | undefined => {
    const target = targets.get(key);
    if (!target) return undefined;
    const question = JSON.stringify([key, target.fields[0]?.key, value]);
    const before = known.get(question);
    if (before) return before.payload;
    const { payload } = carryValues(from, single(key, value), target);
    const carried = Object.keys(payload).length > 0 ? payload : undefined;
    known.set(question, { payload: carried });
    return carried;
  };
  const choices = axes.map(({ key, values }) =>
    values.map((value): Choice => {
      const payload = carry(key, value);
      return payload ? { payload } : { payload: {}, unavailable: labelled(from, key, value) };
    }),
  );
  const carried: JsonRecord[] = [];
  const unavailable: string[] = [];
  const dropped: string[] = [];
  for (const [key, value] of Object.entries(settings)) {
    const payload = carry(key, value);
    const field = findField(from, key);
    if (payload) carried.push(payload);
    else if (isEmpty(value) || sameJson(value, field?.defaultValue)) continue;
    else if (field?.kind === "media" || field?.role === "prompt") unavailable.push(getParameterLabel(from, key));
    else dropped.push(getParameterLabel(from, key));
  }
  return { settings: merged(carried), choices, unavailable, dropped };
}

type Known = Map<string, { payload: JsonRecord | undefined }>;
const carriedBefore = new WeakMap<FormSchema, WeakMap<FormSchema, Known>>();
/** More than any batch has; then it begins anew. */
const MAX_KNOWN = 20_000;

/** What was carried before from one form to another: while a person types, of two thousand values one is new. */
function knownOf(from: FormSchema, to: FormSchema): Known {
  const others = carriedBefore.get(from) ?? new WeakMap<FormSchema, Known>();
  carriedBefore.set(from, others);
  const before = others.get(to);
  const known: Known = before && before.size < MAX_KNOWN ? before : new Map();
  others.set(to, known);
  return known;
}

const isEmpty = (value: unknown) =>
  value === "" || value === null || (Array.isArray(value) && value.length === 0) || (isRecord(value) && !keyIn(value));
const keyIn = (value: JsonRecord) => Object.keys(value).length > 0;

/** Several payloads as one, the later winning. A key such as `__proto__` stays a key. */
export function merged(payloads: readonly JsonRecord[]): JsonRecord {
  return Object.fromEntries(payloads.flatMap((payload) => Object.entries(payload)));
}

/** The form that each parameter is carried into: the other model's, with the one field that it comes to. */
function findTargets(
  from: FormSchema,
  to: FormSchema,
  axes: readonly Values[],
  settings: JsonRecord,
): Map<string, FormSchema> {
  const samples = new Map<string, readonly unknown[]>();
  for (const [key, value] of Object.entries(settings)) samples.set(key, [value]);
  for (const { key, values } of axes) samples.set(key, values);
  const targets = new Map<string, FormSchema>();
  let free = to;
  // In the order of the form, as `carryValues` does: the first image goes into the first field for one.
  for (const { key } of from.fields) {
    for (const value of samples.get(key) ?? []) {
      const [taken] = Object.keys(carryValues(from, single(key, value), free).payload);
      const field = taken === undefined ? undefined : findField(to, taken);
      if (!field) continue;
      targets.set(key, { ...to, fields: [field] });
      free = { ...to, fields: free.fields.filter((other) => other !== field) };
      break;
    }
  }
  return targets;
}
