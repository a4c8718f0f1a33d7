import type { JobRequest } from "#api/types.ts";
import type { KeyShape } from "#lib/key-shape.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { Batch, BatchAxes, BatchRules } from "../stored-batches.ts";

/** A step of a chain: which model goes on from a result, with what beside it. */
export interface RecipeStep {
  model: string;
  settings: JsonRecord;
  use: "file" | "last-frame";
}

/** Runs of a recipe that stand together: combinations of axes, or a list. */
export interface RecipeGroup {
  name: string;
  axes?: BatchAxes;
  /** With axes: runs beside those that follow from them, such as edited ones. */
  runs?: readonly JobRequest[];
}

/** A batch without prices, jobs and files: what can be saved by name and given to others. */
export interface Recipe {
  name: string;
  groups: readonly RecipeGroup[];
  rules?: BatchRules;
  steps?: readonly RecipeStep[];
  /** How many files and texts were left out of it because they are private or expire. */
  leftOut?: number;
}

/** What must not be in a recipe. */
export interface RecipePrivacy {
  keyShape: KeyShape | undefined;
  /** Addresses of files that this browser stored with the service. */
  ownAddresses: ReadonlySet<string>;
  /** Whether the service keeps the file at an address for a time only. */
  isExpiring?: (address: string) => boolean;
}

/** The recipe of a batch. Never throws. */
export function recipeOf(batch: Batch, _more: RecipePrivacy & { steps?: readonly RecipeStep[] }): Recipe {
  return { name: batch.name, groups: [] };
}

/** A recipe as the text of its file. Never throws. */
export function writeRecipe(recipe: Recipe): string {
  return JSON.stringify({ safelight: "recipe", version: 1, ...recipe }, null, 2);
}

export type ReadRecipe = { recipe: Recipe; problem?: undefined } | { recipe?: undefined; problem: string };

/** A recipe from anywhere: a text, or JSON that was read already. Never throws. */
export function readRecipe(_raw: unknown): ReadRecipe {
  return { problem: "This is not a recipe." };
}
