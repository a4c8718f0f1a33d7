// What differs between the runs of a batch: the axes that a contact sheet can have, and their values as headings.

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
  /** The value as text; empty where a run does not set it. Unique in its axis. */
  id: string;
  title: string;
  /** The words that it shares with the other values; often empty. */
  detail: string;
}

/** Something that differs between the runs of a batch. */
export interface SheetAxis {
  /**
   * `model`, or a parameter: its role, if the model has one field of that role, so that models with other keys share the axis;
   * else its key.
   */
  id: string;
  label: string;
  /** In the order of their first rows. */
  values: readonly AxisValue[];
  /** The id of the value of each item, by the item's id. */
  valueIds: ReadonlyMap<string, string>;
}

type Item = Pick<BatchItem, "id" | "request">;

export const MODEL_AXIS = "model";
export const PROMPT_AXIS = "prompt";
export const SEED_AXIS = "seed";
/** Stands in the address for "no axis". */
export const NO_AXIS = "none";
/** Ids that no parameter may have. */
const RESERVED = new Set([MODEL_AXIS, NO_AXIS]);
const MAX_TITLE_CHARACTERS = 80;

/** The schema of a model; undefined while it is not known. */
export function getModelSchema(schemas: ModelSchemas, model: string): FormSchema | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema : undefined;
}

/** Returns the function that gives the id of the axis for each key of a model. */
function createAxisIds(schema: FormSchema | undefined): (key: string) => string {
  const roles = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { role, key } of schema?.fields ?? []) {
    if (role === undefined) continue;
    if (roles.has(role)) ambiguous.add(role);
    roles.set(role, key);
  }
  for (const role of ambiguous) roles.delete(role);
  const byKey = new Map([...roles].map(([role, key]) => [key, role]));
  return (key) => byKey.get(key) ?? (roles.has(key) || RESERVED.has(key) ? `payload.${key}` : key);
}

/** An axis while rows are added to it. */
interface AxisBuilder {
  label: string;
  titles: Map<string, string>;
  valueIds: Map<string, string>;
}

/** Everything that differs between some runs: the model, then the prompt, then other parameters, the seed last. */
export function findSheetAxes(items: readonly Item[], schemas: ModelSchemas): SheetAxis[] {
  const builders = new Map<string, AxisBuilder>();
  const add = (axis: string, label: () => string, itemId: string, id: string, title: () => string) => {
    let builder = builders.get(axis);
    if (!builder) {
      builder = { label: label(), titles: new Map(), valueIds: new Map() };
      builders.set(axis, builder);
    }
    if (!builder.titles.has(id)) builder.titles.set(id, title());
    builder.valueIds.set(itemId, id);
  };
  const axisIds = new Map<string, (key: string) => string>();
  for (const { id, request } of items) {
    const { model, payload } = request;
    const schema = getModelSchema(schemas, model);
    const getAxisId = axisIds.get(model) ?? createAxisIds(schema);
    axisIds.set(model, getAxisId);
    add(
      MODEL_AXIS,
      () => "Model",
      id,
      model,
      () => visibleLine(model, MAX_TITLE_CHARACTERS),
    );
    for (const [key, value] of Object.entries(payload)) {
      if (value === undefined) continue;
      const field = findField(schema, key);
      add(
        getAxisId(key),
        () => getParameterLabel(schema, key),
        id,
        cellText(value),
        () => valueTitle(value, field),
      );
    }
  }
  const axes = [...builders].flatMap(([id, { label, titles, valueIds }]): SheetAxis[] => {
    for (const { id: itemId } of items) {
      if (valueIds.has(itemId)) continue;
      valueIds.set(itemId, "");
      if (!titles.has("")) titles.set("", "Not set");
    }
    return titles.size < 2 ? [] : [{ id, label, values: headings(id, titles), valueIds }];
  });
  return axes.sort((a, b) => getOrder(a) - getOrder(b));
}

const getOrder = ({ id }: SheetAxis) => (id === MODEL_AXIS ? 0 : id === PROMPT_AXIS ? 1 : id === SEED_AXIS ? 3 : 2);

/** A value as a heading: a file by its name, an option by its label. */
function valueTitle(value: unknown, field: Field | undefined): string {
  if (field?.kind === "media") {
    const names = mediaAddresses(value).map((address) => decodeName(address.split(/[?#]/)[0]?.split("/").at(-1) ?? ""));
    if (names.length > 0) return visibleLine(names.join(", "), MAX_TITLE_CHARACTERS);
  }
  const option = field?.kind === "choice" ? field.options.find((one) => sameJson(one.value, value)) : undefined;
  const text = option?.label ?? cellText(value);
  return text.trim() === "" ? "Empty" : text;
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headings(axis: string, titles: ReadonlyMap<string, string>): AxisValue[] {
  const ids = [...titles.keys()];
  const texts = [...titles.values()];
  // Long texts such as prompts often share most of their words.
  const parts = axis === MODEL_AXIS ? texts.map((title) => ({ title, detail: "" })) : splitTexts(texts);
  return ids.map((id, at) => ({
    id,
    title: visibleLine(parts[at]?.title ?? "", MAX_TITLE_CHARACTERS),
    detail: visibleLine(parts[at]?.detail ?? "", MAX_TITLE_CHARACTERS),
  }));
}

/** The title of the value that an item has on an axis. */
export function titleOn(axis: SheetAxis, itemId: string): string {
  const id = axis.valueIds.get(itemId);
  return axis.values.find((value) => value.id === id)?.title ?? "";
}

/** The values of a result on some axes, in a line; without axes that its run has no value on. */
export function tellingWords(axes: readonly SheetAxis[], itemId: string): string {
  const given = axes.filter((axis) => axis.valueIds.get(itemId) !== "");
  return given.map((axis) => titleOn(axis, itemId)).join(" · ");
}

interface SplitText {
  /** The words of this text alone. Empty only if the text is. */
  title: string;
  /** The words that all texts share, before and after the title. */
  detail: string;
}

/** If all texts are shorter, they are not split: they can be compared at a glance. */
const MIN_SPLIT_CHARACTERS = 16;

/** A piece without punctuation at its edges, which belonged to the sentence. */
const trimPunctuation = (text: string) => text.replace(/^[\s,;:.–—-]+|[\s,;:–—-]+$/gu, "");

/**
 * Splits texts into the words of each and the words that all share at the beginning and at the end: "Lighthouse at dusk" and
 * "Harbour at dusk" get the titles "Lighthouse" and "Harbour". Texts that share nothing are titles as a whole.
 */
export function splitTexts(texts: readonly string[]): SplitText[] {
  const words = texts.map((text) => text.trim().split(/\s+/u));
  const shortest = Math.min(...words.map(({ length }) => length));
  const unsplit = texts.map((title) => ({ title, detail: "" }));
  if (texts.length < 2 || texts.every(({ length }) => length < MIN_SPLIT_CHARACTERS)) return unsplit;
  const [first = []] = words;
  const agrees = (at: number, from: "start" | "end") =>
    words.every(
      (textWords) => textWords.at(from === "start" ? at : -1 - at) === first.at(from === "start" ? at : -1 - at),
    );
  let sharedStart = 0;
  // Leaves at least one word to each title.
  while (sharedStart < shortest - 1 && agrees(sharedStart, "start")) sharedStart += 1;
  let sharedEnd = 0;
  while (sharedEnd < shortest - 1 - sharedStart && agrees(sharedEnd, "end")) sharedEnd += 1;
  if (sharedStart + sharedEnd === 0) return unsplit;
  return words.map((textWords) => {
    const title = textWords.slice(sharedStart, textWords.length - sharedEnd).join(" ");
    const head = textWords.slice(0, sharedStart).join(" ");
    const tail = trimPunctuation(textWords.slice(textWords.length - sharedEnd).join(" "));
    const detail = [head, tail].filter(Boolean).join(" … ");
    return {
      title: trimPunctuation(title) || title,
      detail: sharedEnd === 0 ? head : sharedStart === 0 ? tail : detail,
    };
  });
}
