import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import type { Route } from "../authenticate.ts";
import { badRequest } from "../sandbox-error.ts";
import { seededHex } from "../seeded-ids.ts";
import { type AnswerPlan, outputTokens, planAnswer } from "./answer-plan.ts";
import { PICTURE_TOKENS } from "./asked-pictures.ts";
import { type Frame, StreamBreak } from "./event-stream.ts";
import type { InputUsage, PromptSegment } from "./prompt-cache.ts";
import {
  type ContentBlock,
  readContent,
  readCount,
  readFlag,
  readNumber,
  readTexts,
  refuseFields,
} from "./read-fields.ts";
import type { TextService } from "./text-service.ts";

/** Spec 4.2: the Messages format, with prompt caching; spec 5.3: `x-api-key` is accepted here, and only here. */
export function messagesEndpoint(service: TextService): Route {
  const { context, cache } = service;
  return {
    name: "messages",
    family: "inference",
    method: "POST",
    path: "/v1/messages",
    readsJson: true,
    takesApiKeyHeader: true,
    handle(exchange) {
      const model = service.requireModel(exchange);
      const parsed = readMessagesRequest(exchange.body, exchange.request.headers.get("anthropic-version"));
      const { prompt, pictures, begun, turns, maxTokens, stops, segments } = parsed;
      const shows = parsed.thinks ? "reasoning" : "answer";
      const plan = planAnswer({
        model,
        prompt,
        pictures,
        begun,
        turns,
        maxTokens,
        stops,
        shows,
        hasCalls: true,
        seed: service.seed(exchange),
      });
      const owner = `${exchange.caller.organisation} ${model.id}`;
      const input = cache.account(owner, segments, context.clock.now());
      const id = `msg_${context.nextId().replaceAll("-", "")}`;
      const shape: MessageShape = { id, model: model.id, input };
      const reply = parsed.stream ? { frames: messageFrames(shape, plan) } : { body: messageBody(shape, plan) };
      return service.answer(exchange, { id, model, prompt, input, plans: [plan], reply });
    },
  };
}

/** A messages request as the sandbox understands it. */
interface MessagesRequest {
  prompt: string;
  pictures: string[];
  /** The text of a last message of the assistant's, which is continued. */
  begun: string | undefined;
  turns: number;
  maxTokens: number;
  stops: string[];
  stream: boolean;
  thinks: boolean;
  /** The complete prompt in order, with the marks of `cache_control`. */
  segments: PromptSegment[];
}

/** Words of as many tokens as a picture counts for, different for each picture. */
const pictureWords = ({ picture }: ContentBlock) =>
  picture === undefined ? "" : `${picture}${" x".repeat(PICTURE_TOKENS)}`;

/** From this version on the sampling fields are gone. */
const WITHOUT_SAMPLING = "2026-10-21";
/** How many blocks may carry `cache_control`. */
const MAX_MARKS = 4;

/** Reads and checks a body. `version` is the header `anthropic-version`, which this service does not ask for. */
function readMessagesRequest(body: JsonRecord, version: string | null): MessagesRequest {
  const maxTokens = readCount(body, "max_tokens", 1);
  if (maxTokens === undefined) throw badRequest("max_tokens: Field required");
  if (version !== null && version >= WITHOUT_SAMPLING) {
    refuseFields(body, ["temperature", "top_p", "top_k"], `is not part of version ${version}`);
  }
  readNumber(body, "temperature", 0, 1);
  readNumber(body, "top_p", 0, 1);
  readCount(body, "top_k", 0);
  const messages = readMessages(body.messages);
  const system = body.system === undefined ? [] : readContent(body.system, "system");
  const tools = Array.isArray(body.tools) ? body.tools.filter(isRecord) : [];
  const segments = [
    ...tools.map(
      (tool): PromptSegment => segment(JSON.stringify({ ...tool, cache_control: undefined }), tool, "tools"),
    ),
    ...system.map((block) => segment(`system ${block.text}`, block.raw, "system")),
    ...messages.flatMap(({ role, blocks }) =>
      blocks.map((block) => segment(`${role} ${block.text}${pictureWords(block)}`, block.raw, "messages")),
    ),
  ];
  const last = segments.at(-1);
  if (last !== undefined && body.cache_control !== undefined)
    Object.assign(last, segment(last.text, body, "cache_control"));
  if (segments.filter((part) => part.lifetimeSeconds !== undefined).length > MAX_MARKS) {
    throw badRequest(`cache_control: at most ${MAX_MARKS} blocks may have it`);
  }
  const question = messages.findLast((message) => message.role === "user");
  const lastMessage = messages.at(-1);
  return {
    prompt: question?.blocks.map((block) => block.text).join("\n") ?? "",
    begun: lastMessage?.role === "assistant" ? lastMessage.blocks.map((block) => block.text).join("") : undefined,
    pictures: question?.blocks.flatMap(({ picture }) => picture ?? []) ?? [],
    turns: messages.slice(0, -1).filter((message) => message.role === "assistant").length,
    maxTokens,
    stops: readTexts(body, "stop_sequences", 64),
    stream: readFlag(body, "stream"),
    thinks: readThinking(body.thinking, maxTokens),
    segments,
  };
}

function readMessages(messages: unknown): { role: string; blocks: ContentBlock[] }[] {
  if (messages === undefined) throw badRequest("messages: Field required");
  if (!Array.isArray(messages) || messages.length === 0) throw badRequest("messages: at least one message is required");
  return messages.map((message: unknown, index) => {
    const place = `messages.${index}`;
    if (!isRecord(message)) throw badRequest(`${place}: must be an object`);
    const { role } = message;
    if (role !== "user" && role !== "assistant") throw badRequest(`${place}.role: must be user or assistant`);
    const blocks = readContent(message.content, `${place}.content`);
    if (role === "user" && blocks.every(({ type, text }) => type === "text" && text === "")) {
      throw badRequest(`${place}.content: must not be empty`);
    }
    return { role, blocks };
  });
}

/** `{ type: "ephemeral", ttl?: "5m" | "1h" }` ends a prefix to cache. */
function segment(text: string, { cache_control: control }: JsonRecord, place: string): PromptSegment {
  if (control === undefined || control === null) return { text };
  if (!isRecord(control) || control.type !== "ephemeral") {
    throw badRequest(`${place}: cache_control.type must be ephemeral`);
  }
  if (control.ttl !== undefined && control.ttl !== "5m" && control.ttl !== "1h") {
    throw badRequest(`${place}: cache_control.ttl must be 5m or 1h`);
  }
  return { text, lifetimeSeconds: control.ttl === "1h" ? 3600 : 300 };
}

function readThinking(thinking: unknown, maxTokens: number): boolean {
  if (thinking === undefined || thinking === null) return false;
  if (!isRecord(thinking)) throw badRequest("thinking: must be an object");
  if (thinking.type === "disabled") return false;
  if (thinking.type === "adaptive") return true;
  if (thinking.type !== "enabled") throw badRequest("thinking.type: must be enabled, adaptive or disabled");
  const budget = readCount(thinking, "budget_tokens", 1024);
  if (budget === undefined) throw badRequest("thinking.budget_tokens: Field required");
  if (budget >= maxTokens) throw badRequest("thinking.budget_tokens: must be smaller than max_tokens");
  return true;
}

interface MessageShape {
  id: string;
  model: string;
  input: InputUsage;
}

function messageBody(shape: MessageShape, plan: AnswerPlan): object {
  const thinking = plan.reasoning.join("");
  return {
    ...frame(shape),
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: signature(shape) }]),
      ...(hasText(plan) ? [{ type: "text", text: plan.text.join("") }] : []),
      ...(plan.call ? [{ ...callBlock(shape, plan.call), input: tryParseJson(plan.call.input.join("")) ?? {} }] : []),
    ],
    ...stopped(plan),
    usage: { ...inputUsage(shape), output_tokens: outputTokens(plan) },
  };
}

/** Named events from `message_start` to `message_stop`; no `[DONE]`, no numbers. */
function* messageFrames(shape: MessageShape, plan: AnswerPlan): Generator<Frame> {
  const message = { ...frame(shape), content: [], stop_reason: null, stop_sequence: null };
  const send = (type: string, fields: object, tokens = 0): Frame => ({
    event: type,
    data: { type, ...fields },
    tokens,
  });
  yield send("message_start", { message: { ...message, usage: { ...inputUsage(shape), output_tokens: 1 } } });
  yield send("ping", {});
  let index = 0;
  if (plan.reasoning.length > 0) {
    yield send("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
    for (const thinking of plan.reasoning) {
      yield send("content_block_delta", { index, delta: { type: "thinking_delta", thinking } }, 1);
    }
    yield send("content_block_delta", { index, delta: { type: "signature_delta", signature: signature(shape) } });
    yield send("content_block_stop", { index });
    index += 1;
  }
  if (hasText(plan)) {
    yield send("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const [position, text] of plan.text.entries()) {
      if (plan.trouble?.at === position) {
        if (plan.trouble.kind === "break") throw new StreamBreak("The connection broke.");
        yield send("error", {
          error: { type: "overloaded_error", message: `All endpoints failed for ${shape.model}` },
        });
        return;
      }
      yield send("content_block_delta", { index, delta: { type: "text_delta", text } }, 1);
    }
    yield send("content_block_stop", { index });
    index += 1;
  }
  if (plan.call) {
    yield send("content_block_start", { index, content_block: { ...callBlock(shape, plan.call), input: {} } });
    for (const partial_json of plan.call.input) {
      yield send("content_block_delta", { index, delta: { type: "input_json_delta", partial_json } }, 1);
    }
    yield send("content_block_stop", { index });
  }
  yield send("message_delta", { delta: stopped(plan), usage: { output_tokens: outputTokens(plan) } });
  yield send("message_stop", {});
}

/** A message cut within its thinking has no text block. */
function hasText(plan: AnswerPlan): boolean {
  return plan.text.length > 0 || plan.reasoning.length === 0;
}

function callBlock({ id }: MessageShape, { name }: NonNullable<AnswerPlan["call"]>) {
  return { type: "tool_use", id: `toolu_${id.slice(4)}`, name };
}

function frame({ id, model }: MessageShape) {
  return { id, type: "message", role: "assistant", model };
}

function stopped(plan: AnswerPlan) {
  const reasons = { stop: "end_turn", length: "max_tokens", "stop-sequence": "stop_sequence" } as const;
  const isCall = plan.call !== undefined && plan.finish === "stop";
  return { stop_reason: isCall ? "tool_use" : reasons[plan.finish], stop_sequence: plan.stopSequence ?? null };
}

/** `input_tokens` leaves out what was read from the cache or written to it. */
function inputUsage({ input }: MessageShape) {
  return {
    input_tokens: input.plain,
    cache_creation_input_tokens: input.written5m + input.written1h,
    cache_read_input_tokens: input.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: input.written5m, ephemeral_1h_input_tokens: input.written1h },
    service_tier: "standard",
  };
}

/** A placeholder for the signature that a real service adds to its thinking. */
function signature({ id }: MessageShape): string {
  return seededHex(48, "signature", id);
}
