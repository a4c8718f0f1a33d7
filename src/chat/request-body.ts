import type { JsonRecord } from "#lib/read.ts";
import { type Column, DEFAULT_MAX_TOKENS } from "./conversation.ts";
import { type PromptTurn, writePrompt } from "./prompt-template.ts";
import type { Turn } from "./thread.ts";

/** Whether /v1/responses is given the conversation as typed items or written out as one text (spec 4.2: a string). */
export type InputForm = "items" | "text";

/** Fields that the conversation itself fills; set by hand they would contradict it. */
export const OWN_FIELDS = ["model", "messages", "input", "prompt", "system", "instructions", "stream"] as const;

interface PathTurn extends PromptTurn {
  isPinned: boolean;
}

const CACHED = { cache_control: { type: "ephemeral" } };
/** The messages format takes at most four marks in one request. */
const MOST_MARKS = 4;

/**
 * The body of one request: the model, the messages on the way to the answer, and only those fields that were set.
 * A path that ends with an answer asks for its continuation.
 */
export function requestBody(column: Column, path: readonly Turn[], inputForm: InputForm = "items"): JsonRecord {
  const params = Object.fromEntries(
    Object.entries(column.params).filter(([name]) => !OWN_FIELDS.some((own) => own === name)),
  );
  const turns = joinTurns(path);
  switch (column.endpoint) {
    case "messages":
      return messagesBody(column, turns, params);
    case "responses":
      return responsesBody(column, turns, params, inputForm);
    case "completions":
      return completionsBody(column, turns, params);
  }
}

/** The body that continues a document from `text` on. */
export function documentBody(column: Column, text: string): JsonRecord {
  return { ...requestBody(column, []), prompt: text };
}

/** Without empty messages, and with neighbours of one role joined: the formats want the roles in turn. */
function joinTurns(path: readonly Turn[]): PathTurn[] {
  const turns: PathTurn[] = [];
  for (const { role, text, isPinned = false } of path) {
    if (text.trim() === "") continue;
    const last = turns.at(-1);
    if (last?.role !== role) turns.push({ role, text, isPinned });
    else turns[turns.length - 1] = { role, text: `${last.text}\n\n${text}`, isPinned: isPinned || last.isPinned };
  }
  return turns;
}

function messagesBody(column: Column, turns: readonly PathTurn[], params: JsonRecord): JsonRecord {
  const { system, model, cacheMode } = column;
  const isSystemCached = cacheMode === "auto" || (cacheMode === "pins" && column.isSystemPinned);
  const marks = marksOf(column, turns, isSystemCached && system !== "" ? MOST_MARKS - 1 : MOST_MARKS);
  const messages = turns.map(({ role, text }, index) => {
    // The end of a prefilled answer must not be white space.
    const content = role === "assistant" && index === turns.length - 1 ? text.trimEnd() : text;
    return { role, content: marks.has(index) ? [{ type: "text", text: content, ...CACHED }] : content };
  });
  return {
    model,
    max_tokens: DEFAULT_MAX_TOKENS,
    ...(system === "" ? {} : { system: isSystemCached ? [{ type: "text", text: system, ...CACHED }] : system }),
    ...params,
    messages,
  };
}

/** Places of messages that end a prefix to cache; the last ones where there are more than the format takes. */
function marksOf({ cacheMode }: Column, turns: readonly PathTurn[], most: number): Set<number> {
  const places = turns.flatMap(({ role, isPinned }, index) => {
    if (cacheMode === "auto") return role === "user" ? [index] : [];
    return cacheMode === "pins" && isPinned ? [index] : [];
  });
  // The newest question writes the cache, the one before it is where the last request wrote.
  return new Set(places.slice(cacheMode === "auto" ? -2 : -most));
}

function responsesBody(
  { model, system }: Column,
  turns: readonly PathTurn[],
  params: JsonRecord,
  form: InputForm,
): JsonRecord {
  const asked = turns.at(-1)?.role === "assistant" ? [...turns, CONTINUE] : turns;
  const only = asked.length === 1 ? asked[0] : undefined;
  const input =
    only?.text ??
    (form === "text"
      ? asked.map(({ role, text }) => `${role === "user" ? "User" : "Assistant"}: ${text}`).join("\n\n")
      : asked.map(({ role, text }) => ({
          type: "message",
          role,
          content: [{ type: role === "user" ? "input_text" : "output_text", text }],
        })));
  return { model, ...(system === "" ? {} : { instructions: system }), ...params, input };
}

/** The format has no prefilled answer, so the continuation is asked for in words. */
const CONTINUE: PathTurn = { role: "user", text: "Continue exactly where you stopped.", isPinned: false };

function completionsBody(column: Column, turns: readonly PathTurn[], params: JsonRecord): JsonRecord {
  const { model, template, system } = column;
  const stop = column.isDocument || template.stop.length === 0 ? {} : { stop: template.stop };
  return { model, ...stop, ...params, prompt: writePrompt(template, system, turns) };
}
