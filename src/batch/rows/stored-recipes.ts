import { namedKind } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { type Recipe, readRecipe, recipeJson } from "./read-recipe.ts";

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
