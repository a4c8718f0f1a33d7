import type { JsonRecord } from "#lib/read.ts";
import type { AnswerPlan } from "./answer-plan.ts";

// Items of a response besides its message.

type Event = { type: string; tokens?: number } & JsonRecord;

/** Where a reasoning item stands in its response. */
export interface ReasoningPlace {
  id: string;
  index: number;
  hasSummary: boolean;
}

/** The finished reasoning item of a response. */
export function reasoningItem({ id, hasSummary }: ReasoningPlace, tokens: readonly string[]) {
  const text = tokens.join("");
  return hasSummary
    ? { id, type: "reasoning", summary: [{ type: "summary_text", text }] }
    : { id, type: "reasoning", summary: [], content: [{ type: "reasoning_text", text }] };
}

/** The events of a reasoning item: as a summary where one was asked for, as it is otherwise. */
export function* reasoningFrames(place: ReasoningPlace, tokens: readonly string[]): Generator<Event> {
  const { id, index, hasSummary } = place;
  const text = tokens.join("");
  const item = { id, type: "reasoning", summary: [], ...(hasSummary ? {} : { content: [] }) };
  yield { type: "response.output_item.added", output_index: index, item };
  const at = { item_id: id, output_index: index, ...(hasSummary ? { summary_index: 0 } : { content_index: 0 }) };
  const name = hasSummary ? "response.reasoning_summary_text" : "response.reasoning_text";
  if (hasSummary)
    yield { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } };
  for (const delta of tokens) yield { type: `${name}.delta`, ...at, delta, tokens: 1 };
  yield { type: `${name}.done`, ...at, text };
  if (hasSummary) yield { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text } };
  yield { type: "response.output_item.done", output_index: index, item: reasoningItem(place, tokens) };
}

/** The call of a tool. Its arguments are cut where the response is. */
export function callItem(id: string, { call, finish }: AnswerPlan) {
  const status = finish === "length" ? "incomplete" : "completed";
  return {
    id: `fc_${id}`,
    type: "function_call",
    status,
    call_id: `call_${id}`,
    name: call?.name ?? "",
    arguments: call?.input.join("") ?? "",
  };
}

/** The events of a call: its arguments in pieces, then all of them. */
export function* callFrames(id: string, plan: AnswerPlan, index: number): Generator<Event> {
  const item = callItem(id, plan);
  const at = { item_id: item.id, output_index: index };
  const begun = { ...item, status: "in_progress", arguments: "" };
  yield { type: "response.output_item.added", output_index: index, item: begun };
  for (const delta of plan.call?.input ?? []) {
    yield { type: "response.function_call_arguments.delta", ...at, delta, tokens: 1 };
  }
  yield { type: "response.function_call_arguments.done", ...at, name: item.name, arguments: item.arguments };
  yield { type: "response.output_item.done", output_index: index, item };
}
