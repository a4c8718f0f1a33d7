import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MARKED_TEMPLATE } from "#chat/prompt-template.ts";
import { documentBody, OWN_FIELDS, requestBody } from "#chat/request-body.ts";
import { someColumn, somePath, someTurn } from "./some-conversation.ts";

// The bodies of spec 4.2.

describe("the messages body", () => {
  test("has model, max_tokens and messages, and nothing that is not set", () => {
    const body = requestBody(someColumn({ params: {} }), somePath("Hello", "Hi", "And?"));
    expect(body).toEqual({
      model: "quill-2",
      max_tokens: 1024,
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi" },
        { role: "user", content: "And?" },
      ],
    });
  });

  test("automatic caching marks the system prompt and the two newest questions", () => {
    const column = someColumn({ cacheMode: "auto", system: "Be brief." });
    const body = requestBody(column, somePath("One", "1", "Two", "2", "Three"));
    expect(body.system).toEqual([{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }]);
    const marked = (body.messages as { content: unknown }[]).map(({ content }) => typeof content !== "string");
    expect(marked).toEqual([false, false, true, false, true]);
  });

  test("pins mark exactly the pinned parts, at most four per request", () => {
    const path = somePath("1", "2", "3", "4", "5", "6", "7").map((turn) => ({ ...turn, isPinned: true }));
    const column = someColumn({ cacheMode: "pins", system: "S", isSystemPinned: true });
    const text = JSON.stringify(requestBody(column, path));
    expect(text.match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify(requestBody({ ...column, cacheMode: "off" }, path))).not.toContain("cache_control");
  });

  test("a final answer becomes a trimmed prefill, and empty answers are dropped", () => {
    const path = [...somePath("Count", "One, two "), someTurn({ role: "assistant", text: " " })];
    expect(requestBody(someColumn(), path).messages).toEqual([
      { role: "user", content: "Count" },
      { role: "assistant", content: "One, two" },
    ]);
  });
});

describe("the responses body", () => {
  const column = someColumn({ endpoint: "responses", params: {}, system: "Be brief." });

  test("one question is sent as a string", () => {
    expect(requestBody(column, somePath("Hello"))).toEqual({
      model: "quill-2",
      instructions: "Be brief.",
      input: "Hello",
    });
  });

  test("a conversation is sent as typed items, or as text after a refusal", () => {
    const path = somePath("Hello", "Hi", "And?");
    expect(requestBody(column, path).input).toMatchObject([
      { type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "And?" }] },
    ]);
    expect(requestBody(column, path, "text").input).toBe("User: Hello\n\nAssistant: Hi\n\nUser: And?");
  });
});

describe("the completions body", () => {
  test("a chat is written with the template, whose stop sequence is sent", () => {
    const column = someColumn({ endpoint: "completions", isDocument: false, params: {}, system: "S" });
    expect(requestBody(column, somePath("A", "B", "$& C"))).toEqual({
      model: "quill-2",
      stop: ["\nUser:"],
      prompt: "S\n\nUser: A\nAssistant: B\nUser: $& C\nAssistant:",
    });
    const marked = { ...column, template: MARKED_TEMPLATE };
    expect(requestBody(marked, somePath("A", "Half a")).prompt).toMatch(/<\|im_start\|>assistant\nHalf a$/);
  });

  test("a document is sent unchanged", () => {
    const column = someColumn({ endpoint: "completions", params: { max_tokens: 5 } });
    expect(documentBody(column, "Once upon")).toEqual({ model: "quill-2", max_tokens: 5, prompt: "Once upon" });
  });
});

test("set parameters are sent unchanged, except fields that the conversation fills", () => {
  const endpoints = fc.constantFrom("messages" as const, "responses" as const, "completions" as const);
  const texts = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(endpoints, texts, fc.dictionary(fc.string(), fc.jsonValue()), (endpoint, messages, params) => {
      const column = someColumn({ endpoint, params, isDocument: false });
      const body = requestBody(column, somePath(...messages));
      expect(body.model).toBe("quill-2");
      for (const [name, value] of Object.entries(params)) {
        if (OWN_FIELDS.some((own) => own === name)) continue;
        expect(body[name]).toEqual(value);
      }
      if (Array.isArray(body.messages)) {
        const roles = body.messages.map(({ role }: { role: string }) => role);
        expect(roles.every((role, index) => role !== roles[index - 1])).toBe(true);
      }
    }),
  );
});
