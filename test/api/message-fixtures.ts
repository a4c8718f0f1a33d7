import { DONE, event, type TextFixture, typed } from "./text/text-fixtures.ts";

const startUsage = { input_tokens: 3, cache_creation_input_tokens: 2, cache_read_input_tokens: 10, output_tokens: 1 };
const reported = { inputTokens: 15, outputTokens: 9, cachedTokens: 10, cacheWriteTokens: 2 };
const shell = { id: "msg_1", type: "message", role: "assistant", content: [], model: "m", stop_reason: null };
const start = typed({ type: "message_start", message: { ...shell, usage: startUsage } });
const open = typed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const delta = (text: string, index = 0) =>
  typed({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
const deltas = delta("Hé") + delta("llo 👋");
const close = typed({ type: "content_block_stop", index: 0 });
const ending =
  typed({
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 9 },
  }) + typed({ type: "message_stop" });
const ping = typed({ type: "ping" });
const whole = { text: "Héllo 👋", how: "complete", stopReason: "end_turn", usage: reported } as const;
// The count of output at the start is a placeholder: what breaks off before the real one has none.
const half = { text: "Héllo 👋", usage: { inputTokens: 15, cachedTokens: 10, cacheWriteTokens: 2 } } as const;
const thinking =
  typed({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } }) +
  typed({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } }) +
  typed({ type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "abc" } });

const call = { type: "tool_use", id: "toolu_1", name: "weather", input: { city: "Oslo" } };
const search = { type: "server_tool_use", id: "srv_1", name: "web_search" };
const source = {
  type: "web_search_result_location",
  url: "https://tide.example/a",
  title: "Tides",
  cited_text: "twice a day",
};

/** POST /v1/messages: the format's own order, then how servers deviate. */
export const MESSAGE_FIXTURES: TextFixture[] = (
  [
    ["the whole order of a plain answer", start + open + ping + deltas + close + ending, whole],
    ["pings anywhere", ping + start + ping + open + delta("Hé") + ping + delta("llo 👋") + close + ending, whole],
    ["[DONE] after the end", start + open + deltas + close + ending + DONE, whole],
    ["[DONE] in place of the end", start + open + deltas + DONE, { ...half, how: "complete" }],
    ["without the names of the events", (start + open + deltas + ending).replaceAll(/event: .*\n/g, ""), whole],
    ["blocks that are never opened or closed", start + deltas + ending, whole],
    [
      "thinking whose block stays open",
      start + thinking + delta("Héllo 👋", 1) + ending,
      { ...whole, reasoning: "hm" },
    ],
    [
      "tools and deltas of tomorrow",
      start +
        open +
        deltas +
        typed({
          type: "content_block_start",
          index: 1,
          content_block: { type: "tool_use", id: "t", name: "n", input: {} },
        }) +
        typed({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"a"' } }) +
        typed({ type: "content_block_delta", index: 0, delta: { type: "dance_delta", steps: 3 } }) +
        typed({ type: "block_party" }) +
        ending,
      { ...whole, parts: { "block 1": { kind: "tool-call", name: "n", input: '{"a"' } } },
    ],
    [
      "an estimate first, the real count at the end",
      typed({ type: "message_start", message: { ...shell, usage: { input_tokens: 99, output_tokens: 0 } } }) +
        deltas +
        typed({
          type: "message_delta",
          delta: { stop_reason: "end_turn" },
          usage: { input_tokens: 15, output_tokens: 9 },
        }) +
        typed({ type: "message_stop" }),
      { ...whole, usage: { inputTokens: 15, outputTokens: 9 } },
    ],
    [
      "cache fields that are null, and no count at the end",
      typed({
        type: "message_start",
        message: { ...shell, usage: { input_tokens: 4, cache_read_input_tokens: null, output_tokens: 1 } },
      }) +
        deltas +
        typed({ type: "message_stop" }),
      { text: "Héllo 👋", how: "complete", usage: { inputTokens: 4 } },
    ],
    [
      "an error in the middle",
      start + open + deltas + typed({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      { ...half, how: "error", message: "Overloaded" },
    ],
    [
      "an error, then [DONE]",
      start + deltas + typed({ type: "error", error: { type: "internal_error", message: "boom" } }) + DONE,
      { ...half, how: "error", message: "boom" },
    ],
    [
      "an error without a name",
      start + deltas + event({ error: { message: "boom" } }),
      { ...half, how: "error", message: "boom" },
    ],
    ["cut off", start + open + deltas, { ...half, how: "early" }],
    ["cut off before the end", start + open + deltas + close, { ...half, how: "early" }],
    ["the end without its blank line", (start + open + deltas + close + ending).trimEnd(), whole],
    ["a failure that was swallowed: an end without any text", start + ending, { ...whole, text: "" }],
    [
      "the call of a tool, its input in pieces",
      start +
        open +
        deltas +
        close +
        typed({ type: "content_block_start", index: 1, content_block: { ...call, input: {} } }) +
        typed({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "" } }) +
        typed({
          type: "content_block_delta",
          index: 1,
          delta: { type: "input_json_delta", partial_json: '{"city":' },
        }) +
        typed({ type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '"Oslo"}' } }) +
        typed({ type: "content_block_stop", index: 1 }) +
        ending,
      { ...whole, parts: { "block 1": { kind: "tool-call", name: "weather", input: '{"city":"Oslo"}' } } },
    ],
    [
      "a search of the service, its result and a source",
      start +
        typed({ type: "content_block_start", index: 0, content_block: { ...search, input: {} } }) +
        typed({
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json: '{"q":"a"}' },
        }) +
        typed({ type: "content_block_stop", index: 0 }) +
        typed({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }) +
        typed({ type: "content_block_delta", index: 1, delta: { type: "citations_delta", citation: source } }) +
        deltas.replaceAll('"index":0', '"index":1') +
        ending,
      {
        ...whole,
        parts: {
          "block 0": {
            kind: "other",
            type: "server_tool_use",
            json: JSON.stringify({ ...search, input: { q: "a" } }, null, 2),
          },
          "citation https://tide.example/a Tides": {
            kind: "citation",
            title: "Tides",
            url: "https://tide.example/a",
            quote: "twice a day",
          },
        },
      },
    ],
    [
      "a call in one piece",
      JSON.stringify({ ...shell, content: [call], stop_reason: "tool_use", usage: startUsage }),
      {
        text: "",
        how: "complete",
        stopReason: "tool_use",
        usage: { ...half.usage, outputTokens: 1 },
        parts: { "block 0": { kind: "tool-call", name: "weather", input: '{\n  "city": "Oslo"\n}' } },
      },
    ],
    [
      "one bare event with a whole message",
      event({ ...shell, content: [{ type: "text", text: "Héllo 👋" }], stop_reason: "end_turn", usage: startUsage }),
      { ...half, usage: { ...half.usage, outputTokens: 1 }, how: "complete", stopReason: "end_turn" },
    ],
    [
      "one piece",
      JSON.stringify({
        ...shell,
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "text", text: "Héllo 👋" },
        ],
        stop_reason: "max_tokens",
        usage: { ...startUsage, output_tokens: 9 },
      }),
      { ...whole, reasoning: "hm", stopReason: "max_tokens" },
      "application/json",
    ],
    [
      "an error in one piece with status 200",
      JSON.stringify({ type: "error", error: { type: "api_error", message: "boom" }, request_id: "r" }),
      { text: "", how: "error", message: "boom" },
    ],
  ] satisfies [string, string, TextFixture["outcome"], string?][]
).map(([name, body, outcome, contentType]) => ({
  name,
  endpoint: "messages",
  body,
  outcome,
  ...(contentType === undefined ? {} : { contentType }),
}));
