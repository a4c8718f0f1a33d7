import { findField, getParameterLabel } from "#batch/rows/carry-axes.ts";
import { cellText } from "#batch/rows/cell-value.ts";
import { sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchItem } from "#storage/stored-batches.ts";

/** One value of an axis, as a heading says it. */
export interface AxisValue {
  /** Unique in its axis; the text of the value. */
  id: string;
  title: string;
  /** What it has in common with the other values, quietly; often empty. */
  detail: string;
}

/** Something that differs between the runs of a batch. */
export interface SheetAxis {
  /** `model`, or a parameter: by its role where a model has one field of that role, so that models meet; else by its key. */
  id: string;
  label: string;
  /** The values, in the order in which the rows have them. */
  values: readonly AxisValue[];
  /** The id of its value, by the id of an item. Every item has one. */
  valueIds: ReadonlyMap<string, string>;
}

type Item = Pick<BatchItem, "id" | "request">;

export const MODEL_AXIS = "model";
export const PROMPT_AXIS = "prompt";
export const SEED_AXIS = "seed";
/** Stands in an address for "no axis here", though the batch has one. */
export const NO_AXIS = "none";
const RESERVED = new Set([MODEL_AXIS, NO_AXIS]);
const LONGEST_TITLE = 80;

/** The schema of a model; undefined while it is not known. */
export function getModelSchema(schemas: ModelSchemas, model: string): FormSchema | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema : undefined;
}

/** The axis of each key of a model. */
function namesOf(schema: FormSchema | undefined): (key: string) => string {
  const roles = new Map<string, string>();
  const twice = new Set<string>();
  for (const { role, key } of schema?.fields ?? []) {
    if (role === undefined) continue;
    if (roles.has(role)) twice.add(role);
    roles.set(role, key);
  }
  for (const role of twice) roles.delete(role);
  const byKey = new Map([...roles].map(([role, key]) => [key, role]));
  return (key) => byKey.get(key) ?? (roles.has(key) || RESERVED.has(key) ? `payload.${key}` : key);
}

interface Growing {
  label: string;
  titles: Map<string, string>;
  valueIds: Map<string, string>;
}

/** Everything that differs between some runs: the model, then the prompt, then other parameters, the seed last. */
export function findSheetAxes(items: readonly Item[], schemas: ModelSchemas): SheetAxis[] {
  const growing = new Map<string, Growing>();
  const add = (axis: string, label: () => string, itemId: string, id: string, title: () => string) => {
    let one = growing.get(axis);
    if (!one) {
      one = { label: label(), titles: new Map(), valueIds: new Map() };
      growing.set(axis, one);
    }
    if (!one.titles.has(id)) one.titles.set(id, title());
    one.valueIds.set(itemId, id);
  };
  const names = new Map<string, (key: string) => string>();
  for (const { id, request } of items) {
    const { model, payload } = request;
    const schema = getModelSchema(schemas, model);
    const nameOf = names.get(model) ?? namesOf(schema);
    names.set(model, nameOf);
    add(
      MODEL_AXIS,
      () => "Model",
      id,
      model,
      () => visibleLine(model, LONGEST_TITLE),
    );
    for (const [key, value] of Object.entries(payload)) {
      if (value === undefined) continue;
      const field = findField(schema, key);
      add(
        nameOf(key),
        () => getParameterLabel(schema, key),
        id,
        cellText(value),
        () => valueTitle(value, field),
      );
    }
  }
  const axes = [...growing].flatMap(([id, { label, titles, valueIds }]): SheetAxis[] => {
    for (const { id: itemId } of items) {
      if (valueIds.has(itemId)) continue;
      valueIds.set(itemId, "");
      if (!titles.has("")) titles.set("", "Not set");
    }
    return titles.size < 2 ? [] : [{ id, label, values: headings(id, titles), valueIds }];
  });
  return axes.sort((a, b) => placeOf(a) - placeOf(b));
}

const placeOf = ({ id }: SheetAxis) => (id === MODEL_AXIS ? 0 : id === PROMPT_AXIS ? 1 : id === SEED_AXIS ? 3 : 2);

/** A value in the words of a heading. */
function valueTitle(value: unknown, field: Field | undefined): string {
  if (field?.kind === "media") {
    const names = mediaAddresses(value).map((address) => decoded(address.split(/[?#]/)[0]?.split("/").at(-1) ?? ""));
    if (names.length > 0) return visibleLine(names.join(", "), LONGEST_TITLE);
  }
  const option = field?.kind === "choice" ? field.options.find((one) => sameJson(one.value, value)) : undefined;
  const text = option?.label ?? cellText(value);
  return text.trim() === "" ? "Empty" : text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headings(axis: string, titles: ReadonlyMap<string, string>): AxisValue[] {
  const ids = [...titles.keys()];
  const texts = [...titles.values()];
  // A prompt is long, and most of it is often the same in all.
  const parts = axis === MODEL_AXIS ? texts.map((title) => ({ title, detail: "" })) : splitTexts(texts);
  return ids.map((id, at) => ({
    id,
    title: visibleLine(parts[at]?.title ?? "", LONGEST_TITLE),
    detail: visibleLine(parts[at]?.detail ?? "", LONGEST_TITLE),
  }));
}

/** The title of the value that an item has on an axis. */
export function titleOn(axis: SheetAxis, itemId: string): string {
  const id = axis.valueIds.get(itemId);
  return axis.values.find((value) => value.id === id)?.title ?? "";
}

/** How a result differs on some axes, in a line: without what it was not given. */
export function tellingWords(axes: readonly SheetAxis[], itemId: string): string {
  const given = axes.filter((axis) => axis.valueIds.get(itemId) !== "");
  return given.map((axis) => titleOn(axis, itemId)).join(" · ");
}

interface SplitText {
  /** What is its own. Never empty where the text is not. */
  title: string;
  /** What all have in common, before and after it. */
  detail: string;
}

/** Shorter texts can be compared at a glance. */
const SPLIT_FROM = 16;

/** Signs at the edge of a piece that belong to the sentence and not to the piece. */
const trimmed = (text: string) => text.replace(/^[\s,;:.–—-]+|[\s,;:–—-]+$/gu, "");

/**
 * Texts, each as what is its own and what all have in common at the beginning and at the end, by whole words: of "Lighthouse
 * at dusk" and "Harbour at dusk" the first are "Lighthouse" and "Harbour". Texts without anything in common are only titles.
 */
export function splitTexts(texts: readonly string[]): SplitText[] {
  const words = texts.map((text) => text.trim().split(/\s+/u));
  const shortest = Math.min(...words.map(({ length }) => length));
  const whole = texts.map((title) => ({ title, detail: "" }));
  if (texts.length < 2 || texts.every(({ length }) => length < SPLIT_FROM)) return whole;
  const [first = []] = words;
  const agrees = (at: number, from: "start" | "end") =>
    words.every((own) => own.at(from === "start" ? at : -1 - at) === first.at(from === "start" ? at : -1 - at));
  let before = 0;
  // Each keeps a word of its own.
  while (before < shortest - 1 && agrees(before, "start")) before += 1;
  let after = 0;
  while (after < shortest - 1 - before && agrees(after, "end")) after += 1;
  if (before + after === 0) return whole;
  return words.map((own) => {
    const title = own.slice(before, own.length - after).join(" ");
    const head = own.slice(0, before).join(" ");
    const tail = trimmed(own.slice(own.length - after).join(" "));
    const detail = [head, tail].filter(Boolean).join(" … ");
    return { title: trimmed(title) || title, detail: after === 0 ? head : before === 0 ? tail : detail };
  });
}
