import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { COMPLETION_FIXTURES } from "./completion-fixtures.ts";
import { MESSAGE_FIXTURES } from "./message-fixtures.ts";
import { RESPONSE_FIXTURES } from "./response-fixtures.ts";
import { answering, collect, outcomeOf, type TextFixture } from "./text/text-fixtures.ts";

const setup = (fetch: typeof globalThis.fetch) => ({
  apiKey: "k",
  baseURL: "http://inference.example/v1",
  maxRetries: 0,
  logLevel: "off" as const,
  fetch,
});

/** The text that the official client of an endpoint reads out of a stream. Throws where the client does. */
const READERS = {
  async *completions(fetch: typeof globalThis.fetch) {
    const stream = await new OpenAI(setup(fetch)).completions.create({ model: "m", prompt: "p", stream: true });
    for await (const { choices } of stream) yield choices?.[0]?.text ?? "";
  },
  async *responses(fetch: typeof globalThis.fetch) {
    const stream = await new OpenAI(setup(fetch)).responses.create({ model: "m", input: "i", stream: true });
    for await (const event of stream) {
      if (event.type === "response.output_text.delta") yield event.delta;
    }
  },
  async *messages(fetch: typeof globalThis.fetch) {
    const client = new Anthropic({ ...setup(fetch), baseURL: "http://inference.example" });
    const stream = await client.messages.create({ model: "m", max_tokens: 5, messages: [], stream: true });
    for await (const event of stream) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
    }
  },
};

async function theirs({ endpoint, body }: TextFixture): Promise<{ text: string; threw: boolean }> {
  let text = "";
  try {
    for await (const piece of READERS[endpoint](answering([new TextEncoder().encode(body)]))) text += piece;
    return { text, threw: false };
  } catch {
    return { text, threw: true };
  }
}

// Spec 4.2.
describe.each([
  ["completions", COMPLETION_FIXTURES],
  ["responses", RESPONSE_FIXTURES],
  ["messages", MESSAGE_FIXTURES],
] as const)("%s beside its official client", (endpoint, fixtures) => {
  const streams = fixtures.filter(({ body }) => /^(event|data|:)/.test(body));

  it.each(streams.map((fixture) => [fixture.name, fixture] as const))("%s: no text is lost", async (_name, fixture) => {
    const ours = outcomeOf(await collect(endpoint, answering([new TextEncoder().encode(fixture.body)])));
    const { text, threw } = await theirs(fixture);
    // The official reader gives up on some deviations; what it read until then, ours read as well.
    expect(ours.text.startsWith(text)).toBe(true);
    if (threw) expect(ours.how).not.toBe("early");
  });

  it("the format's own order gives both the same text", async () => {
    const own = streams[0];
    if (own === undefined) throw new Error("No fixture.");
    expect(await theirs(own)).toEqual({ text: own.outcome.text, threw: false });
  });
});
