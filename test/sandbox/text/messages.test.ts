import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { objects, openText } from "./text-client.ts";

const PATH = "/v1/messages";
const ASK = {
  model: "quill-2",
  max_tokens: 2000,
  temperature: 0,
  messages: [{ role: "user", content: "Compare tea and coffee" }],
};

const content = (body: JsonRecord) => body.content as { type: string; text?: string; thinking?: string }[];

// Spec 4.2; text-endpoints section 3.
describe("POST /v1/messages", () => {
  it("answers a message of one text block, with stop reason and usage", async () => {
    const { status, json } = await openText().post(PATH, ASK);
    expect(status).toBe(200);
    expect(json).toMatchObject({ type: "message", role: "assistant", stop_reason: "end_turn", stop_sequence: null });
    expect(content(json)[0]?.text).toMatch(/^## Compare tea and coffee/);
    expect(json.usage).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
  });

  it("streams named events in order, without numbers and without [DONE]", async () => {
    const client = openText();
    const events = await client.stream(PATH, ASK);
    const data = objects(events);
    expect(data).toHaveLength(events.length);
    expect(events.map(({ name }) => name)).toEqual(data.map(({ type }) => type));
    const types = data.map(({ type }) => String(type));
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(data.some((event) => "sequence_number" in event)).toBe(false);
    const text = data.map(({ delta }) => (delta as { text?: string } | undefined)?.text ?? "").join("");
    expect(text).toBe(content((await client.post(PATH, ASK)).json)[0]?.text);
    const count = types.filter((type) => type === "content_block_delta").length;
    expect(data.find(({ type }) => type === "message_delta")).toMatchObject({ usage: { output_tokens: count } });
  });

  it("goes on where an answer stopped that is sent along as begun", async () => {
    const client = openText();
    const whole = content((await client.post(PATH, ASK)).json)[0]?.text;
    const begun = content((await client.post(PATH, { ...ASK, max_tokens: 7 })).json)[0]?.text;
    const messages = [...ASK.messages, { role: "assistant", content: begun }];
    const rest = content((await client.post(PATH, { ...ASK, messages })).json)[0]?.text;
    expect(begun).not.toBe("");
    expect(`${begun}${rest}`).toBe(whole);
  });

  it("stops at max_tokens with that stop reason", async () => {
    const { json } = await openText().post(PATH, { ...ASK, max_tokens: 7 });
    expect(json).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 7 } });
  });

  it("streams the prompt's usage with cached tokens first, the answer's last", async () => {
    const system = [{ type: "text", text: "The lamp is lit. ".repeat(400), cache_control: { type: "ephemeral" } }];
    const client = openText();
    const usages = async () => {
      const data = objects(await client.stream(PATH, { ...ASK, system, max_tokens: 7 }));
      const start = data.find(({ type }) => type === "message_start")?.message as JsonRecord;
      return { start: start.usage as JsonRecord, end: data.find(({ type }) => type === "message_delta") };
    };
    const { start, end } = await usages();
    expect(start).toMatchObject({ cache_read_input_tokens: 0, output_tokens: 1 });
    expect(start.cache_creation_input_tokens).toBeGreaterThan(1000);
    expect(end).toMatchObject({
      delta: { stop_reason: "max_tokens", stop_sequence: null },
      usage: { output_tokens: 7 },
    });
    expect((await usages()).start).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: start.cache_creation_input_tokens,
    });
  });

  it("stops before a stop sequence and names it", async () => {
    const { json } = await openText().post(PATH, { ...ASK, stop_sequences: ["nowhere", "coffee"] });
    expect(json).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "coffee" });
    expect(content(json)[0]?.text).toBe("## Compare tea and ");
    const data = objects(await openText().stream(PATH, { ...ASK, stop_sequences: ["nowhere", "coffee"] }));
    expect(data.find(({ type }) => type === "message_delta")).toMatchObject({
      delta: { stop_reason: "stop_sequence", stop_sequence: "coffee" },
    });
  });

  it("the reasoning model sends signed thinking only when thinking is on", async () => {
    const ponder = { ...ASK, model: "quill-2-ponder" };
    const thinking = { type: "enabled", budget_tokens: 1024 };
    const { json } = await openText().post(PATH, { ...ponder, thinking });
    expect(content(json).map(({ type }) => type)).toEqual(["thinking", "text"]);
    const deltas = objects(await openText().stream(PATH, { ...ponder, thinking })).flatMap(({ delta }) =>
      delta === undefined ? [] : [(delta as { type?: string }).type],
    );
    expect([...new Set(deltas)]).toEqual(["thinking_delta", "signature_delta", "text_delta", undefined]);
    expect(content((await openText().post(PATH, ponder)).json)).toHaveLength(1);
  });

  // Spec 5.3.
  it("accepts x-api-key, which no other endpoint does", async () => {
    const headers = { "x-api-key": "sandbox-key" };
    const client = openText();
    expect((await client.post(PATH, ASK, { key: undefined, headers })).status).toBe(200);
    const other = { key: undefined, headers };
    expect((await client.post("/v1/responses", { model: "quill-2", input: "Hi" }, other)).status).toBe(401);
    expect((await client.post("/v1/completions", { model: "quill-2", prompt: "Hi" }, other)).status).toBe(401);
  });

  it("refuses sampling fields from version 2026-10-21 on", async () => {
    const headers = { "anthropic-version": "2026-10-21" };
    const { status, json } = await openText().post(PATH, ASK, { headers });
    expect([status, (json.error as JsonRecord).message]).toEqual([
      400,
      "temperature: is not part of version 2026-10-21",
    ]);
    const { temperature: _, ...plain } = ASK;
    expect((await openText().post(PATH, plain, { headers })).status).toBe(200);
  });

  // Spec 7.
  it.each([
    ["max_tokens", { max_tokens: undefined }],
    ["max_tokens", { max_tokens: 0 }],
    ["messages", { messages: undefined }],
    ["messages", { messages: [] }],
    ["messages.0.role", { messages: [{ role: "system", content: "x" }] }],
    ["messages.0.content", { messages: [{ role: "user", content: "" }] }],
    ["messages.0.content.0.text", { messages: [{ role: "user", content: [{ type: "text" }] }] }],
    ["temperature", { temperature: 1.5 }],
    ["budget_tokens", { thinking: { type: "enabled", budget_tokens: 10 } }],
    ["budget_tokens", { thinking: { type: "enabled", budget_tokens: 2000 } }],
    ["thinking.type", { thinking: { type: "sometimes" } }],
    ["cache_control", { system: [{ type: "text", text: "x", cache_control: { type: "forever" } }] }],
  ])("refuses a wrong %s with 400 that names it", async (name, change) => {
    const { status, json } = await openText().post(PATH, { ...ASK, ...change });
    expect(status).toBe(400);
    expect((json.error as { message: string }).message).toContain(name);
  });
});
