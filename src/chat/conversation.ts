import type { TextEndpoint } from "#api/text-types.ts";
import { randomId } from "#lib/random-id.ts";
import type { JsonRecord } from "#lib/read.ts";
import { PLAIN_TEMPLATE, type PromptTemplate } from "./prompt-template.ts";
import {
  addTurn,
  chooseTurn,
  EMPTY_THREAD,
  type EndpointModel,
  removeTurn,
  type Thread,
  type Turn,
  updateTurn,
} from "./thread.ts";

/** `auto`: the system prompt and the newest message; `pins`: what the person marked. Messages endpoint only. */
type CacheMode = "off" | "auto" | "pins";

/** One conversation with one model, beside others that answer the same messages. */
export interface Column extends EndpointModel {
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
export function createColumn({ endpoint, model }: EndpointModel): Column {
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
function endpointDefaults(endpoint: TextEndpoint): JsonRecord {
  if (endpoint === "messages") return { max_tokens: DEFAULT_MAX_TOKENS };
  return endpoint === "completions" ? { stream_options: { include_usage: true } } : {};
}

export const DEFAULT_MAX_TOKENS = 1024;

export function createConversation(
  column: EndpointModel,
  { isTemporary = false, nowMs = Date.now() } = {},
): Conversation {
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
function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return NEW_TITLE;
  return line.length <= 60 ? line : `${line.slice(0, 59).trimEnd()}…`;
}

export type ConversationAction =
  | { kind: "turn-added"; columnId: string; turn: Turn }
  | { kind: "turn-changed"; columnId: string; turnId: string; patch: Partial<Omit<Turn, "id" | "parentId">> }
  | { kind: "turn-chosen"; columnId: string; turnId: string }
  | { kind: "turn-removed"; columnId: string; turnId: string }
  | { kind: "column-added"; column: Column }
  | { kind: "column-removed"; columnId: string }
  | { kind: "column-changed"; columnId: string; patch: Partial<Omit<Column, "id">> }
  | { kind: "renamed"; title: string }
  | { kind: "pinned"; isPinned: boolean };

/** One change of a conversation. An act on a column or a message that is not there changes nothing. */
export function reduceConversation(
  conversation: Conversation,
  act: ConversationAction,
  nowMs = Date.now(),
): Conversation {
  const changed = apply(conversation, act);
  // Pinning is no work on the conversation: its place in the list stays.
  return changed === conversation || act.kind === "pinned" ? changed : { ...changed, updatedAtMs: nowMs };
}

function apply(conversation: Conversation, act: ConversationAction): Conversation {
  const { columns } = conversation;
  const inColumn = (columnId: string, change: (column: Column) => Column): Conversation =>
    columns.some(({ id }) => id === columnId)
      ? { ...conversation, columns: columns.map((column) => (column.id === columnId ? change(column) : column)) }
      : conversation;
  switch (act.kind) {
    case "turn-added": {
      const added = inColumn(act.columnId, (column) => ({ ...column, thread: addTurn(column.thread, act.turn) }));
      const isFirst = columns.every(({ thread }) => thread.turns.length === 0);
      return isFirst && !conversation.isNamed ? { ...added, title: titleFrom(act.turn.text) } : added;
    }
    case "turn-changed":
      return inColumn(act.columnId, (column) => ({
        ...column,
        thread: updateTurn(column.thread, act.turnId, act.patch),
      }));
    case "turn-chosen":
      return inColumn(act.columnId, (column) => ({ ...column, thread: chooseTurn(column.thread, act.turnId) }));
    case "turn-removed":
      return inColumn(act.columnId, (column) => ({ ...column, thread: removeTurn(column.thread, act.turnId) }));
    case "column-added":
      return columns.length < MOST_COLUMNS ? { ...conversation, columns: [...columns, act.column] } : conversation;
    case "column-removed":
      return columns.length > 1
        ? { ...conversation, columns: columns.filter(({ id }) => id !== act.columnId) }
        : conversation;
    case "column-changed": {
      const changed = inColumn(act.columnId, (column) => ({ ...column, ...act.patch }));
      const { document } = act.patch;
      const isTitled = conversation.isNamed || columns.some(({ thread }) => thread.turns.length > 0);
      return document === undefined || isTitled ? changed : { ...changed, title: titleFrom(document) };
    }
    case "renamed":
      return { ...conversation, title: titleFrom(act.title), isNamed: true };
    case "pinned":
      return { ...conversation, isPinned: act.isPinned };
  }
}

/** What becomes of a column that turns to another endpoint: a limit that was set goes along under its other name. */
export function switchEndpoint(column: Column, endpoint: TextEndpoint): Partial<Column> {
  if (endpoint === column.endpoint) return {};
  const { max_tokens, max_output_tokens, temperature, top_p } = column.params;
  // The limit that messages requires was set by nobody, and only what was set is sent.
  const isOwn = column.endpoint !== "messages" || max_tokens !== DEFAULT_MAX_TOKENS;
  const limit = isOwn ? (max_tokens ?? max_output_tokens) : undefined;
  const limitName = endpoint === "responses" ? "max_output_tokens" : "max_tokens";
  return {
    endpoint,
    isDocument: endpoint === "completions" && column.thread.turns.length === 0,
    params: {
      ...endpointDefaults(endpoint),
      ...(limit === undefined ? {} : { [limitName]: limit }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { top_p }),
    },
  };
}
