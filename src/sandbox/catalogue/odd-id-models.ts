import { LUMEN_MODELS } from "./lumen-models.ts";
import type { ModelDefinition } from "./model-definition.ts";

/** Ids as real catalogues carry them: a space, a bare UUID, a slash, capitals. */
export const ODD_MODEL_IDS = [
  "Picture Postcard",
  "0f8e2c1a-6d3b-4e57-9a10-c4b7d5e8f921",
  "studio/Portrait.v3",
] as const;

/** The quick picture model under those ids. They answer by id; only the personality `odd-model-ids` lists them. */
export const ODD_ID_MODELS: readonly ModelDefinition[] = LUMEN_MODELS.filter((model) => model.id === "lumen-2").flatMap(
  (model) => ODD_MODEL_IDS.map((id) => ({ ...model, id, state: "unlisted" as const })),
);
