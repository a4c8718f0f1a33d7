import type { JsonRecord } from "#lib/json.ts";
import type { ModelDefinition } from "./model-definition.ts";

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
