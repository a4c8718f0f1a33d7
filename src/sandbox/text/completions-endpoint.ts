import type { JsonRecord } from "#lib/json.ts";
import { isRecord } from "#lib/json.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";
import type { Route } from "../authenticate.ts";
import { type AnswerPlan, planAnswer } from "./answer-plan.ts";
import { type CompletionShape, completionBody, completionFrames } from "./completions-wire.ts";
import { readCount, readFlag, readNumber, readTexts } from "./read-fields.ts";
import type { TextService } from "./text-service.ts";
import { countTokens } from "./tokens.ts";

/** Spec 4.2: legacy text completions, prompt in, text out. */
export function completionsEndpoint(service: TextService): Route {
  return {
    name: "completions",
    family: "inference",
    method: "POST",
    path: "/v1/completions",
    readsJson: true,
    handle(exchange) {
      const { body } = exchange;
      const model = service.model(exchange);
      const asked = readCompletionRequest(body);
      const seed = service.seed(exchange);
      const plans: AnswerPlan[] = [];
      for (const prompt of asked.prompts) {
        for (let variant = 0; variant < asked.n; variant++) {
          const { maxTokens, stops } = asked;
          const own = seed + plans.length * 7919;
          plans.push(planAnswer({ model, prompt, turns: 0, seed: own, maxTokens, stops, shows: "answer" }));
        }
      }
      const promptTokens = asked.prompts.reduce((sum, prompt) => sum + countTokens(prompt), 0);
      const id = `cmpl-${service.context.nextId()}`;
      const shape: CompletionShape = {
        id,
        created: service.context.clock.nowSeconds(),
        model: model.id,
        promptTokens,
        echoes: plans.map((_, index) => (asked.echo ? (asked.prompts[Math.floor(index / asked.n)] ?? "") : "")),
        includeUsage: asked.includeUsage,
      };
      return service.answer(exchange, {
        id,
        model,
        prompt: asked.prompts.join("\n"),
        input: { plain: promptTokens, cacheRead: 0, written5m: 0, written1h: 0 },
        plans,
        reply: asked.stream ? { frames: completionFrames(shape, plans) } : { body: completionBody(shape, plans) },
      });
    },
  };
}

interface CompletionRequest {
  prompts: string[];
  n: number;
  maxTokens: number | undefined;
  stops: string[];
  echo: boolean;
  stream: boolean;
  includeUsage: boolean;
}

function readCompletionRequest(body: JsonRecord): CompletionRequest {
  const stream = readFlag(body, "stream");
  const n = readCount(body, "n", 1, 8) ?? 1;
  const bestOf = readCount(body, "best_of", 1, 20);
  if (bestOf !== undefined && bestOf > 1 && stream) throw badRequest("best_of: cannot be streamed");
  if (bestOf !== undefined && bestOf < n) throw badRequest("best_of: must not be smaller than n");
  readNumber(body, "temperature", 0, 2);
  readNumber(body, "top_p", 0, 1);
  readNumber(body, "presence_penalty", -2, 2);
  readNumber(body, "frequency_penalty", -2, 2);
  readCount(body, "logprobs", 0, 5);
  const options = body.stream_options;
  return {
    prompts: readPrompts(body.prompt),
    n,
    maxTokens: readCount(body, "max_tokens", 0),
    stops: readTexts(body, "stop", 4),
    echo: readFlag(body, "echo"),
    stream,
    includeUsage: isRecord(options) && options.include_usage === true,
  };
}

/** A text, a list of texts, token numbers, or lists of token numbers; numbers stand for unknown words. */
function readPrompts(prompt: unknown): string[] {
  if (typeof prompt === "string") return [prompt];
  if (Array.isArray(prompt) && prompt.length > 0 && prompt.length <= 32) {
    if (prompt.every((part) => typeof part === "string")) return prompt;
    if (prompt.every(isTokenNumber)) return [numbersAsText(prompt)];
    if (prompt.every((part) => Array.isArray(part) && part.every(isTokenNumber))) return prompt.map(numbersAsText);
  }
  throw badRequest(prompt === undefined ? "prompt: Field required" : "prompt: must be a text or a list of texts");
}

function isTokenNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function numbersAsText(numbers: readonly number[]): string {
  return numbers.map(() => "x ").join("");
}
