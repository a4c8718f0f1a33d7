import { type AnswerPlan, outputTokens } from "./answer-plan.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";

/** What the chunks and the whole body of a completion have in common. */
export interface CompletionShape {
  id: string;
  created: number;
  model: string;
  promptTokens: number;
  /** Per choice: the prompt where it is to be repeated, otherwise nothing. */
  echoes: readonly string[];
  includeUsage: boolean;
}

export function completionBody(shape: CompletionShape, plans: readonly AnswerPlan[]): object {
  const choices = plans.map((plan, index) =>
    choice(index, (shape.echoes[index] ?? "") + plan.text.join(""), finishReason(plan)),
  );
  return { ...head(shape), choices, usage: usage(shape, plans) };
}

/** Chunks without an `event:` line, the choices in turn, then the usage where asked for, then `[DONE]`. */
export function* completionFrames(shape: CompletionShape, plans: readonly AnswerPlan[]): Generator<Frame> {
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
