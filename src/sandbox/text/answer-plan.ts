import type { TextModelDefinition } from "./text-models.ts";
import { splitTokens } from "./tokens.ts";
import { writeAnswer } from "./write-answer.ts";
import { writeReasoning } from "./write-reasoning.ts";

/** What one answer is asked for, the same for all three endpoints. */
export interface AnswerRequest {
  model: TextModelDefinition;
  /** The last thing that the person said; the answer follows it. */
  prompt: string;
  /** Number of earlier turns, so that a conversation does not begin anew each time. */
  turns: number;
  seed: number;
  /** Undefined: the model's own limit. */
  maxTokens: number | undefined;
  stops: readonly string[];
  /** Whether to show reasoning first; only a reasoning model does. */
  shows: "reasoning" | "answer";
}

/** A whole answer, decided before its first token leaves. */
export interface AnswerPlan {
  reasoning: readonly string[];
  text: readonly string[];
  /** `length`: `max_tokens` was reached; `stop-sequence`: one of the asked texts would have come next. */
  finish: "stop" | "length" | "stop-sequence";
  stopSequence: string | undefined;
  /** A failure in mid-stream that the prompt asked for, and the place in `text` where it happens. */
  trouble: { kind: "error" | "break"; at: number } | undefined;
}

/** Writes, cuts at the first stop sequence, then at the token limit, which reasoning counts against too. */
export function planAnswer(request: AnswerRequest): AnswerPlan {
  const { model, stops } = request;
  const limit = Math.min(request.maxTokens ?? model.outputTokens, model.outputTokens);
  const isReasoning = model.reasons && request.shows === "reasoning";
  const reasoning = isReasoning ? splitTokens(writeReasoning(request.prompt, request.seed)) : [];
  const whole = writeAnswer(request, limit);
  const stop = firstStop(whole, stops);
  const text = splitTokens(stop === undefined ? whole : whole.slice(0, stop.at));
  const isCut = reasoning.length + text.length > limit;
  const spoken = text.slice(0, Math.max(0, limit - reasoning.length));
  return {
    reasoning: reasoning.slice(0, limit),
    text: spoken,
    trouble: askedTrouble(request.prompt, spoken.length),
    finish: isCut ? "length" : stop === undefined ? "stop" : "stop-sequence",
    stopSequence: isCut ? undefined : stop?.sequence,
  };
}

/** The documented words `stream-error` and `stream-break`. */
function askedTrouble(prompt: string, length: number): AnswerPlan["trouble"] {
  const kind = /\bstream-(error|break)\b/.exec(prompt)?.[1];
  return kind === "error" || kind === "break" ? { kind, at: Math.floor(length / 2) } : undefined;
}

function firstStop(text: string, stops: readonly string[]): { at: number; sequence: string } | undefined {
  return stops
    .filter((sequence) => sequence !== "")
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
}

/** Tokens that an answer is charged for. */
export function outputTokens(plan: AnswerPlan): number {
  return plan.reasoning.length + plan.text.length;
}
