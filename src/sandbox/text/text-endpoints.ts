import type { Route } from "../authenticate.ts";
import { TEXT_QUIRKS } from "../quirks/text-quirks.ts";
import type { EndpointGroup, SandboxContext } from "../sandbox-context.ts";
import { SandboxError } from "../sandbox-error.ts";
import { completionsEndpoint } from "./completions-endpoint.ts";
import { messagesEndpoint } from "./messages-endpoint.ts";
import { responsesEndpoint } from "./responses-endpoint.ts";
import { TEXT_MODELS, textModelEntry } from "./text-models.ts";
import { createTextService, type TextService } from "./text-service.ts";

/**
 * Spec 4.2: the inference endpoints. Chat completions only refuse, because the specification does not show them. Embeddings
 * and audio are missing, because it excludes them. Tools and stored responses are accepted or refused, not used; of pictures
 * the answer says what it got.
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
    quirks: TEXT_QUIRKS,
  };
}

/**
 * Spec 1 and 7: what chat completions refuse, above all the id of a generation model. The specification shows neither
 * their path nor their body nor their answer: the path is the one that such services have, and for a text model the
 * answer is that the sandbox has no chat completions.
 */
function chatEndpoint(service: TextService): Route {
  return {
    name: "chat-completions",
    family: "inference",
    method: "POST",
    path: "/v1/chat/completions",
    readsJson: true,
    handle(exchange) {
      const { id } = service.requireModel(exchange);
      throw new SandboxError(
        501,
        `The sandbox has no chat completions. Use ${id} at /v1/completions, /v1/responses or /v1/messages.`,
      );
    },
  };
}
