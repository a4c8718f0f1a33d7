import { isRecord, type JsonRecord } from "#lib/json.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";
import type { Route } from "../authenticate.ts";
import { planAnswer } from "./answer-plan.ts";
import { readContent, readCount, readFlag, readNumber, refuseFields } from "./read-fields.ts";
import { type ResponseShape, responseBody, responseFrames } from "./responses-wire.ts";
import type { TextService } from "./text-service.ts";
import { countTokens } from "./tokens.ts";

/** Fields of the other two formats, which this one does not take. */
const FOREIGN = ["messages", "max_tokens", "stop", "n", "prompt", "presence_penalty", "frequency_penalty"];
/** Fields of this format that need a service which remembers; the sandbox does not. */
const REMEMBERING = ["previous_response_id", "conversation"];

/** Spec 4.2: the Responses format. */
export function responsesEndpoint(service: TextService): Route {
  return {
    name: "responses",
    family: "inference",
    method: "POST",
    path: "/v1/responses",
    readsJson: true,
    handle(exchange) {
      const { body } = exchange;
      const model = service.model(exchange);
      const asked = readResponsesRequest(body);
      const plan = planAnswer({
        model,
        prompt: asked.prompt,
        turns: asked.turns,
        seed: service.seed(exchange),
        maxTokens: asked.maxTokens,
        stops: [],
        shows: asked.effort === "none" || asked.effort === "minimal" ? "answer" : "reasoning",
      });
      const inputTokens = countTokens(asked.wholeInput);
      const id = service.context.nextId().replaceAll("-", "");
      const shape: ResponseShape = {
        id,
        createdAt: service.context.clock.nowSeconds(),
        model: model.id,
        inputTokens,
        asked: body,
        hasSummary: asked.summary !== undefined,
      };
      return service.answer(exchange, {
        id: `resp_${id}`,
        model,
        prompt: asked.prompt,
        input: { plain: inputTokens, cacheRead: 0, written5m: 0, written1h: 0 },
        plans: [plan],
        reply: asked.stream ? { frames: responseFrames(shape, plan) } : { body: responseBody(shape, plan) },
      });
    },
  };
}

interface ResponsesRequest {
  prompt: string;
  wholeInput: string;
  turns: number;
  maxTokens: number | undefined;
  effort: unknown;
  summary: string | undefined;
  stream: boolean;
}

function readResponsesRequest(body: JsonRecord): ResponsesRequest {
  refuseFields(body, FOREIGN, "Unknown parameter");
  refuseFields(body, REMEMBERING, "The sandbox remembers no responses; send the whole conversation as input");
  readNumber(body, "temperature", 0, 2);
  readNumber(body, "top_p", 0, 1);
  if (body.instructions !== undefined && body.instructions !== null && typeof body.instructions !== "string") {
    throw badRequest("instructions: must be a text");
  }
  const items = readInput(body.input);
  const reasoning = isRecord(body.reasoning) ? body.reasoning : {};
  const instructions = typeof body.instructions === "string" ? body.instructions : "";
  return {
    prompt: items.findLast((item) => item.role === "user")?.text ?? "",
    wholeInput: [instructions, ...items.map((item) => item.text)].join("\n"),
    turns: items.filter((item) => item.role === "assistant").length,
    maxTokens: readCount(body, "max_output_tokens", 1),
    effort: reasoning.effort,
    summary: typeof reasoning.summary === "string" ? reasoning.summary : undefined,
    stream: readFlag(body, "stream"),
  };
}

const ROLES = ["user", "assistant", "system", "developer"];

/** One text, or items: messages by role, and others (reasoning of earlier turns), which carry no text to answer. */
function readInput(input: unknown): { role: string; text: string }[] {
  if (typeof input === "string") return [{ role: "user", text: input }];
  if (input === undefined) throw badRequest("input: Field required");
  if (!Array.isArray(input) || input.length === 0) throw badRequest("input: must be a text or a list of items");
  return input.map((item: unknown, index) => {
    if (!isRecord(item)) throw badRequest(`input.${index}: must be an object`);
    if (item.type !== undefined && item.type !== "message") return { role: "", text: "" };
    const { role } = item;
    if (typeof role !== "string" || !ROLES.includes(role)) {
      throw badRequest(`input.${index}.role: must be one of ${ROLES.join(", ")}`);
    }
    const text = readContent(item.content, `input.${index}.content`).map((block) => block.text);
    return { role, text: text.join("\n") };
  });
}
