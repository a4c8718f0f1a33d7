// Writes a batch as a recipe, stores recipes by name, and packs them into links.

import { namedKind } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { MAX_UNPACKED, packJson, unpackJson } from "#lib/packed-json.ts";
import type { JsonRecord } from "#lib/read.ts";
import { isPrivate, type Privacy, withoutPrivate } from "#lib/redact-secret.ts";
import { requestKey } from "#runs/request-key.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { Batch, BatchAxes, BatchItem, ParameterAxis } from "#storage/stored-batches.ts";
import { expandAxes } from "./expand-axes.ts";
import {
  type ReadRecipe,
  type Recipe,
  type RecipeGroup,
  type RecipeStep,
  readRecipe,
  recipeJson,
} from "./read-recipe.ts";

interface RecipeOptions extends Privacy {
  /** Needed to find out whether the rows of a group are exactly what its axes make. */
  schemas: ModelSchemas;
  /** The steps to write. With them, groups that are steps are left out, because their inputs are results. */
  steps?: readonly RecipeStep[];
}

/**
 * The recipe of a batch: its rows and axes, without prices, keys, and files that are private or expire.
 */
export function createRecipe(batch: Batch, options: RecipeOptions): Recipe {
  let leftOut = 0;
  const makePublic = (payload: JsonRecord): JsonRecord => {
    const cleaned = withoutPrivate(payload, options);
    leftOut += cleaned.leftOut;
    return cleaned.payload;
  };
  const groups = batch.groups.flatMap((group): RecipeGroup[] => {
    if (options.steps && group.kind === "step") return [];
    const items = batch.items.filter((item) => item.groupId === group.id);
    const { axes } = group;
    if (items.length === 0 && (axes === undefined || group.kind === "step")) return [];
    const followsFromAxes = axes !== undefined && (items.length === 0 || isExpansion(axes, items, options.schemas));
    const leftOutBefore = leftOut;
    const axesForFile = axes && publicAxes(axes, makePublic, options);
    // Where the rows are written as well, what both lack must be counted once.
    if (!followsFromAxes) leftOut = leftOutBefore;
    const runs = items.map(({ request }) => ({
      model: request.model,
      payload: followsFromAxes ? {} : makePublic(request.payload),
    }));
    return [{ name: group.name, ...(axesForFile ? { axes: axesForFile } : {}), ...(followsFromAxes ? {} : { runs }) }];
  });
  const steps = options.steps?.map((step) => ({ ...step, settings: makePublic(step.settings) }));
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
  const planned = runs.map(({ request }) => requestKey(request)).sort();
  const keys = items.map(({ request }) => requestKey(request)).sort();
  return keys.every((key, at) => key === planned[at]);
}

/** The axes without private values. `makePublic` counts what it leaves out. */
function publicAxes(axes: BatchAxes, makePublic: (payload: JsonRecord) => JsonRecord, privacy: Privacy): BatchAxes {
  const parameters = axes.parameters.map(({ key, values, text }): ParameterAxis => {
    const { list } = makePublic({ list: values });
    const isPublic = text !== undefined && !text.split("\n").some((line) => isPrivate(line, privacy));
    return { key, values: Array.isArray(list) ? list : [], ...(isPublic ? { text } : {}) };
  });
  const settings = Object.entries(axes.settings).map(([model, payload]) => [model, makePublic(payload)] as const);
  return { ...axes, parameters, settings: Object.fromEntries(settings) };
}

/** A recipe that the person saved. Its name counts before the one inside the recipe. */
interface StoredRecipe extends Named {
  savedAtMs: number;
  recipe: Recipe;
}

/** The saved recipes of an account, newest first. Each is stored as its file would be, so that exports of local data have files. */
export const storedRecipes = namedKind<StoredRecipe>(
  "recipes",
  (raw, name) => {
    const { recipe } = readRecipe(raw.recipe);
    if (!recipe || typeof raw.savedAtMs !== "number") return undefined;
    return { name, savedAtMs: raw.savedAtMs, recipe: { ...recipe, name } };
  },
  {
    order: (a, b) => b.savedAtMs - a.savedAtMs,
    write: (stored) => stored.map((one) => ({ ...one, recipe: recipeJson({ ...one.recipe, name: one.name }) })),
  },
);

/** Mail and chat programs may cut links with more characters. */
const MAX_LINK_CHARACTERS = 6000;

/** A recipe as the `recipe` parameter of a link; undefined where it would be too long. */
export async function packRecipe(recipe: Recipe): Promise<string | undefined> {
  const value = recipeJson(recipe);
  const length = new TextEncoder().encode(JSON.stringify(value)).length;
  return length > MAX_UNPACKED ? undefined : packJson(value, MAX_LINK_CHARACTERS);
}

/** Reads the recipe of a link; resolves to a problem in a sentence where that fails. */
export async function unpackRecipe(words: string): Promise<ReadRecipe> {
  const value = await unpackJson(words, MAX_LINK_CHARACTERS);
  if (value === undefined) {
    return {
      problem: "Couldn’t read the template in this link. The link may be incomplete or from another version.",
    };
  }
  return readRecipe(value);
}

/**
 * The link of a recipe; `href` is the full address of `/batch` without a query. Resolves to a problem in a sentence where it would
 * be too long.
 */
export async function recipeLink(
  recipe: Recipe,
  href: string,
): Promise<{ link: string; problem?: undefined } | { link?: undefined; problem: string }> {
  const words = await packRecipe(recipe);
  if (words === undefined) return { problem: "This template is too long for a link. Download it as a file instead." };
  return { link: `${href}?recipe=${words}` };
}
