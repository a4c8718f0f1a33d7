import { completionChunk as chunk, DONE, event, type TextFixture } from "./text/text-fixtures.ts";

const usage = {
  prompt_tokens: 5,
  completion_tokens: 2,
  total_tokens: 7,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 1 },
};
const reported = { inputTokens: 5, outputTokens: 2, cachedTokens: 4, reasoningTokens: 1 };
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const hello = event(chunk("Hé")) + event(chunk("llo 👋"));
const whole = { text: "Héllo 👋", how: "complete", stopReason: "stop" } as const;

/** POST /v1/completions: the format's own shapes, then how servers deviate. */
export const COMPLETION_FIXTURES: TextFixture[] = (
  [
    ["chunks, a reason, [DONE]", hello + event(chunk("", "stop")) + DONE, whole],
    [
      "usage in a chunk without choices",
      hello + event(chunk("", "stop", { usage: null })) + event({ ...chunk(""), choices: [], usage }) + DONE,
      { ...whole, usage: reported },
    ],
    [
      "usage in every chunk, zeros first",
      event(chunk("Héllo", null, { usage: zeros })) + event(chunk(" 👋", "stop", { usage })) + DONE,
      { ...whole, usage: reported },
    ],
    ["no [DONE]", hello + event(chunk("", "stop")), whole],
    ["no [DONE] and no blank line at the end", (hello + event(chunk("", "stop"))).trimEnd(), whole],
    ["[DONE] without a blank line", `${hello}data: [DONE]`, { text: "Héllo 👋", how: "complete" }],
    ["[DONE] and more after it", hello + event(chunk("", "stop")) + DONE + event(chunk("ignored")), whole],
    ["cut off between events", hello, { text: "Héllo 👋", how: "early" }],
    ["cut off within an event", `${hello}data: {"choices":[{"text":"lo`, { text: "Héllo 👋", how: "early" }],
    ["nothing at all", "", { text: "", how: "early" }],
    ["CRLF", (hello + event(chunk("", "stop")) + DONE).replaceAll("\n", "\r\n"), whole],
    ["CR alone", (hello + event(chunk("", "stop")) + DONE).replaceAll("\n", "\r"), whole],
    ["no space after the colon", (hello + event(chunk("", "stop")) + DONE).replaceAll("data: ", "data:"), whole],
    [
      "comments, heartbeats and unknown fields",
      `: OPENROUTER PROCESSING\n\n: ping - 12:00\n\ndata:\n\nid: 7\nretry: 100\nfoo: bar\n\n${hello}: keep-alive\n${event(chunk("", "stop"))}${DONE}`,
      whole,
    ],
    ["a byte order mark", `\ufeff${hello}${event(chunk("", "stop"))}${DONE}`, whole],
    [
      "data over several lines",
      `${hello}data: {"choices":[{"index":0,\ndata: "text":"!",\ndata: "finish_reason":"length"}]}\n\n${DONE}`,
      { text: "Héllo 👋!", how: "complete", stopReason: "length" },
    ],
    [
      "the whole answer in one event",
      event(chunk("Héllo 👋", "stop", { usage })) + DONE,
      { ...whole, usage: reported },
    ],
    [
      "an error as an object in the middle",
      hello + event({ error: { message: "boom", type: "server_error", code: 500 } }),
      { text: "Héllo 👋", how: "error", message: "boom" },
    ],
    [
      "an error, then [DONE]",
      hello + event({ error: { message: "boom", code: 400 } }) + DONE,
      { text: "Héllo 👋", how: "error", message: "boom" },
    ],
    ["an error as a text", hello + event({ error: "boom" }), { text: "Héllo 👋", how: "error", message: "boom" }],
    [
      "an error that is not nested",
      hello + event({ object: "error", message: "boom", type: "BadRequestError", code: 400 }),
      { text: "Héllo 👋", how: "error", message: "boom" },
    ],
    [
      "an error beside a choice that ends in error",
      hello + event(chunk("", "error", { error: { code: 502, message: "boom", metadata: {} } })),
      { text: "Héllo 👋", how: "error", message: "boom" },
    ],
    [
      "a choice that ends in error and says no more",
      hello + event(chunk("", "error")),
      { text: "Héllo 👋", how: "error", message: "The response ended with an error, and the service gave no reason." },
    ],
    [
      "an error that was lost on the way: an empty chunk, then nothing",
      hello + event(chunk("")),
      { text: "Héllo 👋", how: "early" },
    ],
    [
      "the chat format",
      event({ choices: [{ delta: { content: "Hi" } }] }) + event({ choices: [{ delta: {}, finish_reason: "stop" }] }),
      { text: "Hi", how: "complete", stopReason: "stop" },
    ],
    [
      "reasoning beside the text",
      event({ choices: [{ delta: { reasoning_content: "hm" } }] }) + event(chunk("Hi", "stop")) + DONE,
      { text: "Hi", reasoning: "hm", how: "complete", stopReason: "stop" },
    ],
    [
      "calls of tools in the chat format, the name in each piece",
      event({ choices: [{ delta: { tool_calls: [{ index: 0, id: "c", function: { name: "a", arguments: "" } }] } }] }) +
        event({ choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "a", arguments: "{}" } }] } }] }) +
        event({ choices: [{ delta: { tool_calls: [{ index: 1, function: { name: "b", arguments: '{"c"' } }] } }] }) +
        event({ choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: ":1}" } }] } }] }) +
        event({ choices: [{ delta: {}, finish_reason: "tool_calls" }] }) +
        DONE,
      {
        text: "",
        how: "complete",
        stopReason: "tool_calls",
        parts: {
          "call 0": { kind: "tool-call", name: "a", input: "{}" },
          "call 1": { kind: "tool-call", name: "b", input: '{"c":1}' },
        },
      },
    ],
    [
      "a function's call of the older kind and a refusal, in one piece",
      JSON.stringify({
        choices: [
          {
            message: { content: null, refusal: "No.", function_call: { name: "a", arguments: "{}" } },
            finish_reason: "stop",
          },
        ],
        citations: ["https://tide.example/a"],
      }),
      {
        text: "",
        how: "complete",
        stopReason: "stop",
        parts: {
          function: { kind: "tool-call", name: "a", input: "{}" },
          refusal: { kind: "refusal", text: "No." },
          "citation https://tide.example/a ": { kind: "citation", title: "", url: "https://tide.example/a", quote: "" },
        },
      },
    ],
    [
      "obfuscation and logprobs",
      event({ ...chunk("Hi", "stop"), obfuscation: "xxxx" }) + DONE,
      { text: "Hi", how: "complete", stopReason: "stop" },
    ],
    ["what is no JSON", hello + event("ping") + event("[1]") + event("null") + event(chunk("", "stop")) + DONE, whole],
    [
      "JSON in one piece, after empty lines",
      `\n\n${JSON.stringify({ ...chunk("Héllo 👋", "stop"), usage })}\n`,
      { ...whole, usage: reported },
      "application/json",
    ],
    ["JSON in one piece under a stream's type", JSON.stringify(chunk("Héllo 👋", "stop")), whole],
    [
      "an error in one piece with status 200",
      JSON.stringify({ error: "boom" }),
      { text: "", how: "error", message: "boom" },
    ],
    [
      "JSON of another kind",
      '{"hello":"world"}',
      { text: "", how: "error", message: "The response has an unexpected format." },
    ],
    ["a page", "<html><body>Hello</body></html>", { text: "", how: "error", message: "The response is not JSON." }],
    [
      "plain text",
      "No matching target server found",
      { text: "", how: "error", message: "The response is neither a stream nor JSON." },
    ],
    ["JSON cut off", '{"choices":[{"te', { text: "", how: "error", message: "The response is not JSON." }],
  ] satisfies [string, string, TextFixture["outcome"], string?][]
).map(([name, body, outcome, contentType]) => ({
  name,
  endpoint: "completions",
  body,
  outcome,
  ...(contentType === undefined ? {} : { contentType }),
}));
