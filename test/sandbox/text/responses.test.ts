import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { objects, openText } from "./text-client.ts";

const PATH = "/v1/responses";
const ASK = { model: "quill-2", input: "How do I plan a garden?", temperature: 0 };

interface Item {
  type: string;
  status?: string;
  summary?: { text: string }[];
  content?: { type: string; text: string }[];
}

const output = (body: JsonRecord) => body.output as Item[];

// Spec 4.2; text-endpoints section 2.
describe("POST /v1/responses", () => {
  it("answers one message item of output_text, with usage that adds up", async () => {
    const { status, json } = await openText().post(PATH, ASK);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: "response", status: "completed", error: null, incomplete_details: null });
    expect(output(json)).toMatchObject([{ type: "message", status: "completed", content: [{ type: "output_text" }] }]);
    const usage = json.usage as Record<string, number>;
    expect(usage.total_tokens).toBe((usage.input_tokens ?? 0) + (usage.output_tokens ?? 0));
  });

  describe("after an answer that stopped early", () => {
    const text = (body: JsonRecord) => output(body).at(-1)?.content?.[0]?.text ?? "";
    const question = { role: "user", content: ASK.input };
    const begin = async (client: ReturnType<typeof openText>) =>
      text((await client.post(PATH, { ...ASK, max_output_tokens: 7 })).json);

    it.each(["Continue exactly where you stopped.", "Continue", "please continue…"])(
      "%j goes on with it",
      async (wish) => {
        const client = openText();
        const whole = text((await client.post(PATH, ASK)).json);
        const begun = await begin(client);
        const input = [question, { role: "assistant", content: begun }, { role: "user", content: wish }];
        expect(begun).not.toBe("");
        expect(begun + text((await client.post(PATH, { ...ASK, input })).json)).toBe(whole);
      },
    );

    it("a message that asks for more than that is a new question", async () => {
      const client = openText();
      const whole = text((await client.post(PATH, ASK)).json);
      const begun = await begin(client);
      const wish = { role: "user", content: "Continue the story with a dragon" };
      const input = [question, { role: "assistant", content: begun }, wish];
      const answer = text((await client.post(PATH, { ...ASK, input })).json);
      expect(whole).not.toContain(answer);
      expect(answer).toMatch(/dragon/);
    });
  });

  it("streams named and numbered events in order, without [DONE]", async () => {
    const client = openText();
    const events = await client.stream(PATH, ASK);
    const data = objects(events);
    expect(data).toHaveLength(events.length);
    expect(events.map(({ name }) => name)).toEqual(data.map(({ type }) => type));
    expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, index) => index));
    const types = data.map(({ type }) => String(type));
    const delta = "response.output_text.delta";
    expect(types.filter((type, index) => type !== delta || types[index - 1] !== delta)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      delta,
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const text = data.map((event) => (event.type === delta ? event.delta : "")).join("");
    expect(data.find(({ type }) => type === "response.output_text.done")?.text).toBe(text);
    const last = data.at(-1)?.response as JsonRecord;
    expect(output(last)[0]?.content?.[0]?.text).toBe(text);
    expect(last.usage).toMatchObject({ output_tokens: types.filter((type) => type === delta).length });
  });

  it("ends in response.incomplete where max_output_tokens cuts it", async () => {
    const data = objects(await openText().stream(PATH, { ...ASK, max_output_tokens: 12 }));
    expect(data.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        usage: { output_tokens: 12 },
      },
    });
    const { json } = await openText().post(PATH, { ...ASK, max_output_tokens: 12 });
    expect(json).toMatchObject({ status: "incomplete", output: [{ status: "incomplete" }] });
  });

  it("the reasoning model sends reasoning first, or its summary when asked for", async () => {
    const thinking = { ...ASK, model: "quill-2-ponder" };
    const { json } = await openText().post(PATH, thinking);
    expect(output(json)).toMatchObject([
      { type: "reasoning", content: [{ type: "reasoning_text" }] },
      { type: "message" },
    ]);
    expect(json.usage).toMatchObject({ output_tokens_details: { reasoning_tokens: expect.any(Number) } });
    const raw = objects(await openText().stream(PATH, thinking)).map(({ type }) => type);
    expect([...new Set(raw)].slice(2, 6)).toEqual([
      "response.output_item.added",
      "response.reasoning_text.delta",
      "response.reasoning_text.done",
      "response.output_item.done",
    ]);
    const summed = objects(
      await openText().stream(PATH, { ...thinking, reasoning: { effort: "low", summary: "auto" } }),
    );
    const types = new Set(summed.map(({ type }) => type));
    expect([...types].filter((type) => String(type).includes("reasoning"))).toEqual([
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
    ]);
    expect(summed.find(({ type }) => type === "response.output_text.delta")).toMatchObject({ output_index: 1 });
    const without = await openText().post(PATH, { ...thinking, reasoning: { effort: "none" } });
    expect(output(without.json)).toHaveLength(1);
  });

  it("has no message when the limit ends the reasoning", async () => {
    const cut = { ...ASK, model: "quill-2-ponder", max_output_tokens: 5 };
    const { json } = await openText().post(PATH, cut);
    expect(output(json).map(({ type }) => type)).toEqual(["reasoning"]);
    const data = objects(await openText().stream(PATH, cut));
    expect(data.at(-1)).toMatchObject({ type: "response.incomplete" });
    expect(data.some(({ type }) => type === "response.content_part.added")).toBe(false);
  });

  it("accepts a conversation as items, with earlier answers as output_text", async () => {
    const input = [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "input_text", text: "Hello" }] },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
      { role: "user", content: "hello" },
    ];
    const { status, json } = await openText().post(PATH, { ...ASK, input });
    expect(status).toBe(200);
    expect(output(json)[0]?.content?.[0]?.text).toMatch(/^Hello again/);
  });

  // Spec 7.
  it.each([
    ["input", { input: undefined }],
    ["input", { input: [] }],
    ["input.0.role", { input: [{ role: "robot", content: "x" }] }],
    ["input.0.content", { input: [{ role: "user" }] }],
    ["max_tokens", { max_tokens: 5 }],
    ["messages", { messages: [] }],
    ["stop", { stop: "x" }],
    ["max_output_tokens", { max_output_tokens: 0 }],
    ["previous_response_id", { previous_response_id: "resp_1" }],
    ["instructions", { instructions: 4 }],
  ])("refuses a wrong or foreign %s with 400 that names it", async (name, change) => {
    const { status, json } = await openText().post(PATH, { ...ASK, ...change });
    expect(status).toBe(400);
    expect((json.error as { message: string }).message).toContain(name);
  });
});
