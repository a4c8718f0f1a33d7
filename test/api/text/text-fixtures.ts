import { streamText, type TextOptions } from "#api/text/text-client.ts";
import type { AnswerPart, TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { addPartText } from "#text/answer.ts";

/** What an exchange comes to, whatever the pieces it arrived in. */
export interface TextOutcome {
  text: string;
  reasoning?: string;
  /** What there is besides, by its place in the answer. */
  parts?: Record<string, AnswerPart>;
  how: "complete" | "early" | "error";
  stopReason?: string;
  /** Where `how` is `error`: the service's own words. */
  message?: string;
  /** Input, output, cached, cache writes, reasoning; only what was reported. */
  usage?: Record<string, number>;
}

export interface TextFixture {
  name: string;
  endpoint: TextEndpoint;
  body: string;
  contentType?: string;
  outcome: TextOutcome;
}

/** One event as servers write it; `name` gives it an `event:` line. */
export function event(data: unknown, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}

/** An event whose name is its own `type`, as two of the formats write it. */
export function typed(data: { type: string } & Record<string, unknown>): string {
  return event(data, data.type);
}

export const DONE = event("[DONE]");

export function completionChunk(text: string, finish_reason: string | null = null, more: object = {}) {
  const choice = { index: 0, text, logprobs: null, finish_reason };
  return { id: "cmpl-1", object: "text_completion", created: 1_700_000_000, model: "m", choices: [choice], ...more };
}

/** A `fetch` that answers 200 with the given pieces, one chunk each. */
export function answering(pieces: Uint8Array[], contentType = "text/event-stream"): typeof fetch {
  return () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": contentType } }));
  };
}

export async function collect(endpoint: TextEndpoint, fetch: typeof globalThis.fetch, options: TextOptions = {}) {
  const target = { inferenceBaseUrl: "http://inference.example", key: "canary-key-9f3c", fetch };
  const events: TextEvent[] = [];
  for await (const event of streamText(endpoint, target, { model: "m" }, options)) events.push(event);
  return events;
}

/** What the events come to. */
export function outcomeOf(events: TextEvent[]): TextOutcome {
  const outcome: TextOutcome = { text: "", how: "early" };
  for (const event of events) {
    if (event.kind === "text") outcome.text += event.text;
    else if (event.kind === "reasoning") outcome.reasoning = (outcome.reasoning ?? "") + event.text;
    else if (event.kind === "part") outcome.parts = { ...outcome.parts, [event.key]: event.part };
    else if (event.kind === "part-text") {
      const part = addPartText(outcome.parts?.[event.key], event);
      outcome.parts = { ...outcome.parts, [event.key]: part };
    } else if (event.kind === "usage") {
      const { raw: _, ...counts } = event.usage;
      outcome.usage = counts as Record<string, number>;
    } else if (event.kind === "error") {
      outcome.how = "error";
      outcome.message = event.error.message;
    } else if (event.kind === "end" && event.how !== "stopped") {
      outcome.how = event.how;
      if (event.stopReason !== undefined) outcome.stopReason = event.stopReason;
    }
  }
  return outcome;
}
