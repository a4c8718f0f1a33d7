import { describe, expect, it } from "vitest";
import type { JsonRecord } from "#lib/read.ts";
import { objects, openText } from "./text-client.ts";

const PATH = "/v1/completions";
const ASK = { model: "thicket-base", prompt: "The keeper lit the lamp and", max_tokens: 40 };

const choices = (body: JsonRecord) => body.choices as { index: number; text: string; finish_reason: string | null }[];

// Spec 4.2; text-endpoints section 1.
describe("POST /v1/completions", () => {
  it("answers a text completion with usage that adds up", async () => {
    const { status, json } = await openText().post(PATH, ASK);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: "text_completion",
      model: "thicket-base",
      choices: [{ index: 0, logprobs: null }],
    });
    expect(json.id).toMatch(/^cmpl-/);
    const { prompt_tokens, completion_tokens, total_tokens } = json.usage as Record<string, number>;
    expect(completion_tokens).toBe(40);
    expect(total_tokens).toBe((prompt_tokens ?? 0) + 40);
    expect(choices(json)[0]?.finish_reason).toBe("length");
  });

  it("streams data-only chunks of the same shape, then the reason, then [DONE]", async () => {
    const client = openText();
    const events = await client.stream(PATH, { ...ASK, temperature: 0 });
    expect(events.every(({ name }) => name === undefined)).toBe(true);
    expect(events.at(-1)?.data).toBe("[DONE]");
    const chunks = objects(events).map((chunk) => choices(chunk)[0]);
    expect(chunks.map((chunk) => chunk?.finish_reason)).toEqual([...Array(40).fill(null), "length"]);
    const whole = await client.post(PATH, { ...ASK, temperature: 0 });
    expect(chunks.map((chunk) => chunk?.text).join("")).toBe(choices(whole.json)[0]?.text);
  });

  it("sends usage in one more chunk without choices when include_usage is set", async () => {
    const events = await openText().stream(PATH, { ...ASK, stream_options: { include_usage: true } });
    const chunks = objects(events);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 40 } });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    const without = objects(await openText().stream(PATH, ASK));
    expect(without.every((chunk) => !("usage" in chunk))).toBe(true);
  });

  it("interleaves the choices of several prompts and of n, with their index", async () => {
    const events = await openText().stream(PATH, { ...ASK, prompt: ["One", "Two"], n: 2, max_tokens: 5 });
    const indices = objects(events).map((chunk) => choices(chunk)[0]?.index);
    expect(indices.slice(0, 5)).toEqual([0, 1, 2, 3, 0]);
    const { json } = await openText().post(PATH, { ...ASK, prompt: ["One", "Two"], n: 2, max_tokens: 5 });
    expect(choices(json).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(json.usage).toMatchObject({ completion_tokens: 20 });
  });

  it("stops before a stop sequence and leaves it out", async () => {
    const free = await openText().post(PATH, { ...ASK, max_tokens: 200, temperature: 0 });
    const text = choices(free.json)[0]?.text ?? "";
    const stop = text.slice(20, 26);
    const { json } = await openText().post(PATH, { ...ASK, max_tokens: 200, temperature: 0, stop: ["\u0000", stop] });
    expect(choices(json)[0]).toMatchObject({ text: text.slice(0, text.indexOf(stop)), finish_reason: "stop" });
  });

  it("repeats the prompt with echo", async () => {
    const { json } = await openText().post(PATH, { ...ASK, echo: true });
    expect(choices(json)[0]?.text.startsWith(ASK.prompt)).toBe(true);
    const chunks = objects(await openText().stream(PATH, { ...ASK, echo: true }));
    expect(choices(chunks[0] ?? {})[0]?.text).toBe(ASK.prompt);
  });

  it("ends with reason stop when nothing cuts the answer", async () => {
    const { json } = await openText().post(PATH, { model: "thicket-base", prompt: "def total(items):" });
    expect(choices(json)[0]?.finish_reason).toBe("stop");
  });

  // Spec 7.
  it.each([
    ["prompt", { prompt: undefined }],
    ["prompt", { prompt: [] }],
    ["prompt", { prompt: { text: "no" } }],
    ["max_tokens", { max_tokens: -1 }],
    ["max_tokens", { max_tokens: 1.5 }],
    ["temperature", { temperature: 3 }],
    ["stop", { stop: ["a", "b", "c", "d", "e"] }],
    ["n", { n: 0 }],
    ["best_of", { best_of: 2, stream: true }],
    ["stream", { stream: "yes" }],
    ["logprobs", { logprobs: 6 }],
  ])("refuses a wrong %s with 400 that names it", async (name, change) => {
    const { status, json } = await openText().post(PATH, { ...ASK, ...change });
    expect(status).toBe(400);
    expect((json.error as { message: string }).message).toContain(name);
  });
});
