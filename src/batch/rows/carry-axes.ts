// Carries parameter values from one model to another: the same thing may have another key, or other words for its values.

import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { type Field, type FormSchema, fieldPositions } from "#schema-form/read/field.ts";
import { humaniseName } from "#schema-form/read/roles.ts";
import { cellText } from "./cell-value.ts";

/** Begins what is said of a model that the service does not list. */
export const MODEL_NOT_AVAILABLE = "Model not available";

/** Values of a parameter, as one model takes them. */
export interface Values {
  key: string;
  values: readonly unknown[];
}

/** One value of an axis in a model: its entries of the payload, or the label of what the model lacks. */
export interface Choice {
  payload: JsonRecord;
  unavailable?: string;
}

interface CarriedAxes {
  settings: JsonRecord;
  /** One list for each axis, with one choice for each of its values. */
  choices: Choice[][];
  /** Labels of inputs and prompts that the model has no field for: without them the result would be another. */
  unavailable: string[];
  /** Labels of other settings that the model has no field for. */
  dropped: string[];
}

/** The field of a key; undefined where the schema is unknown or has none. */
export function findField(schema: FormSchema | undefined, key: string): Field | undefined {
  const position = schema && fieldPositions(schema).get(key);
  return position === undefined ? undefined : schema?.fields[position];
}

/** A schema without the fields of some keys, which axes or results fill instead of the form. */
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

/** The name of a parameter for the screen. */
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

/** The values of axes as they are: for the first model, or where a schema is unknown. */
export function asIs(axes: readonly Values[]): Choice[][] {
  return axes.map(({ key, values }) => values.map((value) => ({ payload: single(key, value) })));
}

/**
 * Carries axes and settings from one model to another. Two parameters never end up in the same field.
 */
export function carryAxes(
  from: FormSchema,
  to: FormSchema,
  axes: readonly Values[],
  settings: JsonRecord,
): CarriedAxes {
  const targets = findTargets(from, to, axes, settings);
  const known = getCarried(from, to);
  const carry = (key: string, value: unknown): JsonRecord | undefined => {
    const target = targets.get(key);
    if (!target) return undefined;
    const question = JSON.stringify([key, target.fields[0]?.key, value]);
    const carriedBefore = known.get(question);
    if (carriedBefore) return carriedBefore.payload;
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
const cache = new WeakMap<FormSchema, WeakMap<FormSchema, Known>>();
/** Values remembered for two forms; beyond that they are forgotten. More than any batch has. */
const MAX_KNOWN = 20_000;

/** What was carried from one form to another before: while a person types, only one of two thousand values is new. */
function getCarried(from: FormSchema, to: FormSchema): Known {
  const others = cache.get(from) ?? new WeakMap<FormSchema, Known>();
  cache.set(from, others);
  const earlier = others.get(to);
  const known: Known = earlier && earlier.size < MAX_KNOWN ? earlier : new Map();
  others.set(to, known);
  return known;
}

const isEmpty = (value: unknown) =>
  value === "" ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && !hasKeys(value));
const hasKeys = (value: JsonRecord) => Object.keys(value).length > 0;

/** Several payloads as one; a later one wins. A key such as `__proto__` is an ordinary key. */
export function merged(payloads: readonly JsonRecord[]): JsonRecord {
  return Object.fromEntries(payloads.flatMap((payload) => Object.entries(payload)));
}

/** For each parameter the form to carry it into: that of the other model, with only the field that takes the parameter. */
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
  // In the order of the form, as in `carryValues`, so that the first image goes into the first field for images.
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
