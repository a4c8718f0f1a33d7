import { MAX_UNPACKED, packJson, unpackJson } from "#lib/packed-json.ts";
import { type ReadRecipe, type Recipe, readRecipe, recipeJson } from "./read-recipe.ts";

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
