import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { Route } from "../authenticate.ts";
import { badRequest } from "../sandbox-error.ts";
import { type AnswerPlan, outputTokens, planAnswer } from "./answer-plan.ts";
import { PICTURE_TOKENS } from "./asked-pictures.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";
import { readContent, readCount, readFlag, readNumber, refuseFields } from "./read-fields.ts";
import { callFrames, callItem, type ReasoningPlace, reasoningFrames, reasoningItem } from "./responses-items.ts";
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
      const model = service.requireModel(exchange);
      const parsed = readResponsesRequest(body);
      const plan = planAnswer({
        model,
        prompt: parsed.prompt,
        pictures: parsed.pictures,
        begun: parsed.begun,
        turns: parsed.turns,
        seed: service.seed(exchange),
        maxTokens: parsed.maxTokens,
        stops: [],
        hasCalls: true,
        shows: parsed.effort === "none" || parsed.effort === "minimal" ? "answer" : "reasoning",
      });
      const inputTokens = countTokens(parsed.wholeInput) + parsed.seen * PICTURE_TOKENS;
      const id = service.context.nextId().replaceAll("-", "");
      const shape: ResponseShape = {
        id,
        createdAt: service.context.clock.nowSeconds(),
        model: model.id,
        inputTokens,
        asked: body,
        hasSummary: parsed.summary !== undefined,
      };
      return service.answer(exchange, {
        id: `resp_${id}`,
        model,
        prompt: parsed.prompt,
        input: { plain: inputTokens, cacheRead: 0, written5m: 0, written1h: 0 },
        plans: [plan],
        reply: parsed.stream ? { frames: responseFrames(shape, plan) } : { body: responseBody(shape, plan) },
      });
    },
  };
}

interface ResponsesRequest {
  prompt: string;
  /** The pictures of the last question. */
  pictures: string[];
  /** The answer that a last message asks to go on with. */
  begun: string | undefined;
  /** Pictures of the whole input. */
  seen: number;
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
    throw badRequest("instructions: must be a string");
  }
  const items = readInput(body.input);
  const reasoning = isRecord(body.reasoning) ? body.reasoning : {};
  const instructions = typeof body.instructions === "string" ? body.instructions : "";
  const begun = begunAnswer(items);
  // An answer that is continued belongs to the question before it.
  const question = (begun === undefined ? items : items.slice(0, -2)).findLast((item) => item.role === "user");
  return {
    prompt: question?.text ?? "",
    pictures: question?.pictures ?? [],
    begun,
    seen: items.flatMap(({ pictures }) => pictures).length,
    wholeInput: [instructions, ...items.map((item) => item.text)].join("\n"),
    turns: items.filter((item) => item.role === "assistant").length - (begun === undefined ? 0 : 1),
    maxTokens: readCount(body, "max_output_tokens", 1),
    effort: reasoning.effort,
    summary: typeof reasoning.summary === "string" ? reasoning.summary : undefined,
    stream: readFlag(body, "stream"),
  };
}

/** A message that only asks to go on. One that says more is a question of its own. */
const GO_ON = /^\s*(please )?continue( exactly where you stopped)?\W*$/i;

/** The answer to go on with. The format has no open answer: a message after it asks for that in words. */
function begunAnswer(items: readonly { role: string; text: string }[]): string | undefined {
  const [answer, wish] = items.slice(-2);
  const isWish = answer?.role === "assistant" && wish?.role === "user" && GO_ON.test(wish.text);
  return isWish ? answer.text : undefined;
}

const ROLES = ["user", "assistant", "system", "developer"];

/** One text, or items: messages by role, and others (reasoning of earlier turns), which carry no text to answer. */
function readInput(input: unknown): { role: string; text: string; pictures: string[] }[] {
  if (typeof input === "string") return [{ role: "user", text: input, pictures: [] }];
  if (input === undefined) throw badRequest("input: Field required");
  if (!Array.isArray(input) || input.length === 0) throw badRequest("input: must be a string or a list of items");
  return input.map((item: unknown, index) => {
    if (!isRecord(item)) throw badRequest(`input.${index}: must be an object`);
    if (item.type !== undefined && item.type !== "message") return { role: "", text: "", pictures: [] };
    const { role } = item;
    if (typeof role !== "string" || !ROLES.includes(role)) {
      throw badRequest(`input.${index}.role: must be one of ${ROLES.join(", ")}`);
    }
    const blocks = readContent(item.content, `input.${index}.content`);
    const pictures = blocks.flatMap(({ picture }) => picture ?? []);
    return { role, text: blocks.map((block) => block.text).join("\n"), pictures };
  });
}

/** What every event of one response has in common. */
interface ResponseShape {
  id: string;
  createdAt: number;
  model: string;
  inputTokens: number;
  /** The request body, whose settings a response repeats. */
  asked: JsonRecord;
  /** Whether the reasoning is sent as a summary, as asked, instead of as it is. */
  hasSummary: boolean;
}

type Event = { type: string; tokens?: number } & JsonRecord;

function responseBody(shape: ResponseShape, plan: AnswerPlan): object {
  return finished(shape, plan);
}

/** Named events with a running `sequence_number`; the last is `response.completed` or `response.incomplete`. */
function* responseFrames(shape: ResponseShape, plan: AnswerPlan): Generator<Frame> {
  let number = 0;
  for (const { tokens = 0, ...event } of events(shape, plan)) {
    yield { event: event.type, data: { ...event, sequence_number: number++ }, tokens };
  }
}

function* events(shape: ResponseShape, plan: AnswerPlan): Generator<Event> {
  const started = { ...frame(shape), status: "in_progress", completed_at: null, output: [], usage: null };
  yield { type: "response.created", response: started };
  yield { type: "response.in_progress", response: started };
  const place: ReasoningPlace = { id: `rs_${shape.id}`, index: 0, hasSummary: shape.hasSummary };
  if (plan.reasoning.length > 0) yield* reasoningFrames(place, plan.reasoning);
  if (hasMessage(plan)) {
    const isBroken = yield* messageEvents(shape, plan, plan.reasoning.length > 0 ? 1 : 0);
    if (isBroken) return;
  }
  if (plan.call) yield* callFrames(shape.id, plan, plan.reasoning.length > 0 ? 2 : 1);
  const response = finished(shape, plan);
  yield { type: plan.finish === "length" ? "response.incomplete" : "response.completed", response };
}

/** The events of the message; true where it ended in an error. */
function* messageEvents(shape: ResponseShape, plan: AnswerPlan, index: number): Generator<Event, boolean> {
  const id = `msg_${shape.id}`;
  const at = { item_id: id, output_index: index, content_index: 0 };
  const item = { id, type: "message", status: "in_progress", role: "assistant", content: [] };
  yield { type: "response.output_item.added", output_index: index, item };
  yield { type: "response.content_part.added", ...at, part: textPart("") };
  for (const [position, delta] of plan.text.entries()) {
    if (plan.trouble?.at === position) {
      if (plan.trouble.kind === "break") throw new StreamBreak("The connection broke.");
      const error = { code: "server_error", message: `All endpoints failed for ${shape.model}` };
      const output = plan.reasoning.length > 0 ? finished(shape, plan).output.slice(0, 1) : [];
      yield { type: "response.failed", response: { ...frame(shape), status: "failed", error, output, usage: null } };
      return true;
    }
    yield { type: "response.output_text.delta", ...at, delta, logprobs: [], tokens: 1 };
  }
  const text = plan.text.join("");
  yield { type: "response.output_text.done", ...at, text, logprobs: [] };
  yield { type: "response.content_part.done", ...at, part: textPart(text) };
  yield { type: "response.output_item.done", output_index: index, item: messageItem(shape, plan) };
  return false;
}

/** A response cut within its reasoning has no message. */
function hasMessage(plan: AnswerPlan): boolean {
  return plan.text.length > 0 || plan.finish !== "length" || plan.reasoning.length === 0;
}

function messageItem(shape: ResponseShape, plan: AnswerPlan) {
  const status = plan.finish === "length" ? "incomplete" : "completed";
  return { id: `msg_${shape.id}`, type: "message", status, role: "assistant", content: [textPart(plan.text.join(""))] };
}

function textPart(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function finished(shape: ResponseShape, plan: AnswerPlan) {
  const output: object[] = [];
  if (plan.reasoning.length > 0) {
    output.push(reasoningItem({ id: `rs_${shape.id}`, index: 0, hasSummary: shape.hasSummary }, plan.reasoning));
  }
  if (hasMessage(plan)) output.push(messageItem(shape, plan));
  if (plan.call) output.push(callItem(shape.id, plan));
  const isCut = plan.finish === "length";
  return {
    ...frame(shape),
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    completed_at: shape.createdAt,
    output,
    usage: {
      input_tokens: shape.inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: outputTokens(plan),
      output_tokens_details: { reasoning_tokens: plan.reasoning.length },
      total_tokens: shape.inputTokens + outputTokens(plan),
    },
  };
}

/** The fields that a response has from its first event on. */
function frame({ id, createdAt, model, asked }: ResponseShape) {
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: createdAt,
    model,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: asked.reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: asked.temperature ?? 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: asked.top_p ?? 1,
    truncation: "disabled",
  };
}
