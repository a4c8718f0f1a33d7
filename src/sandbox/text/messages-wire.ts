import { seededHex } from "#sandbox/seeded-ids.ts";
import { type AnswerPlan, outputTokens } from "./answer-plan.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";
import type { InputUsage } from "./prompt-cache.ts";

export interface MessageShape {
  id: string;
  model: string;
  input: InputUsage;
}

export function messageBody(shape: MessageShape, plan: AnswerPlan): object {
  const thinking = plan.reasoning.join("");
  return {
    ...frame(shape),
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: signature(shape) }]),
      ...(hasText(plan) ? [{ type: "text", text: plan.text.join("") }] : []),
    ],
    ...stopped(plan),
    usage: { ...inputUsage(shape), output_tokens: outputTokens(plan) },
  };
}

/** Named events from `message_start` to `message_stop`; no `[DONE]`, no numbers. */
export function* messageFrames(shape: MessageShape, plan: AnswerPlan): Generator<Frame> {
  const message = { ...frame(shape), content: [], stop_reason: null, stop_sequence: null };
  const send = (type: string, fields: object, tokens = 0): Frame => ({
    event: type,
    data: { type, ...fields },
    tokens,
  });
  yield send("message_start", { message: { ...message, usage: { ...inputUsage(shape), output_tokens: 1 } } });
  yield send("ping", {});
  let index = 0;
  if (plan.reasoning.length > 0) {
    yield send("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
    for (const thinking of plan.reasoning) {
      yield send("content_block_delta", { index, delta: { type: "thinking_delta", thinking } }, 1);
    }
    yield send("content_block_delta", { index, delta: { type: "signature_delta", signature: signature(shape) } });
    yield send("content_block_stop", { index });
    index += 1;
  }
  if (hasText(plan)) {
    yield send("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const [position, text] of plan.text.entries()) {
      if (plan.trouble?.at === position) {
        if (plan.trouble.kind === "break") throw new StreamBreak("The connection broke.");
        yield send("error", {
          error: { type: "overloaded_error", message: `All endpoints failed for ${shape.model}` },
        });
        return;
      }
      yield send("content_block_delta", { index, delta: { type: "text_delta", text } }, 1);
    }
    yield send("content_block_stop", { index });
  }
  yield send("message_delta", { delta: stopped(plan), usage: { output_tokens: outputTokens(plan) } });
  yield send("message_stop", {});
}

/** A message cut within its thinking has no text block. */
function hasText(plan: AnswerPlan): boolean {
  return plan.text.length > 0 || plan.reasoning.length === 0;
}

function frame({ id, model }: MessageShape) {
  return { id, type: "message", role: "assistant", model };
}

function stopped(plan: AnswerPlan) {
  const reasons = { stop: "end_turn", length: "max_tokens", "stop-sequence": "stop_sequence" } as const;
  return { stop_reason: reasons[plan.finish], stop_sequence: plan.stopSequence ?? null };
}

/** `input_tokens` leaves out what was read from the cache or written to it. */
function inputUsage({ input }: MessageShape) {
  return {
    input_tokens: input.plain,
    cache_creation_input_tokens: input.written5m + input.written1h,
    cache_read_input_tokens: input.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: input.written5m, ephemeral_1h_input_tokens: input.written1h },
    service_tier: "standard",
  };
}

/** Stands for the proof that a real service puts under its thinking. */
function signature({ id }: MessageShape): string {
  return seededHex(48, "signature", id);
}
