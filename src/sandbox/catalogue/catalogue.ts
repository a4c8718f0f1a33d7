import { GRAINFIELD_MODELS } from "./grainfield-models.ts";
import { HALIDE_MODELS } from "./halide-models.ts";
import { LUMEN_MODELS } from "./lumen-models.ts";
import type { ModelDefinition } from "./model-definition.ts";
import { ODD_ID_MODELS } from "./odd-id-models.ts";
import { OVERTURE_MODELS } from "./overture-models.ts";
import { TIDEWATER_MODELS } from "./tidewater-models.ts";

/** Every generation model, in the order of the list. */
export const CATALOGUE: readonly ModelDefinition[] = [
  ...LUMEN_MODELS,
  ...GRAINFIELD_MODELS,
  ...HALIDE_MODELS,
  ...TIDEWATER_MODELS,
  ...OVERTURE_MODELS,
  ...ODD_ID_MODELS,
];

const byId = new Map(CATALOGUE.map((model) => [model.id, model]));

/** The model of an id; ids are case-sensitive. */
export function findModel(id: string): ModelDefinition | undefined {
  return byId.get(id);
}

/** Spec 2: the list may include a model that is temporarily inactive. */
export function listedModelIds(): string[] {
  return CATALOGUE.filter((model) => model.state !== "unlisted").map((model) => model.id);
}
