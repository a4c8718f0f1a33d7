import { isRecord, type JsonRecord } from "#lib/json.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";
import type { PromptSegment } from "./prompt-cache.ts";
import {
  type ContentBlock,
  readContent,
  readCount,
  readFlag,
  readNumber,
  readTexts,
  refuseFields,
} from "./read-fields.ts";

/** A messages request as the sandbox understands it. */
export interface MessagesRequest {
  prompt: string;
  turns: number;
  maxTokens: number;
  stops: string[];
  stream: boolean;
  thinks: boolean;
  /** The whole prompt in order, with the marks of `cache_control`. */
  segments: PromptSegment[];
}

/** From this version on the sampling fields are gone. */
const WITHOUT_SAMPLING = "2026-10-21";
const MOST_MARKS = 4;

/** Reads and checks a body. `version` is the header `anthropic-version`, which this service does not ask for. */
export function readMessagesRequest(body: JsonRecord, version: string | null): MessagesRequest {
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
      blocks.map((block) => segment(`${role} ${block.text}`, block.raw, "messages")),
    ),
  ];
  const last = segments.at(-1);
  if (last !== undefined && body.cache_control !== undefined)
    Object.assign(last, segment(last.text, body, "cache_control"));
  if (segments.filter((part) => part.keepSeconds !== undefined).length > MOST_MARKS) {
    throw badRequest(`cache_control: at most ${MOST_MARKS} blocks may carry it`);
  }
  const asked = messages.findLast((message) => message.role === "user");
  return {
    prompt: asked?.blocks.map((block) => block.text).join("\n") ?? "",
    turns: messages.filter((message) => message.role === "assistant").length,
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

/** `{ type: "ephemeral", ttl?: "5m" | "1h" }` ends a prefix to keep. */
function segment(text: string, { cache_control: control }: JsonRecord, place: string): PromptSegment {
  if (control === undefined || control === null) return { text };
  if (!isRecord(control) || control.type !== "ephemeral") {
    throw badRequest(`${place}: cache_control.type must be ephemeral`);
  }
  if (control.ttl !== undefined && control.ttl !== "5m" && control.ttl !== "1h") {
    throw badRequest(`${place}: cache_control.ttl must be 5m or 1h`);
  }
  return { text, keepSeconds: control.ttl === "1h" ? 3600 : 300 };
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
