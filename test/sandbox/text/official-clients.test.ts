import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";

let server: SandboxServer;
beforeEach(() => {
  server = startSandboxServer({ tokensPerSecond: 2000, wait: () => Promise.resolve() });
});
afterEach(() => server.close());

const openai = (apiKey = "sandbox-key") =>
  new OpenAI({ apiKey, baseURL: `${server.inferenceBaseUrl}/v1`, maxRetries: 0 });
const anthropic = (apiKey = "sandbox-key") =>
  new Anthropic({ apiKey, baseURL: server.inferenceBaseUrl, maxRetries: 0 });

const PROMPT = "Compare tea and coffee";

// Spec 4.2; text-endpoints sections 1 and 2.
describe("npm openai, unchanged", () => {
  it("reads a whole completion", async () => {
    const answer = await openai().completions.create({ model: "thicket-base", prompt: "Once", max_tokens: 20 });
    expect(answer.choices[0]?.text.length).toBeGreaterThan(20);
    expect(answer.usage?.completion_tokens).toBe(20);
  });

  it("reads a streamed completion", async () => {
    const stream = await openai().completions.create({
      model: "thicket-base",
      prompt: "Once",
      max_tokens: 20,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let finish: string | null | undefined;
    let tokens = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.text ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
    expect(text.length).toBeGreaterThan(20);
    expect([finish, tokens]).toEqual(["length", 20]);
  });

  it("reads a whole response", async () => {
    const answer = await openai().responses.create({ model: "quill-2", input: PROMPT });
    expect(answer.status).toBe("completed");
    expect(answer.output_text).toContain("| Part | Effort |");
  });

  it("assembles a streamed response", async () => {
    const stream = openai().responses.stream({
      model: "quill-2-ponder",
      input: PROMPT,
      reasoning: { effort: "medium", summary: "auto" },
    });
    let text = "";
    let summary = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    stream.on("response.reasoning_summary_text.delta", ({ delta }) => {
      summary += delta;
    });
    const final = await stream.finalResponse();
    expect(final.output_text).toBe(text);
    expect(summary).toMatch(/^The question is about tea/);
    expect(final.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(10);
  });

  it("lists the models", async () => {
    const ids: string[] = [];
    for await (const { id } of openai().models.list()) ids.push(id);
    expect(ids).toContain("quill-2");
  });

  it.each([
    ["revoked-key", "quill-2", "AuthenticationError"],
    ["sandbox-key", "quill-9", "NotFoundError"],
    ["sandbox-key", "lumen-2", "NotFoundError"],
  ])("with %s and %s throws its own %s", async (key, model, name) => {
    const asked = openai(key).responses.create({ model, input: PROMPT });
    await expect(asked).rejects.toBeInstanceOf(OpenAI[name as "NotFoundError"]);
  });

  it("throws on an error in mid-stream", async () => {
    const stream = await openai().completions.create({ model: "quill-2", prompt: "stream-error", stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow("All endpoints failed for quill-2");
  });
});

// Spec 4.2; text-endpoints section 3.
describe("npm @anthropic-ai/sdk, unchanged", () => {
  const ask = { model: "quill-2", max_tokens: 800, messages: [{ role: "user" as const, content: PROMPT }] };

  it("reads a whole message", async () => {
    const message = await anthropic().messages.create(ask);
    expect(message.content[0]).toMatchObject({
      type: "text",
      text: expect.stringContaining("## Compare tea and coffee"),
    });
    expect(message.stop_reason).toBe("end_turn");
  });

  it("assembles a streamed message with thinking", async () => {
    const stream = anthropic().messages.stream({ ...ask, model: "quill-2-ponder", thinking: { type: "adaptive" } });
    let text = "";
    stream.on("text", (delta) => {
      text += delta;
    });
    const final = await stream.finalMessage();
    expect(final.content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    expect(final.content[1]).toMatchObject({ text });
    expect(final.usage.output_tokens).toBeGreaterThan(100);
    expect(final.stop_reason).toBe("end_turn");
  });

  // Spec 5.3.
  it("reads a message with the key as x-api-key alone", async () => {
    const client = new Anthropic({
      apiKey: "sandbox-key",
      baseURL: server.inferenceBaseUrl,
      maxRetries: 0,
      defaultHeaders: { authorization: null, "x-api-key": "sandbox-key" },
    });
    expect((await client.messages.create(ask)).role).toBe("assistant");
  });

  it("with cache_control the second message reads what the first wrote", async () => {
    const text = "The lamp is lit at dusk. ".repeat(60);
    const cached = { ...ask, system: [{ type: "text" as const, text, cache_control: { type: "ephemeral" as const } }] };
    const first = await anthropic().messages.create(cached);
    const second = await anthropic().messages.create(cached);
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(100);
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens);
  });

  it("throws its own errors, before a stream and within one", async () => {
    await expect(anthropic("revoked-key").messages.create(ask)).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const broken = { ...ask, messages: [{ role: "user" as const, content: "stream-error" }] };
    await expect(anthropic().messages.stream(broken).finalMessage()).rejects.toThrow("All endpoints failed");
  });
});
