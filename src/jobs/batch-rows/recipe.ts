import type { KeyShape } from "#lib/key-shape.ts";
import { holdsKey } from "#lib/key-shape.ts";
import { withoutPrivate } from "#lib/public-json.ts";
import type { JsonRecord } from "#lib/read.ts";
import { findSomeKey } from "#lib/secret-words.ts";
import { shownAddress } from "#lib/shown-address.ts";
import type { Batch, BatchAxes, BatchItem, ParameterAxis } from "../stored-batches.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import { expandAxes } from "./expand-axes.ts";
import { requestKey } from "./group-runs.ts";
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

/** What must not be in a recipe. `recipe-privacy.ts` finds it for the connection. */
export interface RecipePrivacy {
  keyShape: KeyShape | undefined;
  /** Addresses of files that this browser stored with the service. */
  ownAddresses: ReadonlySet<string>;
  /** Whether the service keeps the file at an address for a time only. */
  isExpiring?: (address: string) => boolean;
}

interface RecipeOptions extends RecipePrivacy {
  /** To tell rows that follow from their axes from those that were changed. */
  schemas: ModelSchemas;
  /** With them, the groups of later steps are left out: their inputs are results. */
  steps?: readonly RecipeStep[];
}

/**
 * The recipe of a batch: its rows and axes, without prices, keys, and files that are private or expire. Never throws.
 */
export function recipeOf(batch: Batch, options: RecipeOptions): Recipe {
  const isPrivate = privateTest(options);
  let leftOut = 0;
  const open = (payload: JsonRecord): JsonRecord => {
    const without = withoutPrivate(payload, isPrivate);
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
    const openAxes = axes && publicAxes(axes, open, isPrivate);
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

function privateTest({ keyShape, ownAddresses, isExpiring }: RecipePrivacy): (text: string) => boolean {
  return (text) => {
    if (/^(blob|data|file):/i.test(text) || ownAddresses.has(text)) return true;
    if (keyShape !== undefined && holdsKey(text, keyShape)) return true;
    if (!/^https?:\/\/\S+$/i.test(text)) return findSomeKey(text) !== undefined;
    // A signed address lets others in, and for a time only.
    return isExpiring?.(text) === true || shownAddress(text) !== text;
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

function publicAxes(
  axes: BatchAxes,
  open: (payload: JsonRecord) => JsonRecord,
  isPrivate: (text: string) => boolean,
): BatchAxes {
  const parameters = axes.parameters.map(({ key, values, text }): ParameterAxis => {
    const { list } = open({ list: values });
    const isOpen = text !== undefined && !text.split("\n").some(isPrivate);
    return { key, values: Array.isArray(list) ? list : [], ...(isOpen ? { text } : {}) };
  });
  const settings = Object.entries(axes.settings).map(([model, payload]) => [model, open(payload)] as const);
  return { ...axes, parameters, settings: Object.fromEntries(settings) };
}
