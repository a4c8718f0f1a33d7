import { findModel, listedModelIds, modelDetail } from "#sandbox/catalogue/catalogue.ts";
import type { ModelDefinition } from "#sandbox/catalogue/model-definition.ts";
import type { EndpointGroup, SandboxContext } from "#sandbox/sandbox-context.ts";
import { otherCatalogue, unknownModel } from "#sandbox/sandbox-error.ts";
import type { Route } from "../authenticate.ts";

export const QUEUE_PATH = "/api/v1/queue/apikey";

/** Spec 4.1: the model list and the detail of a model. */
export function modelEndpoints(context: SandboxContext): EndpointGroup {
  const list: Route = {
    name: "models",
    family: "queue",
    method: "GET",
    path: `${QUEUE_PATH}/models`,
    handle: () => Response.json({ model_ids: listedModelIds() }),
  };
  const detail: Route = {
    name: "model",
    family: "queue",
    method: "GET",
    path: `${QUEUE_PATH}/models/:model_id`,
    handle: ({ params }) => Response.json(modelDetail(generationModel(context, params.model_id ?? ""))),
  };
  return { routes: [list, detail] };
}

/** The generation model of an id. Throws both kinds of 404: unknown, and of the other catalogue (spec 7). */
export function generationModel(context: SandboxContext, id: string): ModelDefinition {
  const model = findModel(id);
  if (model !== undefined) return model;
  throw context.textModelIds.has(id) ? otherCatalogue(id) : unknownModel(id);
}
