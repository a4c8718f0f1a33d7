import { SandboxError } from "../sandbox-error.ts";
import { type Quirk, withBody } from "./quirk.ts";
import { assembleStream, breakAfter, changeEvents, cutInPieces, isStream } from "./stream-changes.ts";
import { TEXT_PART_QUIRKS } from "./text-part-quirks.ts";

/** Events that reach the reader before `stream-cut` and `stream-broken` strike. */
const EVENTS_BEFORE_CUT = 12;

/** Changes what follows `data: ` in an event; `[DONE]` is left alone. */
function data(change: (json: Record<string, unknown>) => unknown): (event: string) => string {
  return (event) => {
    const [, before = "", json = ""] = /^((?:event: .*\n)?data: )(\{.*\})\n\n$/s.exec(event) ?? [];
    return json === "" ? event : `${before}${JSON.stringify(change(JSON.parse(json)))}\n\n`;
  };
}

const TEXT_ROUTES = ["completions", "responses", "messages"];

/** What real text endpoints refuse where the specification leaves room. */
const REFUSAL_QUIRKS: readonly Quirk[] = [
  {
    name: "input-string-only",
    explanation: "The responses endpoint accepts input only as a string, as the specification shows it.",
    refuse({ body }, { name }) {
      if (name !== "responses" || typeof body.input === "string") return;
      const msg = "Input should be a valid string";
      const detail = [{ type: "string_type", loc: ["body", "input"], msg, input: "[list]" }];
      throw new SandboxError(422, msg, undefined, { detail });
    },
  },
  {
    name: "max-tokens-required",
    explanation: "The completions endpoint requires max_tokens.",
    refuse({ body }, { name }) {
      if (name !== "completions" || typeof body.max_tokens === "number") return;
      throw new SandboxError(400, "max_tokens: Field required", "invalid_request_error");
    },
  },
  {
    name: "moderation-refusal",
    explanation: "A prompt with the word forbidden is rejected, and so is every chat that contains one.",
    refuse({ body }, { name }) {
      if (!TEXT_ROUTES.includes(name) || !/\bforbidden\b/i.test(JSON.stringify(body))) return;
      throw new SandboxError(400, "The prompt was rejected by the content policy.", "content_policy_violation");
    },
  },
  {
    name: "images-refused",
    explanation: "No text model accepts images.",
    refuse({ body }, { name }) {
      if (!TEXT_ROUTES.includes(name) || !/"type":"(input_)?image"/.test(JSON.stringify(body))) return;
      throw new SandboxError(400, "This model does not support image inputs", "invalid_request_error");
    },
  },
];

/**
 * How real servers answer and stream where the three formats, or the standard, leave room; in the order in which they
 * apply.
 */
export const TEXT_QUIRKS: readonly Quirk[] = [
  ...REFUSAL_QUIRKS,
  ...TEXT_PART_QUIRKS,
  {
    name: "json-for-stream",
    explanation: "A stream is requested, but one JSON body comes instead.",
    async response(response) {
      if (!isStream(response)) return response;
      const text = await response.text().catch(() => undefined);
      if (text === undefined) return Response.error();
      return withBody(response, JSON.stringify(assembleStream(text)), "application/json");
    },
  },
  {
    name: "stream-cut",
    explanation: "A stream ends normally in the middle of an event, without its closing event.",
    response: changeEvents((event, position) => {
      if (position < EVENTS_BEFORE_CUT) return event;
      return position === EVENTS_BEFORE_CUT ? event.slice(0, event.length / 2) : undefined;
    }),
  },
  {
    name: "stream-broken",
    explanation: "The connection breaks in the middle of a stream.",
    response: breakAfter(EVENTS_BEFORE_CUT),
  },
  {
    name: "stream-without-usage",
    explanation: "A stream has no token counts.",
    response: changeEvents(
      data(({ usage: _, ...json }) => {
        const response = json.response as Record<string, unknown> | undefined;
        const message = json.message as Record<string, unknown> | undefined;
        if (response !== undefined) return { ...json, response: { ...response, usage: undefined } };
        return message === undefined ? json : { ...json, message: { ...message, usage: undefined } };
      }),
    ),
  },
  {
    name: "stream-without-numbers",
    explanation: "Events have no sequence_number, output_index or content_index.",
    response: changeEvents(data(({ sequence_number: _, output_index: __, content_index: ___, ...json }) => json)),
  },
  {
    name: "stream-without-names",
    explanation: "Events have no event line, only the type in their data.",
    response: changeEvents((event) => event.replace(/^event: .*\n/, "")),
  },
  {
    name: "stream-comments",
    explanation: "Comments and empty heartbeats come between events, as proxies send to keep a connection open.",
    response: changeEvents((event, position) => `${position % 3 === 0 ? ": keep-alive\n\n" : ""}${event}`),
  },
  {
    name: "stream-tight-data",
    explanation: "There is no space after data: and event:.",
    response: changeEvents((event) => event.replace(/^(data|event): /gm, "$1:")),
  },
  {
    name: "stream-split-data",
    explanation: "The JSON of an event spans several data lines.",
    response: changeEvents((event) => event.replace(/^data: \{(.*)\}$/m, "data: {\ndata: $1\ndata: }")),
  },
  {
    name: "stream-done-everywhere",
    explanation: "[DONE] ends every stream, even where the format has none.",
    response: changeEvents((event, _, isLast) =>
      isLast && !event.includes("[DONE]") ? `${event}data: [DONE]\n\n` : event,
    ),
  },
  {
    name: "stream-without-done",
    explanation: "No stream ends with [DONE].",
    response: changeEvents((event) => (event === "data: [DONE]\n\n" ? "" : event)),
  },
  {
    name: "stream-without-final-blank",
    explanation: "The blank line after the last event is missing.",
    response: changeEvents((event, _, isLast) => (isLast ? event.replace(/\n\n$/, "\n") : event)),
  },
  {
    name: "stream-crlf",
    explanation: "Lines end with CR and LF.",
    response: changeEvents((event) => event.replaceAll("\n", "\r\n")),
  },
  {
    name: "stream-split-characters",
    explanation: "The stream comes in pieces of 7 bytes, which end within characters and lines.",
    response: cutInPieces(7),
  },
];
