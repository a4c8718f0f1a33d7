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
  /** To distinguish rows that follow from their axes from those that were changed. */
  schemas: ModelSchemas;
  /** The steps. With them, the groups of later steps are left out: their inputs are results. */
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

/** A recipe that the person saved. Its name counts, whatever the recipe itself says. */
interface StoredRecipe extends Named {
  savedAtMs: number;
  recipe: Recipe;
}

/** The recipes of an account, newest first, stored as a file has them: an export of the rows holds files that can be opened. */
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

/** The most characters that a link may carry, so that mail and chat programs do not cut it. */
const LONGEST = 6000;

/** A recipe as the `recipe` of a link. Undefined where it would be too long for a link. Never rejects. */
export async function packRecipe(recipe: Recipe): Promise<string | undefined> {
  const value = recipeJson(recipe);
  const length = new TextEncoder().encode(JSON.stringify(value)).length;
  return length > MAX_UNPACKED ? undefined : packJson(value, LONGEST);
}

/** The recipe of a link, or a sentence about what is wrong with it. Never rejects. */
export async function unpackRecipe(words: string): Promise<ReadRecipe> {
  const value = await unpackJson(words, LONGEST);
  if (value === undefined) {
    return {
      problem: "The recipe of this link could not be read. The link may have been cut, or is of another version.",
    };
  }
  return readRecipe(value);
}

/**
 * The address of a recipe; `href` is the address of the page of batches (`/batch`) without a query. A sentence where it would
 * be too long. Never rejects.
 */
export async function recipeLink(
  recipe: Recipe,
  href: string,
): Promise<{ link: string; problem?: undefined } | { link?: undefined; problem: string }> {
  const words = await packRecipe(recipe);
  if (words === undefined) return { problem: "This recipe is too long for a link. Save it as a file instead." };
  return { link: `${href}?recipe=${words}` };
}
