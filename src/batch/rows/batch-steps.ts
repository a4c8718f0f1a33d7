import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { addressesIn } from "#runs/job-inputs.ts";
import type { Batch, BatchGroup, BatchItem } from "#storage/stored-batches.ts";
import { newGroup } from "./group-runs.ts";
import type { TemplateStep } from "./read-recipe.ts";

/**
 * A step of a template as a group without runs: its rows are made later, from results. Its model and settings are stored as the
 * axes of the group.
 */
export function plannedStepGroup({ model, settings }: TemplateStep, number: number): BatchGroup {
  const axes = { models: [model], settings: { [model]: settings }, parameters: [], way: "product" as const };
  return newGroup(`Step ${number}`, "step", axes);
}

/** The model and settings of a planned step; undefined where the group is not a step, or has runs already. */
export function plannedStep(batch: Batch, group: BatchGroup): { model: string; settings: JsonRecord } | undefined {
  const [model] = group.axes?.models ?? [];
  if (group.kind !== "step" || model === undefined) return undefined;
  if (batch.items.some(({ groupId }) => groupId === group.id)) return undefined;
  return { model, settings: group.axes?.settings[model] ?? {} };
}

/**
 * The steps of a batch for a template, planned ones included. A step with runs of several models gives one for each model, with
 * the settings that all its runs share, without addresses of files.
 */
export function getTemplateSteps(batch: Batch): TemplateStep[] {
  return batch.groups.flatMap((group): TemplateStep[] => {
    if (group.kind !== "step") return [];
    const planned = plannedStep(batch, group);
    if (planned) return [{ ...planned, use: "file" }];
    const items = batch.items.filter(({ groupId }) => groupId === group.id);
    const models = [...new Set(items.map(({ request }) => request.model))];
    return models.flatMap((model) => createStep(items.filter(({ request }) => request.model === model)) ?? []);
  });
}

function createStep(items: readonly BatchItem[]): TemplateStep | undefined {
  const [first, ...others] = items;
  if (!first) return undefined;
  const { model, payload } = first.request;
  const settings = Object.entries(isRecord(payload) ? payload : {}).filter(
    ([key, value]) =>
      addressesIn(value).length === 0 && others.every(({ request }) => sameJson(request.payload[key], value)),
  );
  return { model, settings: Object.fromEntries(settings), use: first.source?.use ?? "file" };
}
