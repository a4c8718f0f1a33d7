import { DONE, event, type TextFixture, typed } from "./text/text-fixtures.ts";

const usage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: 8,
};
const reported = { inputTokens: 5, outputTokens: 3, cachedTokens: 4, cacheWriteTokens: 0, reasoningTokens: 1 };
const base = { id: "resp_1", object: "response", model: "m", error: null, incomplete_details: null };
const at = { item_id: "msg_1", output_index: 1, content_index: 0 };
const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Héllo 👋" }] };
const begin =
  typed({ type: "response.created", sequence_number: 0, response: { ...base, status: "in_progress", output: [] } }) +
  typed({ type: "response.in_progress", sequence_number: 1, response: { ...base, status: "in_progress", output: [] } });
const deltas =
  typed({ type: "response.output_text.delta", ...at, delta: "Hé", logprobs: [] }) +
  typed({ type: "response.output_text.delta", ...at, delta: "llo 👋" });
const partDone = typed({ type: "response.output_text.done", ...at, text: "Héllo 👋" });
const completed = typed({
  type: "response.completed",
  response: { ...base, status: "completed", output: [message], usage },
});
const whole = { text: "Héllo 👋", how: "complete", stopReason: "completed", usage: reported } as const;
const half = { text: "Héllo 👋", how: "error" } as const;

const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "weather", arguments: '{"city":"Oslo"}' };
const called = { kind: "tool-call", name: "weather", input: '{"city":"Oslo"}' } as const;
const source = { type: "url_citation", url: "https://tide.example/a", title: "Tides", start_index: 0, end_index: 3 };
const cited = { kind: "citation", title: "Tides", url: "https://tide.example/a", quote: "" } as const;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** POST /v1/responses: the format's own order, then how servers deviate. */
export const RESPONSE_FIXTURES: TextFixture[] = (
  [
    [
      "the whole order of a plain answer",
      begin +
        typed({ type: "response.output_item.added", output_index: 1, item: { ...message, content: [] } }) +
        typed({ type: "response.content_part.added", ...at, part: { type: "output_text", text: "" } }) +
        deltas +
        partDone +
        typed({ type: "response.content_part.done", ...at, part: message.content[0] }) +
        typed({ type: "response.output_item.done", output_index: 1, item: message }) +
        completed,
      whole,
    ],
    ["[DONE] after the end", begin + deltas + completed + DONE, whole],
    ["without the names of the events", (begin + deltas + completed).replaceAll(/event: .*\n/g, ""), whole],
    ["without type in the data", (begin + deltas + completed).replaceAll(/"type":"response[^"]*",?/g, ""), whole],
    [
      "without indices and ids",
      event({ type: "response.output_text.delta", delta: "Héllo" }) +
        event({ type: "response.output_text.delta", delta: " 👋" }) +
        event({ type: "response.output_text.done", text: "Héllo 👋" }) +
        completed,
      whole,
    ],
    ["text only when a part is done", begin + partDone + completed, whole],
    ["text only in the final object", begin + completed, whole],
    [
      "truncated",
      deltas +
        typed({
          type: "response.incomplete",
          response: {
            ...base,
            status: "incomplete",
            incomplete_details: { reason: "max_output_tokens" },
            output: [message],
          },
        }),
      { text: "Héllo 👋", how: "complete", stopReason: "max_output_tokens" },
    ],
    [
      "failed",
      deltas +
        typed({
          type: "response.failed",
          response: { ...base, status: "failed", error: { code: "server_error", message: "boom" }, output: [] },
        }),
      { ...half, message: "boom" },
    ],
    [
      "failed and silent about why",
      deltas + typed({ type: "response.failed", response: { ...base } }),
      { ...half, message: "The response ended with an error, and the service gave no reason." },
    ],
    [
      "an error that is flat, as documented",
      deltas + typed({ type: "error", code: "server_error", message: "boom", param: null, sequence_number: 4 }),
      { ...half, message: "boom" },
    ],
    [
      "an error that is nested, as sent",
      deltas + typed({ type: "error", sequence_number: 2, error: { type: "x", code: "y", message: "boom" } }),
      { ...half, message: "boom" },
    ],
    ["an error without a name", deltas + event({ error: { message: "boom" } }), { ...half, message: "boom" }],
    ["cut off", begin + deltas, { text: "Héllo 👋", how: "early" }],
    ["cut off after a part was done", begin + deltas + partDone, { text: "Héllo 👋", how: "early" }],
    ["the end without its blank line", (begin + deltas + completed).trimEnd(), whole],
    [
      "reasoning as text",
      typed({ type: "response.reasoning_text.delta", item_id: "rs_1", delta: "hm" }) + deltas + completed,
      { ...whole, reasoning: "hm" },
    ],
    [
      "reasoning as a summary, without its part",
      typed({ type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "h" }) +
        typed({ type: "response.reasoning_summary_text.done", item_id: "rs_1", summary_index: 0, text: "hm" }) +
        deltas +
        completed,
      { ...whole, reasoning: "hm" },
    ],
    [
      "a refusal",
      typed({ type: "response.refusal.delta", ...at, delta: "No" }) +
        typed({ type: "response.refusal.done", ...at, refusal: "No." }) +
        completed,
      { ...whole, text: "", parts: { refusal: { kind: "refusal", text: "No." } } },
    ],
    [
      "a refusal in one piece",
      JSON.stringify({
        ...base,
        status: "completed",
        output: [{ ...message, content: [{ type: "refusal", refusal: "No." }] }],
        usage,
      }),
      { ...whole, text: "", parts: { refusal: { kind: "refusal", text: "No." } } },
    ],
    [
      "the call of a function, once in its events and again in the final object",
      begin +
        deltas +
        typed({ type: "response.output_item.added", output_index: 2, item: { ...call, arguments: "" } }) +
        typed({ type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '{"city":' }) +
        typed({ type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '"Oslo"}' }) +
        typed({
          type: "response.function_call_arguments.done",
          item_id: "fc_1",
          output_index: 2,
          arguments: call.arguments,
        }) +
        typed({ type: "response.output_item.done", output_index: 2, item: call }) +
        typed({
          type: "response.completed",
          response: {
            ...base,
            status: "completed",
            output: [{ type: "reasoning", summary: [] }, message, call],
            usage,
          },
        }),
      { ...whole, parts: { "item fc_1": called } },
    ],
    [
      "the call of a function without numbers, cut before it is done",
      deltas +
        typed({ type: "response.output_item.added", item: { ...call, arguments: "" } }) +
        typed({ type: "response.function_call_arguments.delta", delta: '{"ci' }),
      { text: "Héllo 👋", how: "early", parts: { "item fc_1": { ...called, input: '{"ci' } } },
    ],
    [
      "sources of a text, each once",
      deltas +
        typed({ type: "response.output_text.annotation.added", ...at, annotation: source }) +
        typed({
          type: "response.completed",
          response: {
            ...base,
            status: "completed",
            output: [{ ...message, content: [{ ...message.content[0], annotations: [source] }] }],
            usage,
          },
        }),
      { ...whole, parts: { "citation https://tide.example/a Tides": cited } },
    ],
    [
      "items of other kinds, in one piece",
      JSON.stringify({
        ...base,
        status: "completed",
        output: [
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" },
          { type: "web_search_call", id: "ws_1", status: "completed" },
          message,
          { type: "image_generation_call", id: "ig_1", result: PIXEL },
        ],
        usage,
      }),
      {
        ...whole,
        parts: {
          "item rs_1": {
            kind: "other",
            type: "encrypted reasoning",
            json: JSON.stringify({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" }, null, 2),
          },
          "item ws_1": {
            kind: "other",
            type: "web_search_call",
            json: JSON.stringify({ type: "web_search_call", id: "ws_1", status: "completed" }, null, 2),
          },
          "item ig_1": { kind: "picture", mimeType: "image/png", base64: PIXEL },
        },
      },
    ],
    [
      "events of tomorrow",
      begin +
        typed({ type: "response.dance.started", steps: 3 }) +
        deltas +
        typed({ type: "response.queued" }) +
        completed,
      whole,
    ],
    [
      "one piece",
      JSON.stringify({
        ...base,
        status: "completed",
        output: [{ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] }, message],
        usage,
      }),
      { ...whole, reasoning: "hm" },
      "application/json",
    ],
    ["one piece, hardly labelled", JSON.stringify({ output: [message], usage }), { ...whole, stopReason: undefined }],
    [
      "one piece that failed",
      JSON.stringify({ ...base, status: "failed", error: { code: "x", message: "boom" }, output: [] }),
      { text: "", how: "error", message: "boom" },
    ],
  ] satisfies [string, string, TextFixture["outcome"] | { stopReason: undefined }, string?][]
).map(([name, body, outcome, contentType]) => ({
  name,
  endpoint: "responses",
  body,
  outcome: outcome as TextFixture["outcome"],
  ...(contentType === undefined ? {} : { contentType }),
}));
