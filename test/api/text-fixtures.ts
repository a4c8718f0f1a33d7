import type { TextEndpoint } from "#api/text-types.ts";

/** What an exchange comes to, whatever the pieces it arrived in. */
export interface TextOutcome {
  text: string;
  reasoning?: string;
  how: "complete" | "early" | "error";
  stopReason?: string;
  /** Where `how` is `error`: the service's own words. */
  message?: string;
  /** Input, output, cached, cache writes, reasoning; only what was told. */
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
