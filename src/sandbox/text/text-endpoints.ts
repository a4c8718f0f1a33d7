import type { EndpointGroup, SandboxContext } from "#sandbox/sandbox-context.ts";
import type { Route } from "../authenticate.ts";
import { chatEndpoint } from "./chat-endpoint.ts";
import { completionsEndpoint } from "./completions-endpoint.ts";
import { messagesEndpoint } from "./messages-endpoint.ts";
import { responsesEndpoint } from "./responses-endpoint.ts";
import { TEXT_MODELS, textModelEntry } from "./text-models.ts";
import { TEXT_PERSONALITIES } from "./text-personalities.ts";
import { createTextService } from "./text-service.ts";

/**
 * Spec 4.2: the inference endpoints. Of chat completions, which the specification does not show, only the refusals are
 * here; embeddings and audio are not, because it excludes them. Tools, images and stored responses are accepted or refused, not used.
 */
export function textEndpoints(context: SandboxContext): EndpointGroup {
  const service = createTextService(context);
  const models: Route = {
    name: "text-models",
    family: "inference",
    method: "GET",
    path: "/v1/models",
    handle: () => Response.json({ object: "list", data: TEXT_MODELS.map(textModelEntry) }),
  };
  return {
    routes: [
      models,
      completionsEndpoint(service),
      responsesEndpoint(service),
      messagesEndpoint(service),
      chatEndpoint(service),
    ],
    textModelIds: TEXT_MODELS.map(({ id }) => id),
    personalities: TEXT_PERSONALITIES,
  };
}
