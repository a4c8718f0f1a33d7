import { asRecords, isRecord, type JsonRecord } from "#lib/read.ts";
import { type Quirk, withBody } from "./quirk.ts";
import { changeEvents, isStream } from "./stream-changes.ts";

/** What an answer gets besides its text, or in place of it, in each of the three formats. */
interface Addition {
  /** The text is taken away. */
  isInstead?: true;
  messages: { block?: JsonRecord; deltas?: readonly JsonRecord[]; stop?: string };
  responses: { item: JsonRecord; deltas?: readonly JsonRecord[] };
  /** Fields of a message in the chat format, and the pieces in which a stream brings them. */
  completions: { message: JsonRecord; deltas: readonly JsonRecord[]; finish?: string };
}

const ARGUMENTS = '{"city":"Oslo","days":2}';
const CALL = { id: "call_1", type: "function", function: { name: "get_weather", arguments: ARGUMENTS } };
const SOURCE = { url: "https://tide.example/neap", title: "Neap tides explained" };
const REFUSAL = "I can\u2019t help with that.";

const ADDITIONS: Record<string, Addition & { explanation: string }> = {
  "tool-call-answer": {
    explanation: "Every response ends with a tool call, its arguments in pieces.",
    messages: {
      block: { type: "tool_use", id: "toolu_1", name: "get_weather", input: JSON.parse(ARGUMENTS) },
      deltas: [
        { type: "input_json_delta", partial_json: '{"city":"Os' },
        { type: "input_json_delta", partial_json: 'lo","days":2}' },
      ],
      stop: "tool_use",
    },
    responses: {
      item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "get_weather", arguments: ARGUMENTS },
      deltas: [
        { type: "response.function_call_arguments.delta", delta: '{"city":"Os' },
        { type: "response.function_call_arguments.delta", delta: 'lo","days":2}' },
        { type: "response.function_call_arguments.done", arguments: ARGUMENTS },
      ],
    },
    completions: {
      message: { tool_calls: [CALL] },
      deltas: [
        { tool_calls: [{ ...CALL, index: 0, function: { name: "get_weather", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"city":"Os' } }] },
        { tool_calls: [{ index: 0, function: { arguments: 'lo","days":2}' } }] },
      ],
      finish: "tool_calls",
    },
  },
  "refusal-answer": {
    explanation: "The model refuses, in the way of each format.",
    isInstead: true,
    messages: { stop: "refusal" },
    responses: {
      item: { type: "message", id: "msg_no", role: "assistant", content: [{ type: "refusal", refusal: REFUSAL }] },
      deltas: [
        { type: "response.refusal.delta", delta: REFUSAL.slice(0, 9) },
        { type: "response.refusal.delta", delta: REFUSAL.slice(9) },
        { type: "response.refusal.done", refusal: REFUSAL },
      ],
    },
    completions: {
      message: { content: null, refusal: REFUSAL },
      deltas: [{ refusal: REFUSAL.slice(0, 9) }, { refusal: REFUSAL.slice(9) }],
      finish: "stop",
    },
  },
  "citations-in-answer": {
    explanation: "Every response cites a source.",
    messages: {
      block: { type: "text", text: "", citations: [{ type: "web_search_result_location", ...SOURCE }] },
      deltas: [{ type: "citations_delta", citation: { type: "web_search_result_location", ...SOURCE } }],
    },
    responses: {
      item: {
        type: "message",
        id: "msg_source",
        role: "assistant",
        content: [{ type: "output_text", text: "", annotations: [{ type: "url_citation", ...SOURCE }] }],
      },
      deltas: [{ type: "response.output_text.annotation.added", annotation: { type: "url_citation", ...SOURCE } }],
    },
    completions: {
      message: { annotations: [{ type: "url_citation", url_citation: SOURCE }] },
      deltas: [{ annotations: [{ type: "url_citation", url_citation: SOURCE }] }],
    },
  },
  "unknown-blocks": {
    explanation: "Every response has a block of an unknown kind.",
    messages: { block: { type: "tidal_chart", station: "Oslo", heights: [12, 48] } },
    responses: { item: { type: "tidal_chart", id: "tc_1", station: "Oslo", heights: [12, 48] } },
    completions: {
      message: { audio: { id: "audio_1", transcript: "Twelve, then forty-eight." } },
      deltas: [{ audio: { id: "audio_1", transcript: "Twelve, then forty-eight." } }],
    },
  },
};

/** Ways in which an answer is more than text. */
export const TEXT_PART_QUIRKS: readonly Quirk[] = Object.entries(ADDITIONS).map(
  ([name, { explanation, ...added }]) => ({
    name,
    explanation,
    async response(response, passage) {
      const endpoint = passage.route?.name;
      if (!isFormat(endpoint) || response.status !== 200) return response;
      if (isStream(response)) return changeEvents(STREAMS[endpoint](added))(response, passage);
      const body: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      return isRecord(body) ? withBody(response, JSON.stringify(WHOLE[endpoint](added, body))) : response;
    },
  }),
);

const isFormat = (name: string | undefined): name is keyof typeof WHOLE =>
  name !== undefined && Object.hasOwn(WHOLE, name);

const WHOLE = {
  messages({ isInstead, messages: { block, stop } }: Addition, body: JsonRecord): JsonRecord {
    const content = isInstead ? [] : asRecords(body.content);
    return { ...body, content: [...content, ...(block ? [block] : [])], ...(stop ? { stop_reason: stop } : {}) };
  },
  responses({ isInstead, responses: { item } }: Addition, body: JsonRecord): JsonRecord {
    return {
      ...body,
      output: [...asRecords(body.output).filter(({ type }) => !isInstead || type !== "message"), item],
    };
  },
  completions({ isInstead, completions: { message, finish } }: Addition, body: JsonRecord): JsonRecord {
    const choices = asRecords(body.choices).map((choice) => ({
      ...choice,
      ...(isInstead ? { text: "" } : {}),
      message: { ...(isRecord(choice.message) ? choice.message : {}), ...message },
      ...(finish ? { finish_reason: finish } : {}),
    }));
    return { ...body, choices };
  },
};

type ChangeEvent = (event: string) => string;

const write = (data: JsonRecord, isNamed: boolean) =>
  `${isNamed ? `event: ${String(data.type)}\n` : ""}data: ${JSON.stringify(data)}\n\n`;

/** The JSON of an event; undefined for `[DONE]` and comments. */
function dataOf(event: string): JsonRecord | undefined {
  const json = /^data: (\{.*\})$/m.exec(event)?.[1];
  return json === undefined ? undefined : (JSON.parse(json) as JsonRecord);
}

const STREAMS: Record<keyof typeof WHOLE, (added: Addition) => ChangeEvent> = {
  messages({ isInstead, messages: { block, deltas = [], stop } }) {
    let index = 0;
    return (event) => {
      const data = dataOf(event);
      if (data?.type === "content_block_start") index += 1;
      if (isInstead && String(data?.type).startsWith("content_block_")) return "";
      if (data?.type !== "message_delta") return event;
      const delta = { ...(isRecord(data.delta) ? data.delta : {}), ...(stop ? { stop_reason: stop } : {}) };
      const isCall = deltas.length > 0 && block?.type === "tool_use";
      const begun = isCall ? { ...block, input: {} } : deltas.length > 0 ? { ...block, citations: [] } : block;
      const added = begun
        ? [
            { type: "content_block_start", index, content_block: begun },
            ...deltas.map((one) => ({ type: "content_block_delta", index, delta: one })),
            { type: "content_block_stop", index },
          ]
        : [];
      return [...added, { ...data, delta }].map((one) => write(one as unknown as JsonRecord, true)).join("");
    };
  },
  responses(added) {
    const { item, deltas = [] } = added.responses;
    let index = 0;
    let number = 0;
    return (event) => {
      const data = dataOf(event);
      const type = String(data?.type);
      if (added.isInstead && /^response\.(output_text|content_part)\./.test(type)) return "";
      if (added.isInstead && isRecord(data?.item) && data.item.type === "message") return "";
      if (type === "response.output_item.added") index += 1;
      const isEnd = /^response\.(completed|incomplete)$/.test(type) && isRecord(data?.response);
      const more = isEnd
        ? [
            { type: "response.output_item.added", output_index: index, item: emptied(item) },
            ...deltas.map((one) => ({ item_id: item.id, output_index: index, content_index: 0, ...one })),
            { type: "response.output_item.done", output_index: index, item },
          ]
        : [];
      const response = isEnd ? { response: WHOLE.responses(added, data?.response as JsonRecord) } : {};
      if (data === undefined) return event;
      return [...more, { ...data, ...response }]
        .map((one) => write({ ...one, sequence_number: number++ }, true))
        .join("");
    };
  },
  completions({ isInstead, completions: { deltas, finish } }) {
    return (event) => {
      const data = dataOf(event);
      const choice = asRecords(data?.choices)[0];
      if (data === undefined || choice === undefined) return event;
      if (choice.finish_reason === null) return isInstead ? "" : event;
      if (choice.index !== 0) return event;
      const pieces = deltas.map((delta) => ({
        ...data,
        choices: [{ index: 0, text: "", delta, finish_reason: null }],
      }));
      const last = { ...data, choices: [{ ...choice, ...(finish ? { finish_reason: finish } : {}) }] };
      return [...pieces, last].map((one) => write(one, false)).join("");
    };
  },
};

/** An item as it is when it begins. */
function emptied(item: JsonRecord): JsonRecord {
  if (item.type === "message") return { ...item, content: [] };
  return "arguments" in item ? { ...item, arguments: "" } : item;
}
