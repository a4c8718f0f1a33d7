import { describe, expect, test } from "vitest";
import { documentBody, OWN_FIELDS, requestBody } from "#text/answer-request.ts";
import { CHATML_TEMPLATE } from "#text/conversations/conversation.ts";
import fc from "../setup/fc.ts";
import { someColumn, somePath, someTurn } from "./conversations/some-conversation.ts";

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
    expect(requestBody(column, path, { inputForm: "text" }).input).toBe("User: Hello\n\nAssistant: Hi\n\nUser: And?");
  });
});

describe("the completions body", () => {
  test("a chat is written with the template, whose stop sequence is sent", () => {
    const column = someColumn({ endpoint: "completions", isDocument: false, params: {}, system: "S" });
    expect(requestBody(column, somePath("A", "B", "$& C"))).toEqual({
      model: "quill-2",
      max_tokens: 1024,
      stop: ["\nUser:"],
      prompt: "S\n\nUser: A\nAssistant: B\nUser: $& C\nAssistant:",
    });
    const marked = { ...column, template: CHATML_TEMPLATE };
    expect(requestBody(marked, somePath("A", "Half a")).prompt).toMatch(/<\|im_start\|>assistant\nHalf a$/);
  });

  test("a document is sent unchanged", () => {
    const column = someColumn({ endpoint: "completions", params: { max_tokens: 5 } });
    expect(documentBody(column, "Once upon")).toEqual({ model: "quill-2", max_tokens: 5, prompt: "Once upon" });
  });
});

describe("what does not go along", () => {
  const refused = { how: "failed", error: { title: "", body: "", chargedText: "", nextStep: "" } } as const;
  const withRefusal = (sendAlong?: boolean) => {
    const [ask, response, bad, no, next] = somePath("Hello", "Hi", "Bad", "", "And?");
    if (!ask || !response || !bad || !no || !next) throw new Error("No path.");
    const chosen = sendAlong === undefined ? {} : { sendAlong };
    return [ask, response, { ...bad, ...chosen }, { ...no, outcome: refused }, next];
  };
  const texts = (body: Record<string, unknown>) =>
    (body.messages as { content: string }[]).map(({ content }) => content);

  test("a refused question stays out with its answer, unless it is sent along", () => {
    expect(texts(requestBody(someColumn(), withRefusal()))).toEqual(["Hello", "Hi", "And?"]);
    expect(texts(requestBody(someColumn(), withRefusal(true)))).toEqual(["Hello", "Hi", "Bad\n\nAnd?"]);
  });

  test("the question that is asked again goes, although it was refused", () => {
    expect(texts(requestBody(someColumn(), withRefusal().slice(0, 3)))).toEqual(["Hello", "Hi", "Bad"]);
  });

  test("a pair that the person leaves out stays out", () => {
    const [ask, response, next] = somePath("Hello", "Hi", "And?");
    if (!ask || !response || !next) throw new Error("No path.");
    expect(texts(requestBody(someColumn(), [{ ...ask, sendAlong: false }, response, next]))).toEqual(["And?"]);
  });

  test("a model's own refusal stays out too, and one question is a string again", () => {
    const [ask, response, next] = somePath("Bad", "", "And?");
    if (!ask || !response || !next) throw new Error("No path.");
    const path = [ask, { ...response, parts: [{ kind: "refusal" as const, text: "No." }] }, next];
    expect(requestBody(someColumn({ endpoint: "responses", params: {} }), path).input).toBe("And?");
  });
});

describe("pictures and calls in a body", () => {
  const picture = { id: "p", name: "sea.png", mimeType: "image/png" };
  const linked = { id: "l", name: "sky", mimeType: "image/jpeg", url: "https://files.example/sky.jpg" };
  const path = somePath("What is it?").map((turn) => ({ ...turn, pictures: [picture, linked] }));
  const pictures = new Map([["p", "iVBORw0KGgo="]]);

  test("messages has them as blocks before the text, by bytes or by address", () => {
    expect(requestBody(someColumn(), path, { pictures }).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          { type: "image", source: { type: "url", url: "https://files.example/sky.jpg" } },
          { type: "text", text: "What is it?" },
        ],
      },
    ]);
  });

  test("responses has them as items, whatever form the model takes", () => {
    const column = someColumn({ endpoint: "responses", params: {} });
    expect(requestBody(column, path, { pictures, inputForm: "text" }).input).toMatchObject([
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
          { type: "input_image", image_url: "https://files.example/sky.jpg" },
          { type: "input_text", text: "What is it?" },
        ],
      },
    ]);
  });

  test("completions is text alone", () => {
    const column = someColumn({ endpoint: "completions", isDocument: false, params: {} });
    expect(JSON.stringify(requestBody(column, path, { pictures }))).not.toContain("sky");
  });

  test("the call of a tool goes along in words, on every endpoint", () => {
    const [ask, response, next] = somePath("Weather?", "", "It is warm.");
    if (!ask || !response || !next) throw new Error("No path.");
    const parts = [{ kind: "tool-call" as const, name: "weather", input: '{"city":"Oslo"}' }];
    const called = [ask, { ...response, parts, outcome: { how: "complete" as const } }, next];
    for (const endpoint of ["messages", "responses", "completions"] as const) {
      const text = JSON.stringify(requestBody(someColumn({ endpoint, isDocument: false, params: {} }), called));
      expect(text).toContain(JSON.stringify('[Tool call: weather({"city":"Oslo"})]').slice(1, -1));
    }
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
