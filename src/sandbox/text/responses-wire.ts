import type { JsonRecord } from "#lib/json.ts";
import { type AnswerPlan, outputTokens } from "./answer-plan.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";
import { type ReasoningPlace, reasoningFrames, reasoningItem } from "./reasoning-wire.ts";

/** What every event of one response has in common. */
export interface ResponseShape {
  id: string;
  createdAt: number;
  model: string;
  inputTokens: number;
  /** The request body, whose settings a response repeats. */
  asked: JsonRecord;
  /** Whether the reasoning is told as a summary, as asked, instead of as it is. */
  hasSummary: boolean;
}

type Event = { type: string; tokens?: number } & JsonRecord;

export function responseBody(shape: ResponseShape, plan: AnswerPlan): object {
  return finished(shape, plan);
}

/** Named events with a running `sequence_number`; the last is `response.completed` or `response.incomplete`. */
export function* responseFrames(shape: ResponseShape, plan: AnswerPlan): Generator<Frame> {
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
