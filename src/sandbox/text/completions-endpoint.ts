import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { Route } from "../authenticate.ts";
import { badRequest } from "../sandbox-error.ts";
import { type AnswerPlan, outputTokens, planAnswer } from "./answer-plan.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";
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
      const model = service.requireModel(exchange);
      const request = readCompletionRequest(body);
      const seed = service.seed(exchange);
      const plans: AnswerPlan[] = [];
      for (const prompt of request.prompts) {
        for (let variant = 0; variant < request.n; variant++) {
          const { maxTokens, stops } = request;
          const own = seed + plans.length * 7919;
          plans.push(planAnswer({ model, prompt, turns: 0, seed: own, maxTokens, stops, shows: "answer" }));
        }
      }
      const promptTokens = request.prompts.reduce((sum, prompt) => sum + countTokens(prompt), 0);
      const id = `cmpl-${service.context.nextId()}`;
      const shape: CompletionShape = {
        id,
        created: service.context.clock.nowSeconds(),
        model: model.id,
        promptTokens,
        echoes: plans.map((_, index) => (request.echo ? (request.prompts[Math.floor(index / request.n)] ?? "") : "")),
        includeUsage: request.includeUsage,
      };
      return service.answer(exchange, {
        id,
        model,
        prompt: request.prompts.join("\n"),
        input: { plain: promptTokens, cacheRead: 0, written5m: 0, written1h: 0 },
        plans,
        reply: request.stream ? { frames: completionFrames(shape, plans) } : { body: completionBody(shape, plans) },
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
  throw badRequest(prompt === undefined ? "prompt: Field required" : "prompt: must be a string or a list of strings");
}

function isTokenNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function numbersAsText(numbers: readonly number[]): string {
  return numbers.map(() => "x ").join("");
}

/** What the chunks and the whole body of a completion have in common. */
interface CompletionShape {
  id: string;
  created: number;
  model: string;
  promptTokens: number;
  /** Per choice: the prompt where it is to be repeated, otherwise nothing. */
  echoes: readonly string[];
  includeUsage: boolean;
}

function completionBody(shape: CompletionShape, plans: readonly AnswerPlan[]): object {
  const choices = plans.map((plan, index) =>
    choice(index, (shape.echoes[index] ?? "") + plan.text.join(""), finishReason(plan)),
  );
  return { ...head(shape), choices, usage: usage(shape, plans) };
}

/** Chunks without an `event:` line, the choices in turn, then the usage where asked for, then `[DONE]`. */
function* completionFrames(shape: CompletionShape, plans: readonly AnswerPlan[]): Generator<Frame> {
  const rest = shape.includeUsage ? { usage: null } : {};
  const chunk = (index: number, text: string, finish: string | null, tokens: number): Frame => ({
    data: { ...head(shape), choices: [choice(index, text, finish)], ...rest },
    tokens,
  });
  for (const [index, echo] of shape.echoes.entries()) if (echo !== "") yield chunk(index, echo, null, 0);
  const longest = Math.max(...plans.map((plan) => plan.text.length));
  for (let position = 0; position <= longest; position++) {
    for (const [index, plan] of plans.entries()) {
      if (plan.trouble?.at === position) {
        if (plan.trouble.kind === "break") throw new StreamBreak("The connection broke.");
        yield { data: { error: { message: `All endpoints failed for ${shape.model}`, type: "endpoint_error" } } };
        return;
      }
      const token = plan.text[position];
      if (token !== undefined) yield chunk(index, token, null, 1);
      else if (position === plan.text.length) yield chunk(index, "", finishReason(plan), 0);
    }
  }
  if (shape.includeUsage) yield { data: { ...head(shape), choices: [], usage: usage(shape, plans) } };
  yield { data: "[DONE]" };
}

function head({ id, created, model }: CompletionShape) {
  return { id, object: "text_completion", created, model, system_fingerprint: "sandbox" };
}

function choice(index: number, text: string, finish: string | null) {
  return { index, text, logprobs: null, finish_reason: finish };
}

function finishReason(plan: AnswerPlan): "stop" | "length" {
  return plan.finish === "length" ? "length" : "stop";
}

function usage({ promptTokens }: CompletionShape, plans: readonly AnswerPlan[]) {
  const completionTokens = plans.reduce((sum, plan) => sum + outputTokens(plan), 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}
