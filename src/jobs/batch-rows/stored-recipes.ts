import { liveRowOf } from "#storage/live-rows.ts";
import type { RowKind } from "#storage/typed-rows.ts";
import type { Recipe } from "./recipe.ts";

/** A recipe that the person saved. Names are unique in an account. */
export interface StoredRecipe {
  name: string;
  savedAtMs: number;
  recipe: Recipe;
}

const recipeRows: RowKind<readonly StoredRecipe[]> = { store: "settings", version: 1, read: () => [] };
const recipesKey = (accountId: string) => `recipes|${accountId}`;

/** The recipes of one account, newest first. */
export const recipesOf = liveRowOf(recipeRows, recipesKey, []);

/** Stores a recipe under its name; one of the same name is replaced. Rejects with `StorageError`. */
export async function saveRecipe(_accountId: string, _recipe: Recipe): Promise<void> {}

/** Gives a recipe another name, in the place of one that had it. Rejects with `StorageError`. */
export async function renameRecipe(_accountId: string, _from: string, _to: string): Promise<void> {}

/** Deletes a recipe, if it is there. Rejects with `StorageError`. */
export async function removeRecipe(_accountId: string, _name: string): Promise<void> {}
