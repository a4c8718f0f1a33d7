import "../setup/page-stand-in.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { RefusedError, StreamedError } from "#api/api-error.ts";
import { readError } from "#api/read-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import type { JsonRecord } from "#lib/read.ts";
import { getCapabilities, isCuredByText, streamResponse } from "#text/answer-request.ts";
import { someColumn, somePath } from "./conversations/some-conversation.ts";

beforeEach(() => localStorage.clear());

/** Refusals as frameworks and services word them. */
const CURED: [status: number, body: unknown][] = [
  [422, { detail: [{ type: "string_type", loc: ["body", "input"], msg: "Input should be a valid string" }] }],
  [422, { detail: [{ loc: ["body", "input", "str"], msg: "Input should be a valid string" }] }],
  [400, { error: { message: "Invalid type for 'input': expected a string", param: "input" } }],
  [400, { error: { message: "Bad request" } }],
  [400, { error: "input must be a string" }],
  [415, { error: { message: "Unsupported content" } }],
  [500, { error: { message: "json: cannot unmarshal array into Go struct field .input of type string" } }],
  [500, "TypeError: expected str, got list"],
  [404, { error: { message: "input items are not supported: a valid string is required" } }],
  [400, { message: "data did not match any variant of untagged enum Input" }],
];
const NOT_CURED: [status: number, body: unknown][] = [
  [422, { detail: [{ loc: ["body", "temperature"], msg: "Input should be less than or equal to 2" }] }],
  [400, { error: { message: "Unsupported value", param: "reasoning.effort" } }],
  [400, { error: { message: "Your input was flagged by our moderation" } }],
  [400, { error: { message: "This model's maximum context length is 8192 tokens" } }],
  [404, { error: { message: "No endpoints for model x" } }],
  [500, { error: { message: "Internal server error" } }],
  [500, ""],
  [400, "<html><body>Bad request</body></html>"],
  [415, "<html><body>Unsupported content type</body></html>"],
  [400, "Bad request"],
  [502, { error: { message: "All endpoints failed for x: input must be a string" } }],
  [401, { error: { message: "Invalid type of key: input a valid string" } }],
  [402, { error: { message: "Insufficient credits" } }],
  [429, { error: { message: "input rate" } }],
];
const refusal = (status: number, body: unknown) =>
  readError(status, typeof body === "string" ? body : JSON.stringify(body));

describe("a refusal of items", () => {
  test.each(CURED)("%i %j is cured by a string", (status, body) => {
    expect(isCuredByText(refusal(status, body))).toBe(true);
  });

  test.each(NOT_CURED)("%i %j is not", (status, body) => {
    expect(isCuredByText(refusal(status, body))).toBe(false);
  });

  test("without words is no reason where the model has taken items before", () => {
    expect(isCuredByText(refusal(400, { error: { message: "Bad request" } }), true)).toBe(false);
  });

  test("inside an answer of status 200 needs words about the kind", () => {
    expect(isCuredByText(new StreamedError({ message: "input: expected a string" }))).toBe(true);
    expect(isCuredByText(new StreamedError({ message: "boom" }))).toBe(false);
  });
});

const column = someColumn({ endpoint: "responses", params: {} });
const form: TextEvent = { kind: "delivery", atMs: 1, isStream: true };
const done: TextEvent[] = [
  form,
  { kind: "text", atMs: 2, text: "Yes", choice: 0 },
  { kind: "end", atMs: 3, how: "complete", stopReason: "completed" },
];
const refused = (atMs = 1): TextEvent => ({
  kind: "error",
  atMs,
  error: new RefusedError({ status: 422, message: "input must be a string" }),
});

/** Asks a service that answers as `answer` says, and gives the inputs that were sent and the last event. */
async function ask(response: (input: unknown, count: number) => readonly TextEvent[]) {
  const inputs: unknown[] = [];
  const client = {
    async *stream(_endpoint: string, body: JsonRecord) {
      inputs.push(body.input);
      yield* response(body.input, inputs.length);
    },
  };
  const path = somePath("Hello", "Hi", "And?");
  const { signal } = new AbortController();
  const request = { client, accountId: "a", conversationId: "c", column, path, signal };
  let last: TextEvent | undefined;
  for await (const event of streamResponse(request)) last = event;
  return { inputs, last };
}

describe("the fallback to a string", () => {
  test("is made once and remembered, so that the next question goes as a string", async () => {
    const first = await ask((input) => (Array.isArray(input) ? [refused()] : done));
    expect(first.inputs).toEqual([expect.any(Array), "User: Hello\n\nAssistant: Hi\n\nUser: And?"]);
    expect(first.last).toMatchObject({ kind: "end", how: "complete" });
    const second = await ask(() => done);
    expect(second.inputs).toEqual(["User: Hello\n\nAssistant: Hi\n\nUser: And?"]);
  });

  test("that is refused as well is not remembered, and its refusal is shown", async () => {
    const { inputs, last } = await ask((_input, count) => [refused(count)]);
    expect(inputs).toHaveLength(2);
    expect(last).toMatchObject({ kind: "error", atMs: 2 });
    expect(getCapabilities("a", column).inputForm).toBeUndefined();
  });

  test("is not made once a token has come", async () => {
    const { inputs } = await ask(() => [form, { kind: "text", atMs: 1, text: "Y", choice: 0 }, refused()]);
    expect(inputs).toHaveLength(1);
  });
});
