import { redactOwnKey } from "#connection/find-key.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import { isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, refuseNewer } from "#storage/typed-rows.ts";
import { type Recipe, readRecipe, recipeJson } from "./read-recipe.ts";

/** A recipe that the person saved. Names are unique in an account. */
export interface StoredRecipe {
  name: string;
  savedAtMs: number;
  recipe: Recipe;
}

function readStored(raw: unknown): StoredRecipe[] {
  if (!isRecord(raw) || typeof raw.name !== "string" || typeof raw.savedAtMs !== "number") return [];
  const { recipe } = readRecipe(raw.recipe);
  return recipe ? [{ name: raw.name, savedAtMs: raw.savedAtMs, recipe: { ...recipe, name: raw.name } }] : [];
}

// One row for each account, as the file has it: an export of the rows holds files that can be opened.
const recipeRows: RowKind<readonly StoredRecipe[]> = {
  store: "settings",
  version: 1,
  read: (body) => (Array.isArray(body) ? body.flatMap(readStored) : undefined),
  write: (stored) => stored.map((one) => ({ ...one, recipe: recipeJson(one.recipe) })),
};
const recipesKey = (accountId: string) => `recipes|${accountId}`;

/** The recipes of one account, newest first; undefined where none was saved. */
export const recipesQuery = (accountId: string) => storedRowQuery(recipeRows, recipesKey(accountId));

/**
 * Stores a recipe under its name; one of the same name is replaced. Rejects with `StorageError` where nothing was written.
 */
export function saveRecipe(accountId: string, recipe: Recipe, nowMs = Date.now()): Promise<void> {
  // A name or a text may hold the key (K1).
  const stored = redactOwnKey({ name: recipe.name, savedAtMs: nowMs, recipe });
  return change(accountId, (recipes) => [stored, ...recipes.filter(({ name }) => name !== stored.name)]);
}

/**
 * Gives a recipe another name, in the place of one that had it. Rejects with `StorageError` where nothing was written.
 */
export function renameRecipe(accountId: string, from: string, to: string): Promise<void> {
  return change(accountId, (recipes) =>
    recipes
      .filter(({ name }) => name === from || name !== to)
      .map((one) => (one.name === from ? { ...one, name: to, recipe: { ...one.recipe, name: to } } : one)),
  );
}

/** Deletes a recipe, if it is there. Rejects with `StorageError` where nothing was written. */
export function removeRecipe(accountId: string, name: string): Promise<void> {
  return change(accountId, (recipes) => recipes.filter((one) => one.name !== name));
}

async function change(
  accountId: string,
  next: (recipes: readonly StoredRecipe[]) => readonly StoredRecipe[],
): Promise<void> {
  const key = recipesKey(accountId);
  await (await openRows()).edit({ store: recipeRows.store, key }, (row) => {
    refuseNewer(recipeRows, row);
    const recipes = next((row && recipeRows.read(row.body, row)) ?? []);
    return { changes: [putChange(recipeRows, accountId, key, recipes)], result: undefined };
  });
}
