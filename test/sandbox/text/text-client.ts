import { createParser } from "eventsource-parser";
import type { JsonRecord } from "#lib/read.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { type Answer, type CallOptions, ORIGIN, openSandbox, type SandboxClient } from "../sandbox-client.ts";

/** One server-sent event as the standard's own parser reads it. */
export interface StreamEvent {
  name: string | undefined;
  /** The JSON, or the text where it is none (`[DONE]`). */
  data: JsonRecord | string;
}

export interface TextClient extends SandboxClient {
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  /** Asks for a stream and reads it to its end. */
  stream(path: string, body: JsonRecord): Promise<StreamEvent[]>;
}

/** A sandbox whose waits take no time. */
export function openText(options: SandboxOptions = {}): TextClient {
  const client = openSandbox({ wait: () => Promise.resolve(), ...options });
  const post = (path: string, body: unknown, call: CallOptions = {}) =>
    client.raw("POST", `${ORIGIN}/sandbox${path}`, { key: "sandbox-key", body, ...call });
  return {
    ...client,
    post,
    stream: async (path, body) => parseEvents((await post(path, { ...body, stream: true })).text),
  };
}

export function parseEvents(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ name: event, data: parse(data) }),
  });
  parser.feed(text);
  return events;
}

/** The events' data, without `[DONE]`. */
export function objects(events: readonly StreamEvent[]): JsonRecord[] {
  return events.flatMap(({ data }) => (typeof data === "string" ? [] : [data]));
}

function parse(text: string): JsonRecord | string {
  try {
    return JSON.parse(text) as JsonRecord;
  } catch {
    return text;
  }
}
