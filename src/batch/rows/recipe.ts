import { isPrivate, type Privacy, withoutPrivate } from "#lib/public-json.ts";
import type { JsonRecord } from "#lib/read.ts";
import { requestKey } from "#runs/request-key.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchAxes, BatchItem, ParameterAxis } from "#storage/stored-batches.ts";
import { expandAxes } from "./expand-axes.ts";
import type { Recipe, RecipeGroup, RecipeStep } from "./read-recipe.ts";

export {
  type ReadRecipe,
  type Recipe,
  type RecipeGroup,
  type RecipeStep,
  readRecipe,
  recipeModels,
  writeRecipe,
} from "./read-recipe.ts";

interface RecipeOptions extends Privacy {
  /** To distinguish rows that follow from their axes from those that were changed. */
  schemas: ModelSchemas;
  /** With them, the groups of later steps are left out: their inputs are results. */
  steps?: readonly RecipeStep[];
}

/**
 * The recipe of a batch: its rows and axes, without prices, keys, and files that are private or expire.
 */
export function createRecipe(batch: Batch, options: RecipeOptions): Recipe {
  let leftOut = 0;
  const open = (payload: JsonRecord): JsonRecord => {
    const without = withoutPrivate(payload, options);
    leftOut += without.leftOut;
    return without.payload;
  };
  const groups = batch.groups.flatMap((group): RecipeGroup[] => {
    if (options.steps && group.kind === "step") return [];
    const items = batch.items.filter((item) => item.groupId === group.id);
    const { axes } = group;
    if (items.length === 0 && (axes === undefined || group.kind === "step")) return [];
    const isWhole = axes !== undefined && (items.length === 0 || isExpansion(axes, items, options.schemas));
    const before = leftOut;
    const openAxes = axes && publicAxes(axes, open, options);
    // Where the rows are written too, what is missing in both is counted once.
    if (!isWhole) leftOut = before;
    const runs = items.map(({ request }) => ({ model: request.model, payload: isWhole ? {} : open(request.payload) }));
    return [{ name: group.name, ...(openAxes ? { axes: openAxes } : {}), ...(isWhole ? {} : { runs }) }];
  });
  const steps = options.steps?.map((step) => ({ ...step, settings: open(step.settings) }));
  return {
    name: batch.name,
    groups,
    rules: batch.rules,
    ...(steps && steps.length > 0 ? { steps } : {}),
    ...(leftOut > 0 ? { leftOut } : {}),
  };
}

/** Whether the rows are exactly what the axes make. */
function isExpansion(axes: BatchAxes, items: readonly BatchItem[], schemas: ModelSchemas): boolean {
  const { runs, problem, isLoading } = expandAxes(axes, schemas);
  if (problem !== undefined || isLoading || runs.length !== items.length) return false;
  const left = runs.map(({ request }) => requestKey(request)).sort();
  const keys = items.map(({ request }) => requestKey(request)).sort();
  return keys.every((key, at) => key === left[at]);
}

function publicAxes(axes: BatchAxes, open: (payload: JsonRecord) => JsonRecord, privacy: Privacy): BatchAxes {
  const parameters = axes.parameters.map(({ key, values, text }): ParameterAxis => {
    const { list } = open({ list: values });
    const isOpen = text !== undefined && !text.split("\n").some((line) => isPrivate(line, privacy));
    return { key, values: Array.isArray(list) ? list : [], ...(isOpen ? { text } : {}) };
  });
  const settings = Object.entries(axes.settings).map(([model, payload]) => [model, open(payload)] as const);
  return { ...axes, parameters, settings: Object.fromEntries(settings) };
}
