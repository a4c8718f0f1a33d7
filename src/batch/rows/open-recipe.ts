import { RefusedError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { indexSchema } from "#schema-form/read/references.ts";
import { guessRole, humaniseName, mediaOfKey } from "#schema-form/read/roles.ts";
import type { ModelSchema, ModelSchemas } from "#schema-form/use-model-schemas.ts";
import {
  type BatchAxes,
  type BatchGroup,
  type BatchRules,
  DEFAULT_RULES,
  MAX_ITEMS,
  type ParameterAxis,
} from "#storage/stored-batches.ts";
import { carryAxes, getParameterLabel, MODEL_NOT_AVAILABLE } from "./carry-axes.ts";
import { expandAxes } from "./expand-axes.ts";
import { newGroup, type PlannedRun } from "./group-runs.ts";
import { type Template, type TemplateStep, templateModels } from "./read-recipe.ts";

interface KnownModels {
  /** The ids of the catalog; undefined until it is read. */
  modelIds: ReadonlySet<string> | undefined;
  /** The schemas of the template's models and of their replacements, where the catalog lists them. */
  schemas: ModelSchemas;
}

interface OpenedTemplate {
  name: string;
  /** Each with its runs, to be put into a batch with `withGroup`. */
  groups: { group: BatchGroup; runs: PlannedRun[] }[];
  rules: BatchRules;
  steps: readonly TemplateStep[];
  /** Models that the catalog does not list and that were not replaced. Their rows stay, with that as their problem. */
  missingModels: string[];
  /** What is different from the template, in sentences. */
  notes: string[];
  /** Some schemas are still loading, so rows may be missing. */
  isLoading?: true;
}

type Replacements = Readonly<Record<string, string>>;

/**
 * Turns a template into groups and runs, with new ids each time. `replaceModel`: other models by the id of one that is gone. What
 * the other model has a field for is carried; the rest is in `notes`.
 */
export function openTemplate(
  template: Template,
  { modelIds, schemas }: KnownModels,
  replaceModel: Replacements = {},
): OpenedTemplate {
  const notes = new Set<string>();
  if (template.leftOut) notes.add(leftOutWords(template.leftOut));
  const opening: Opening = { replaceModel, schemas: withMissing(template, schemas, modelIds), notes, isLoading: false };
  let count = 0;
  const groups = template.groups.map(({ name, axes, runs: listed }) => {
    const nextAxes = axes && replacedAxes(axes, opening);
    const planned = listed === undefined ? expanded(nextAxes, opening) : listed.map((run) => replacedRun(run, opening));
    const runs = planned.slice(0, Math.max(0, MAX_ITEMS - count));
    if (runs.length < planned.length) {
      const left = counted(planned.length - runs.length, "run is", "runs are");
      notes.add(
        `${visibleLine(name, 80)}: ${left} excluded because a batch can have up to ${formatNumber(MAX_ITEMS)}.`,
      );
    }
    count += runs.length;
    return { group: newGroup(name, "recipe", nextAxes), runs };
  });
  const steps = (template.steps ?? []).map((step) => {
    const { request } = replacedRun({ model: step.model, payload: step.settings }, opening);
    return { ...step, model: request.model, settings: request.payload };
  });
  const used = templateModels(template).map((model) => replacement(replaceModel, model) ?? model);
  const missingModels = modelIds ? [...new Set(used)].filter((model) => !modelIds.has(model)) : [];
  for (const model of missingModels) {
    notes.add(`${MODEL_NOT_AVAILABLE}: ${visibleLine(model, 80)}. Choose another one for its runs.`);
  }
  return {
    name: template.name,
    groups,
    rules: template.rules ?? DEFAULT_RULES,
    steps,
    missingModels,
    notes: [...notes],
    ...(opening.isLoading ? { isLoading: true } : {}),
  };
}

/** What the steps of opening a template share. They add to `notes` and set `isLoading`. */
interface Opening {
  replaceModel: Replacements;
  schemas: ModelSchemas;
  notes: Set<string>;
  isLoading: boolean;
}

const leftOutWords = (count: number) =>
  count === 1
    ? "1 value was private or would expire, so it isn’t part of the template. Choose its file again."
    : `${formatNumber(count)} values were private or would expire, so they aren’t part of the template. Choose their files again.`;

const replacement = (replaceModel: Replacements, model: string): string | undefined =>
  Object.hasOwn(replaceModel, model) ? replaceModel[model] : undefined;

/** The schemas, with models that are gone as failed, so that nothing waits for them. */
function withMissing(
  template: Template,
  schemas: ModelSchemas,
  modelIds: ReadonlySet<string> | undefined,
): ModelSchemas {
  if (!modelIds) return schemas;
  const gone = templateModels(template).filter((model) => !modelIds.has(model) && !schemas.has(model));
  const error = new RefusedError({ status: 404, message: "The service doesn’t list this model." });
  const failed: ModelSchema = { state: "failed", error, retry: () => {} };
  return gone.length === 0 ? schemas : new Map([...schemas, ...gone.map((model) => [model, failed] as const)]);
}

function expanded(axes: BatchAxes | undefined, opening: Opening): PlannedRun[] {
  if (!axes) return [];
  const { runs, problem, notes = [], isLoading } = expandAxes(axes, opening.schemas);
  if (problem !== undefined) opening.notes.add(problem);
  for (const note of notes) opening.notes.add(note);
  if (isLoading) opening.isLoading = true;
  return runs;
}

/** The schema of a model; of one that is gone, a guess from a payload. */
function getSchemaOrGuess(model: string, payload: JsonRecord, { schemas }: Opening): FormSchema {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema : guessSchema(payload);
}

/** The schema of a replacement; undefined where it is unknown, so that nothing can be carried. */
function getNextSchema(model: string, opening: Opening): FormSchema | undefined {
  const known = opening.schemas.get(model);
  if ((known?.state ?? "loading") === "loading") opening.isLoading = true;
  return known?.state === "ready" ? known.schema : undefined;
}

function noteLost(model: string, labels: readonly string[], { notes }: Opening): void {
  if (labels.length > 0) notes.add(`Not available in ${visibleLine(model, 80)}: ${[...new Set(labels)].join(", ")}.`);
}

/** A run with its replacement model, or as it is where its model is not replaced. */
function replacedRun(request: JobRequest, opening: Opening): PlannedRun {
  const next = replacement(opening.replaceModel, request.model);
  if (next === undefined || next === request.model) return { request };
  const to = getNextSchema(next, opening);
  if (!to) return { request: { model: next, payload: request.payload } };
  const from = getSchemaOrGuess(request.model, request.payload, opening);
  const { settings, unavailable, dropped } = carryAxes(from, to, [], request.payload);
  noteLost(next, [...unavailable, ...dropped], opening);
  return {
    request: { model: next, payload: settings },
    ...(unavailable.length > 0 ? { unavailable } : {}),
  };
}

/** The axes with replaced models. Keys and values are those of the first model, so they are carried if it is replaced. */
function replacedAxes(axes: BatchAxes, opening: Opening): BatchAxes {
  const nextOf = (model: string) => replacement(opening.replaceModel, model) ?? model;
  const [first] = axes.models;
  const models = [...new Set(axes.models.map(nextOf))];
  const settings = new Map<string, JsonRecord>();
  for (const [model, payload] of Object.entries(axes.settings)) {
    if (!settings.has(nextOf(model)))
      settings.set(nextOf(model), replacedRun({ model, payload }, opening).request.payload);
  }
  const parameters =
    first === undefined || nextOf(first) === first
      ? axes.parameters
      : replacedParameters(axes, { first, next: nextOf(first) }, opening);
  return { ...axes, models, settings: Object.fromEntries(settings), parameters };
}

/** The parameters of axes, carried from the schema of `first` to that of `next`. */
function replacedParameters(
  axes: BatchAxes,
  { first, next }: { first: string; next: string },
  opening: Opening,
): readonly ParameterAxis[] {
  const to = getNextSchema(next, opening);
  if (!to) return axes.parameters;
  const samples = Object.fromEntries(axes.parameters.map(({ key, values }) => [key, values[0]]));
  const from = getSchemaOrGuess(first, { ...axes.settings[first], ...samples }, opening);
  const { choices } = carryAxes(from, to, axes.parameters, {});
  return axes.parameters.flatMap((axis, at): ParameterAxis[] => {
    const made = choices[at] ?? [];
    const [key] = made.flatMap(({ payload }) => Object.keys(payload));
    noteLost(
      next,
      made.flatMap(({ unavailable }) => unavailable ?? []),
      opening,
    );
    if (key === undefined) {
      if (axis.values.length === 0) noteLost(next, [getParameterLabel(from, axis.key)], opening);
      return [];
    }
    // A value that the model does not take stays, and the check of its rows reports it.
    const values = axis.values.map((value, index) => {
      const { payload = {} } = made[index] ?? {};
      return Object.hasOwn(payload, key) ? payload[key] : value;
    });
    return [{ key, values, ...(axis.text === undefined ? {} : { text: axis.text }) }];
  });
}

/**
 * Guesses the schema of a model that is gone, from the keys and values of a payload. It is good enough to carry values, but not to
 * check them.
 */
function guessSchema(payload: JsonRecord): FormSchema {
  const fields = Object.entries(payload).map(([key, value]) => guessField(key, value));
  const schema = { type: "object" };
  return { reading: "none", fields, notes: [], schema, index: indexSchema(schema) };
}

function guessField(key: string, value: unknown): Field {
  const base = {
    key,
    label: humaniseName(key),
    help: undefined,
    required: false,
    nullable: false,
    defaultValue: undefined,
    examples: [],
    advanced: false,
    unit: undefined,
  };
  const media = mediaAddresses(value).some((address) => /^https?:\/\//i.test(address))
    ? mediaOfKey(key, true)
    : undefined;
  if (media) {
    const shape = Array.isArray(value) ? "many" : "one";
    const role = /mask/i.test(key) ? "mask" : media;
    return { ...base, kind: "media", media, shape, role, minItems: undefined, maxItems: undefined };
  }
  if (typeof value === "boolean") return { ...base, kind: "boolean", role: undefined };
  if (typeof value === "number") {
    const range = { integer: false, min: undefined, max: undefined, openMin: false, openMax: false, step: undefined };
    return { ...base, ...range, kind: "number", asString: false, role: guessRole(key, "number", []) };
  }
  if (typeof value !== "string") return { ...base, kind: "json", reason: "", role: undefined };
  const role = guessRole(key, "text", []);
  if (role !== "prompt" && role !== "negative-prompt") {
    return { ...base, kind: "choice", options: [], role: guessRole(key, "choice", [value, value]) ?? role };
  }
  const lengths = { minLength: undefined, maxLength: undefined, pattern: undefined };
  return { ...base, ...lengths, kind: "text", multiline: true, format: "plain", suggestions: [], role };
}
