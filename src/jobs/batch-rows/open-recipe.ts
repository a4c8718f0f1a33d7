import type { BatchGroup, BatchRules } from "../stored-batches.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import type { PlannedRun } from "./expand-axes.ts";
import type { Recipe, RecipeStep } from "./recipe.ts";

interface KnownModels {
  /** The catalogue; undefined while it is not read. */
  modelIds: ReadonlySet<string> | undefined;
  schemas: ModelSchemas;
}

export interface OpenedRecipe {
  name: string;
  /** Each with its runs, to be put into a batch with `withGroup`. */
  groups: { group: BatchGroup; runs: PlannedRun[] }[];
  rules: BatchRules;
  steps: readonly RecipeStep[];
  /** Models that the catalogue does not list and nobody replaced. */
  missingModels: string[];
  /** What is not as it was, in sentences. */
  notes: string[];
}

/** The models that a recipe names, to be loaded before it is opened. Never throws. */
export function recipeModels(_recipe: Recipe): string[] {
  return [];
}

/** A recipe as groups and runs. `replaceModel`: another model for one that is gone. Never throws. */
export function openRecipe(
  recipe: Recipe,
  _known: KnownModels,
  _replaceModel: Readonly<Record<string, string>> = {},
): OpenedRecipe {
  return {
    name: recipe.name,
    groups: [],
    rules: recipe.rules ?? ({} as BatchRules),
    steps: [],
    missingModels: [],
    notes: [],
  };
}
