import type { TextEndpoint } from "#api/text-types.ts";
import type { JsonRecord } from "#lib/json.ts";
import { randomId } from "#lib/random-id.ts";
import { PLAIN_TEMPLATE, type PromptTemplate } from "./prompt-template.ts";
import { EMPTY_THREAD, type Thread } from "./thread.ts";

/** What an answer was asked of. */
export interface Asked {
  endpoint: TextEndpoint;
  model: string;
}

/** `auto`: the system prompt and the newest message; `pins`: what the person marked. Messages endpoint only. */
export type CacheMode = "off" | "auto" | "pins";

/** One conversation with one model, beside others that answer the same messages. */
export interface Column extends Asked {
  id: string;
  system: string;
  isSystemPinned: boolean;
  cacheMode: CacheMode;
  /** Further fields of the request body, exactly those that were set. */
  params: JsonRecord;
  /** Completions only: a document that is continued, or a chat written out by the template. */
  isDocument: boolean;
  document: string;
  template: PromptTemplate;
  thread: Thread;
}

export interface Conversation {
  id: string;
  title: string;
  /** The person named it, so that the first message no longer does. */
  isNamed: boolean;
  isPinned: boolean;
  /** Never written down: it ends with the page. */
  isTemporary: boolean;
  createdAtMs: number;
  updatedAtMs: number;
  columns: readonly Column[];
}

export const MOST_COLUMNS = 4;
export const NEW_TITLE = "New conversation";
export const TEXT_ENDPOINTS: readonly TextEndpoint[] = ["messages", "responses", "completions"];

/** A column with nothing said yet. Usage on a completions stream has to be asked for; it is set where one can see it. */
export function createColumn({ endpoint, model }: Asked): Column {
  return {
    id: randomId(),
    endpoint,
    model,
    system: "",
    isSystemPinned: false,
    cacheMode: "off",
    params: endpointDefaults(endpoint),
    isDocument: endpoint === "completions",
    document: "",
    template: PLAIN_TEMPLATE,
    thread: EMPTY_THREAD,
  };
}

/** What an endpoint needs to be of use: messages requires `max_tokens` (spec 4.2). */
export function endpointDefaults(endpoint: TextEndpoint): JsonRecord {
  if (endpoint === "messages") return { max_tokens: DEFAULT_MAX_TOKENS };
  return endpoint === "completions" ? { stream_options: { include_usage: true } } : {};
}

export const DEFAULT_MAX_TOKENS = 1024;

export function createConversation(column: Asked, { isTemporary = false, nowMs = Date.now() } = {}): Conversation {
  return {
    id: randomId(),
    title: NEW_TITLE,
    isNamed: false,
    isPinned: false,
    isTemporary,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    columns: [createColumn(column)],
  };
}

/** Whether anything was said or written in it. */
export function isBlank(conversation: Conversation): boolean {
  return conversation.columns.every(({ thread, document }) => thread.turns.length === 0 && document === "");
}

/** A title from the first words that were said. */
export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return NEW_TITLE;
  return line.length <= 60 ? line : `${line.slice(0, 59).trimEnd()}…`;
}
