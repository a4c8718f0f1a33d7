import { ODD_MODEL_IDS } from "../catalogue/catalogue.ts";
import type { Quirk } from "./quirk.ts";

/** How the catalogue of generation models and the detail of a model come. */
export const MODEL_QUIRKS: readonly Quirk[] = [
  {
    name: "odd-model-ids",
    explanation: "The model list has ids with a space, a bare UUID and a slash.",
    json: {
      routes: ["models"],
      change: (body) => ({ model_ids: [...ODD_MODEL_IDS, ...(body.model_ids as string[])] }),
    },
  },
  {
    name: "duplicate-model-ids",
    explanation: "Some ids stand twice in the model list.",
    json: {
      routes: ["models"],
      change: ({ model_ids }) => ({
        model_ids: (model_ids as string[]).flatMap((id) => (id.includes("2") ? [id, id] : [id])),
      }),
    },
  },
  {
    name: "models-enveloped",
    explanation: "Both model lists stand inside result.models, as objects.",
    json: {
      routes: ["models", "text-models"],
      change(body) {
        const list = Array.isArray(body.model_ids) ? body.model_ids.map((id) => ({ id })) : body.data;
        return Array.isArray(list) ? { result: { models: list, total: list.length } } : body;
      },
    },
  },
];
