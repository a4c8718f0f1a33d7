import type { Route } from "../authenticate.ts";
import { planAnswer } from "./answer-plan.ts";
import { readMessagesRequest } from "./messages-request.ts";
import { type MessageShape, messageBody, messageFrames } from "./messages-wire.ts";
import type { TextService } from "./text-service.ts";

/** Spec 4.2: the Messages format, with prompt caching; spec 5.3: `x-api-key` is accepted here, and only here. */
export function messagesEndpoint(service: TextService): Route {
  const { context, cache } = service;
  return {
    name: "messages",
    family: "inference",
    method: "POST",
    path: "/v1/messages",
    readsJson: true,
    takesApiKeyHeader: true,
    handle(exchange) {
      const model = service.model(exchange);
      const asked = readMessagesRequest(exchange.body, exchange.request.headers.get("anthropic-version"));
      const { prompt, turns, maxTokens, stops, segments } = asked;
      const shows = asked.thinks ? "reasoning" : "answer";
      const plan = planAnswer({ model, prompt, turns, maxTokens, stops, shows, seed: service.seed(exchange) });
      const owner = `${exchange.caller.organisation} ${model.id}`;
      const input = cache.account(owner, segments, context.clock.now());
      const id = `msg_${context.nextId().replaceAll("-", "")}`;
      const shape: MessageShape = { id, model: model.id, input };
      const reply = asked.stream ? { frames: messageFrames(shape, plan) } : { body: messageBody(shape, plan) };
      return service.answer(exchange, { id, model, prompt, input, plans: [plan], reply });
    },
  };
}
