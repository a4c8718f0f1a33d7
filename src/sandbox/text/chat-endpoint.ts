import { SandboxError } from "#sandbox/sandbox-error.ts";
import type { Route } from "../authenticate.ts";
import type { TextService } from "./text-service.ts";

/**
 * Spec 1 and 7: what chat completions refuse, above all the id of a generation model. The specification shows neither
 * their path nor their body nor their answer: the path is the one that such services have, and a text model is told
 * that there is no more here.
 */
export function chatEndpoint(service: TextService): Route {
  return {
    name: "chat-completions",
    family: "inference",
    method: "POST",
    path: "/v1/chat/completions",
    readsJson: true,
    handle(exchange) {
      const { id } = service.model(exchange);
      throw new SandboxError(
        501,
        `The sandbox has no chat completions. Ask ${id} at /v1/completions, /v1/responses or /v1/messages.`,
      );
    },
  };
}
