import type { JsonRecord } from "#lib/read.ts";
import { GRAINFIELD_MODELS } from "./grainfield-models.ts";
import { HALIDE_MODELS } from "./halide-models.ts";
import { LUMEN_MODELS } from "./lumen-models.ts";
import type { ModelDefinition } from "./model-definition.ts";
import { OVERTURE_MODELS } from "./overture-models.ts";
import { TIDEWATER_MODELS } from "./tidewater-models.ts";

/** Ids as real catalogues carry them: a space, a bare UUID, a slash, capitals. */
export const ODD_MODEL_IDS = [
  "Picture Postcard",
  "0f8e2c1a-6d3b-4e57-9a10-c4b7d5e8f921",
  "studio/Portrait.v3",
] as const;

/** The quick picture model under the odd ids. Each answers by its id; only the quirk `odd-model-ids` lists them. */
const ODD_ID_MODELS: readonly ModelDefinition[] = LUMEN_MODELS.filter((model) => model.id === "lumen-2").flatMap(
  (model) => ODD_MODEL_IDS.map((id) => ({ ...model, id, state: "unlisted" as const })),
);

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

/** The answer to GET /apikey/models/{id} (spec 2 leaves its structure open; the shape is that of real servers). */
export function modelDetail(model: ModelDefinition): JsonRecord {
  return {
    model: model.id,
    model_type: model.type,
    brief_description: model.brief,
    detailed_description: model.detailed ?? "",
    tags: model.tags,
    parameters: model.parameters.map((parameter) => parameter.wire),
    price_info: { price: model.pricing.price, pricing_type: "flat", unit: model.pricing.unit },
    pricing_details: model.pricing.details,
  };
}
