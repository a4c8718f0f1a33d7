import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { addressesIn } from "#runs/job-inputs.ts";
import type { Batch, BatchGroup, BatchItem } from "#storage/stored-batches.ts";
import { newGroup } from "./group-runs.ts";
import type { RecipeStep } from "./read-recipe.ts";

/**
 * A step of a recipe as a group without runs: its rows come once there are results to go on from. Its model and settings
 * stand where a group has its axes.
 */
export function plannedStepGroup({ model, settings }: RecipeStep, number: number): BatchGroup {
  const axes = { models: [model], settings: { [model]: settings }, parameters: [], way: "product" as const };
  return newGroup(`Step ${number}`, "step", axes);
}

/** What a planned step says; undefined where the group is not a step, or has runs already. */
export function plannedStep(batch: Batch, group: BatchGroup): { model: string; settings: JsonRecord } | undefined {
  const [model] = group.axes?.models ?? [];
  if (group.kind !== "step" || model === undefined) return undefined;
  if (batch.items.some(({ groupId }) => groupId === group.id)) return undefined;
  return { model, settings: group.axes?.settings[model] ?? {} };
}

/**
 * The steps of a batch, as a recipe holds them: for each model of each step what all its runs have in common, without
 * addresses of files. Planned steps are among them.
 */
export function getRecipeSteps(batch: Batch): RecipeStep[] {
  return batch.groups.flatMap((group): RecipeStep[] => {
    if (group.kind !== "step") return [];
    const planned = plannedStep(batch, group);
    if (planned) return [{ ...planned, use: "file" }];
    const own = batch.items.filter(({ groupId }) => groupId === group.id);
    const models = [...new Set(own.map(({ request }) => request.model))];
    return models.flatMap((model) => stepOf(own.filter(({ request }) => request.model === model)) ?? []);
  });
}

function stepOf(items: readonly BatchItem[]): RecipeStep | undefined {
  const [first, ...others] = items;
  if (!first) return undefined;
  const { model, payload } = first.request;
  const settings = Object.entries(isRecord(payload) ? payload : {}).filter(
    ([key, value]) =>
      addressesIn(value).length === 0 && others.every(({ request }) => sameJson(request.payload[key], value)),
  );
  return { model, settings: Object.fromEntries(settings), use: first.source?.use ?? "file" };
}
