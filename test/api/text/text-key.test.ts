import { describe, expect, it } from "vitest";
import { streamText } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { answering, DONE, event, typed } from "./text-fixtures.ts";

const KEY = "sk-canary-4f1d0c9b8a7e6d5c";
const bytes = (text: string) => new TextEncoder().encode(text);

async function stream(endpoint: TextEndpoint, body: string): Promise<TextEvent[]> {
  const target = {
    inferenceBaseUrl: "http://inference.example",
    fetch: answering([bytes(body)]),
    keyShape: shapeOfKey(KEY),
  };
  const events: TextEvent[] = [];
  for await (const one of streamText(endpoint, target, { model: "m" })) events.push(one);
  return events;
}

const textOf = (events: TextEvent[], kind: "text" | "reasoning", choice = 0) =>
  events
    .flatMap((one) => (one.kind === kind && (one.kind === "reasoning" || one.choice === choice) ? [one.text] : []))
    .join("");

const chunk = (text: string, index = 0) =>
  event({ id: "c", object: "text_completion", model: "m", choices: [{ index, text, finish_reason: null }] });

/** Up to seven characters that begin as the key does are shown where they arrive alone: too few to hold back a text for. */
const REDACTED = /(sk?-?c?a?n?a?)?\[key\]/;

/** The text in parts of so many characters. */
const parts = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];

// Part 5: a key that a service repeats inside a stream.
describe("a key that arrives in a text stream", () => {
  it.each([1, 2, 3, 5, 8, 13, 26, 40])("in parts of %i characters is redacted before it is yielded", async (size) => {
    const body =
      parts(`Yours is ${KEY}, is it not?`, size)
        .map((part) => chunk(part))
        .join("") + DONE;
    const text = textOf(await stream("completions", body), "text");
    expect(text.replace(REDACTED, "[key]")).toBe("Yours is [key], is it not?");
  });

  it("is redacted in each of several choices that come by turns", async () => {
    const [first, second] = [parts(`a ${KEY} b`, 4), parts(`c ${KEY} d`, 4)];
    const body = first.map((part, at) => chunk(part, 0) + chunk(second[at] ?? "", 1)).join("") + DONE;
    const events = await stream("completions", body);
    const texts = [textOf(events, "text", 0), textOf(events, "text", 1)];
    expect(texts.map((text) => text.replace(REDACTED, "[key]"))).toEqual(["a [key] b", "c [key] d"]);
  });

  it.each([3, 7, 40])("in the input of a tool's call, in parts of %i, is redacted there too", async (size) => {
    const call = (name: object, part: string) =>
      event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { ...name, arguments: part } }] } }] });
    const pieces = parts(`{"key":"${KEY}"}`, size);
    const body = call({ name: "send" }, "") + pieces.map((part) => call({}, part)).join("") + DONE;
    const events = await stream("completions", body);
    const input = events.flatMap((one) => (one.kind === "part-text" ? [one.text] : [])).join("");
    expect(input.replace(REDACTED, "[key]")).toBe('{"key":"[key]"}');
  });

  it("is redacted from reasoning, beside a text that it does not disturb", async () => {
    const delta = (index: number, part: object) => typed({ type: "content_block_delta", index, delta: part });
    const body = [
      typed({ type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } }),
      typed({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }),
      typed({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }),
      ...parts(KEY, 6).flatMap((part) => [
        delta(0, { type: "thinking_delta", thinking: part }),
        delta(1, { type: "text_delta", text: "." }),
      ]),
      typed({ type: "message_stop" }),
    ].join("");
    const events = await stream("messages", body);
    expect(textOf(events, "reasoning").replace(REDACTED, "[key]")).toBe("[key]");
    expect(textOf(events, "text")).toBe(".....");
  });

  it("that breaks off within it yields what was not the key", async () => {
    const body = parts(`It is ${KEY.slice(0, 20)}`, 4)
      .map((part) => chunk(part))
      .join("");
    const events = await stream("completions", body);
    expect(textOf(events, "text")).toBe(`It is ${KEY.slice(0, 20)}`);
    expect(events.at(-1)).toMatchObject({ kind: "end", how: "early" });
  });

  it("that begins like it and is another text arrives whole", async () => {
    const text = `${KEY.slice(0, -1)}X and ${KEY.slice(0, 12)} more`;
    const body =
      parts(text, 3)
        .map((part) => chunk(part))
        .join("") + DONE;
    expect(textOf(await stream("completions", body), "text")).toBe(text);
  });
});
