import { formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { jobPrompt } from "#runs/job-inputs.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchema, ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { type BatchAxes, MAX_ITEMS, type ParameterAxis } from "#storage/stored-batches.ts";
import { asIs, type Choice, carryAxes, findField, getParameterLabel, merged, type Values } from "./carry-axes.ts";
import type { PlannedRun, PlannedRuns } from "./group-runs.ts";
import { expandText } from "./text-template.ts";

export interface ExpandedAxes extends PlannedRuns {
  /** Settings that a model has no field for, in sentences. */
  notes?: string[];
  /** The parameters of some model are still loading, so its runs are missing. The table should stay as it is until then. */
  isLoading?: true;
}

/** What one model runs with: its settings, and for each axis the choices that its values are in this model. */
interface ModelPlan {
  model: string;
  settings: JsonRecord;
  axes: readonly Values[];
  choices: readonly Choice[][];
  unavailable: readonly string[];
}

const PROMPT = "prompt";

/**
 * Makes the runs of some axes: models outermost, then the prompt, then the other axes in their order. Values are those of the
 * first model and carried into the others. What a model has no field or option for is in `unavailable` of its runs. Settings with
 * `{a|b}` or `{1..4}` are axes too. An axis without values does not count.
 */
export function expandAxes(axes: BatchAxes, schemas: ModelSchemas): ExpandedAxes {
  const [firstModel] = axes.models;
  if (firstModel === undefined) return { runs: [] };
  const given = readAxisValues(axes.parameters);
  if (given.problem !== undefined) return { runs: [], problem: given.problem };
  const states = axes.models.map((model) => schemas.get(model)?.state ?? "loading");
  const first = readySchema(schemas.get(firstModel));
  const plans: ModelPlan[] = [];
  const notes: string[] = [];
  const templates = settingsAxes(first, axes.settings[firstModel] ?? {}, given.axes);
  if (templates.problem !== undefined) return { runs: [], problem: templates.problem };
  for (const [at, model] of axes.models.entries()) {
    // Values can be carried only once both schemas are known.
    if (at > 0 && (states[0] === "loading" || states[at] === "loading")) continue;
    const schema = readySchema(schemas.get(model));
    const plan = planModel(model, axes, schema, { first, given: given.axes, templates });
    if (plan.problem !== undefined) return { runs: [], problem: plan.problem };
    // As in a form, required keys that have a default are sent with it.
    plans.push(schema ? { ...plan, settings: withStartingValues(schema, plan.settings) } : plan);
    if (plan.dropped.length > 0) {
      notes.push(`Not available in ${visibleLine(model, 80)}: ${plan.dropped.join(", ")}.`);
    }
  }
  const hasAllPlans = plans.length === axes.models.length;
  const made = axes.way === "product" ? product(plans) : hasAllPlans ? zipped(plans, first) : { runs: [] };
  return {
    ...made,
    ...(notes.length > 0 ? { notes: [...new Set(notes)] } : {}),
    ...(states.includes("loading") ? { isLoading: true } : {}),
  };
}

const readySchema = (known: ModelSchema | undefined): FormSchema | undefined =>
  known?.state === "ready" ? known.schema : undefined;

type Read<T> = (T & { problem?: undefined }) | { problem: string };
type SettingsAxes = Read<{ axes: Values[]; rest: JsonRecord }>;

/** The values of each axis. A typed text counts before the values: each of its lines is expanded by itself. */
function readAxisValues(parameters: readonly ParameterAxis[]): Read<{ axes: Values[] }> {
  const axes: Values[] = [];
  for (const { key, values, text } of parameters) {
    if (text === undefined) {
      if (values.length > MAX_ITEMS) return { problem: tooMany(values.length) };
      axes.push({ key, values });
      continue;
    }
    const texts: string[] = [];
    for (const line of text.split(/\r\n|\n|\r/)) {
      if (line.trim() === "") continue;
      const expanded = expandText(line.trim());
      if (expanded.problem !== undefined) return { problem: expanded.problem };
      for (const one of expanded.texts) texts.push(one);
      if (texts.length > MAX_ITEMS) return { problem: tooMany(texts.length) };
    }
    axes.push({ key, values: texts });
  }
  return { axes: axes.filter(({ values }) => values.length > 0) };
}

/** Splits settings: texts that expand to several become axes (`axes`), all else stays a setting (`rest`). */
function settingsAxes(schema: FormSchema | undefined, settings: JsonRecord, given: readonly Values[]): SettingsAxes {
  const axes: Values[] = [];
  const rest: [string, unknown][] = [];
  for (const [key, value] of Object.entries(settings)) {
    if (given.some((axis) => axis.key === key)) continue;
    if (typeof value === "string" && isPlainText(schema, key)) {
      const { texts, problem } = expandText(value);
      if (problem !== undefined) return { problem: `${getParameterLabel(schema, key)}: ${problem}` };
      if (texts.length > 1) axes.push({ key, values: texts });
      else rest.push([key, texts[0] ?? value]);
    } else rest.push([key, value]);
  }
  return { axes, rest: Object.fromEntries(rest) };
}

/** Whether a parameter holds words: an address or JSON is never taken for alternatives. */
function isPlainText(schema: FormSchema | undefined, key: string): boolean {
  const field = findField(schema, key);
  return field ? field.kind === "text" : isPromptKey(key);
}

/** Whether a key is one under which services take the prompt. */
const isPromptKey = (key: string) => jobPrompt(Object.fromEntries([[key, "text"]])) !== undefined;

/** Puts the prompt first. The other axes stay in their order. */
function promptFirst(schema: FormSchema | undefined, axes: readonly Values[]): Values[] {
  const isPrompt = ({ key }: Values) => (schema ? findField(schema, key)?.role === PROMPT : isPromptKey(key));
  return [...axes.filter(isPrompt), ...axes.filter((axis) => !isPrompt(axis))];
}

/** What the plans of all models start from: the schema, the axes and the settings of the first model. */
interface PlanBase {
  first: FormSchema | undefined;
  given: readonly Values[];
  templates: { axes: Values[]; rest: JsonRecord };
}

/**
 * The plan of one model, in three cases: the first model, or an unknown schema, takes everything as it is; a model without
 * settings of its own gets all of the first model's carried; one with its own settings gets only the axes carried.
 */
function planModel(
  model: string,
  axes: BatchAxes,
  schema: FormSchema | undefined,
  { first, given, templates }: PlanBase,
): Read<ModelPlan & { dropped: string[] }> {
  const ownSettings = Object.hasOwn(axes.settings, model) ? axes.settings[model] : undefined;
  if (model === axes.models[0] || schema === undefined || first === undefined) {
    const ownTexts: SettingsAxes =
      ownSettings && model !== axes.models[0] ? settingsAxes(schema, ownSettings, given) : templates;
    if (ownTexts.problem !== undefined) return ownTexts;
    const all = promptFirst(first, [...given, ...ownTexts.axes]);
    return { model, settings: ownTexts.rest, axes: all, choices: asIs(all), unavailable: [], dropped: [] };
  }
  if (ownSettings === undefined) {
    const all = promptFirst(first, [...given, ...templates.axes]);
    const { settings, choices, unavailable, dropped } = carryAxes(first, schema, all, templates.rest);
    return { model, settings, axes: all, choices, unavailable, dropped };
  }
  // Own settings need no carrying, but the axes are in the words of the first model.
  const shared = promptFirst(first, given);
  const carried = carryAxes(first, schema, shared, {});
  const taken = new Set(carried.choices.flat().flatMap(({ payload }) => Object.keys(payload)));
  const ownTexts = settingsAxes(
    schema,
    ownSettings,
    [...taken].map((key) => ({ key, values: [] })),
  );
  if (ownTexts.problem !== undefined) return ownTexts;
  return {
    model,
    settings: ownTexts.rest,
    axes: [...shared, ...ownTexts.axes],
    choices: [...carried.choices, ...asIs(ownTexts.axes)],
    unavailable: [],
    dropped: [],
  };
}

function tooMany(count: number): string {
  const many = count > 1e12 ? "more than a trillion" : formatNumber(count);
  return `Too many runs: ${many}. A batch can have up to ${formatNumber(MAX_ITEMS)}.`;
}

function product(plans: readonly ModelPlan[]): ExpandedAxes {
  const counts = plans.map(({ choices }) => choices.reduce((count, { length }) => count * length, 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > MAX_ITEMS) return { runs: [], problem: tooMany(total) };
  // Each number below the count is a combination: its digits are the choices, the last axis changing fastest.
  const runs = plans.flatMap((plan, planIndex) =>
    Array.from({ length: counts[planIndex] ?? 0 }, (_, at) => {
      let rest = at;
      let runsPerChoice = counts[planIndex] ?? 1;
      return createRun(
        plan,
        plan.choices.map((choices) => {
          runsPerChoice /= choices.length;
          const index = Math.floor(rest / runsPerChoice);
          rest %= runsPerChoice;
          return choices[index];
        }),
      );
    }),
  );
  return { runs };
}

/** Pairs: the first value of each list makes a run, then the second. A list of one value goes with all. */
function zipped(plans: readonly ModelPlan[], first: FormSchema | undefined): ExpandedAxes {
  const lists = new Map<string, number>([["Models", plans.length]]);
  for (const { axes } of plans)
    for (const { key, values } of axes) lists.set(getParameterLabel(first, key), values.length);
  const longer = [...lists].filter(([, length]) => length !== 1);
  const count = longer[0]?.[1] ?? 1;
  if (longer.some(([, length]) => length !== count)) {
    const words = longer.map(([label, length]) => `${label} ${formatNumber(length)}`).join(", ");
    return { runs: [], problem: `Pairs need the same number of values, or a single value. These have: ${words}.` };
  }
  if (count > MAX_ITEMS) return { runs: [], problem: tooMany(count) };
  const runs = Array.from({ length: count }, (_, at) => {
    const plan = plans[plans.length === 1 ? 0 : at];
    return (
      plan &&
      createRun(
        plan,
        plan.choices.map((choices) => choices[choices.length === 1 ? 0 : at]),
      )
    );
  });
  return { runs: runs.filter((run) => run !== undefined) };
}

function createRun({ model, settings, unavailable }: ModelPlan, choices: readonly (Choice | undefined)[]): PlannedRun {
  const payload = merged([settings, ...choices.map((choice) => choice?.payload ?? {})]);
  const missing = [...unavailable, ...choices.flatMap((choice) => choice?.unavailable ?? [])];
  return { request: { model, payload }, ...(missing.length > 0 ? { unavailable: missing } : {}) };
}
