import type { TextEndpoint } from "#api/text/text-types.ts";
import { randomId } from "#lib/random-id.ts";
import type { JsonRecord } from "#lib/read.ts";
import { PLAIN_TEMPLATE, type PromptTemplate } from "../prompt-template.ts";
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

/** Messages endpoint only. `auto` caches the system prompt and the newest messages, `pins` what the person marked. */
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
  /** The preset that was chosen last, by its name: what differs from it counts as changed. */
  preset?: string;
}

export interface Conversation {
  id: string;
  title: string;
  /** The person named it, so that the first message no longer does. */
  isNamed: boolean;
  isPinned: boolean;
  /** Never stored: it ends with the page. */
  isTemporary: boolean;
  /** The project that it belongs to and under which its answers are spent (`runs/ledger/projects.ts`); absent for none. */
  projectId?: string;
  /** While columns are compared without their names. */
  blind?: BlindComparison;
  createdAtMs: number;
  updatedAtMs: number;
  columns: readonly Column[];
}

/** Columns in a shuffled order and without names, until the person has voted. */
export interface BlindComparison {
  /** Ids of columns, as they stand side by side. */
  order: readonly string[];
  /** Whether the names are shown again. */
  isRevealed: boolean;
}

export const MAX_COLUMNS = 4;
export const NEW_TITLE = "New conversation";

/** A column without messages. */
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

/**
 * Fields of the body that are set from the start: `max_tokens` where the specification names it (spec 4.2), and that
 * completions streams count tokens, which they do only if asked to. All are shown in the settings and can be changed
 * there.
 */
function endpointDefaults(endpoint: TextEndpoint): JsonRecord {
  if (endpoint === "messages") return { max_tokens: DEFAULT_MAX_TOKENS };
  if (endpoint === "responses") return {};
  return { max_tokens: DEFAULT_MAX_TOKENS, stream_options: { include_usage: true } };
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

/** True if it holds no message and no document. */
export function isBlank(conversation: Conversation): boolean {
  return conversation.columns.every(({ thread, document }) => thread.turns.length === 0 && document === "");
}

/** The ids of the pictures whose bytes belong to a conversation: of its questions and of its answers. */
export function pictureIds({ columns }: Pick<Conversation, "columns">): string[] {
  return columns.flatMap(({ thread }) =>
    thread.turns.flatMap(({ pictures = [], parts = [] }) => [
      ...pictures.flatMap(({ id, url }) => (url === undefined ? [id] : [])),
      ...parts.flatMap((part) => (part.kind === "picture" && part.pictureId ? [part.pictureId] : [])),
    ]),
  );
}

/** A title from the first line of a message. */
function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return NEW_TITLE;
  return line.length <= 60 ? line : `${line.slice(0, 59).trimEnd()}…`;
}

/** A change of a conversation, for `reduceConversation`. */
export type ConversationAction =
  | { kind: "turn-added"; columnId: string; turn: Turn }
  | { kind: "turn-changed"; columnId: string; turnId: string; patch: Partial<Omit<Turn, "id" | "parentId">> }
  | { kind: "turn-chosen"; columnId: string; turnId: string }
  | { kind: "turn-removed"; columnId: string; turnId: string }
  | { kind: "column-added"; column: Column }
  | { kind: "column-removed"; columnId: string }
  | { kind: "column-changed"; columnId: string; patch: Partial<Omit<Column, "id">> }
  | { kind: "renamed"; title: string }
  | { kind: "pinned"; isPinned: boolean }
  | { kind: "moved"; projectId: string | undefined }
  | { kind: "blind-changed"; blind: BlindComparison | undefined };

/** One change of a conversation. An action on a column or a message that is not there changes nothing. */
export function reduceConversation(
  conversation: Conversation,
  action: ConversationAction,
  nowMs = Date.now(),
): Conversation {
  const changed = apply(conversation, action);
  // Putting a conversation into order does not move it to the top of the list.
  return changed === conversation || IN_ITS_PLACE.has(action.kind) ? changed : { ...changed, updatedAtMs: nowMs };
}

const IN_ITS_PLACE = new Set<ConversationAction["kind"]>(["pinned", "moved"]);

function apply(conversation: Conversation, action: ConversationAction): Conversation {
  const { columns } = conversation;
  const inColumn = (columnId: string, change: (column: Column) => Column): Conversation =>
    columns.some(({ id }) => id === columnId)
      ? { ...conversation, columns: columns.map((column) => (column.id === columnId ? change(column) : column)) }
      : conversation;
  switch (action.kind) {
    case "turn-added": {
      const added = inColumn(action.columnId, (column) => ({ ...column, thread: addTurn(column.thread, action.turn) }));
      const isFirst = columns.every(({ thread }) => thread.turns.length === 0);
      return isFirst && !conversation.isNamed ? { ...added, title: titleFrom(action.turn.text) } : added;
    }
    case "turn-changed":
      return inColumn(action.columnId, (column) => ({
        ...column,
        thread: updateTurn(column.thread, action.turnId, action.patch),
      }));
    case "turn-chosen":
      return inColumn(action.columnId, (column) => ({ ...column, thread: chooseTurn(column.thread, action.turnId) }));
    case "turn-removed":
      return inColumn(action.columnId, (column) => ({ ...column, thread: removeTurn(column.thread, action.turnId) }));
    case "column-added":
      return columns.length < MAX_COLUMNS ? { ...conversation, columns: [...columns, action.column] } : conversation;
    case "column-removed":
      return columns.length > 1
        ? { ...conversation, columns: columns.filter(({ id }) => id !== action.columnId) }
        : conversation;
    case "column-changed": {
      const changed = inColumn(action.columnId, (column) => ({ ...column, ...action.patch }));
      const { document } = action.patch;
      const isTitled = conversation.isNamed || columns.some(({ thread }) => thread.turns.length > 0);
      return document === undefined || isTitled ? changed : { ...changed, title: titleFrom(document) };
    }
    case "renamed":
      return { ...conversation, title: titleFrom(action.title), isNamed: true };
    case "pinned":
      return { ...conversation, isPinned: action.isPinned };
    case "moved": {
      const { projectId: _, ...others } = conversation;
      return action.projectId === undefined ? others : { ...others, projectId: action.projectId };
    }
    case "blind-changed": {
      const { blind: _, ...others } = conversation;
      return action.blind === undefined ? others : { ...others, blind: action.blind };
    }
  }
}

/** The change that puts a column on another endpoint. A limit that was set goes along under its other name. */
export function switchEndpoint(column: Column, endpoint: TextEndpoint): Partial<Column> {
  if (endpoint === column.endpoint) return {};
  const { max_tokens, max_output_tokens, temperature, top_p } = column.params;
  // The limit that is there from the start was not set by the person, and only what was set is sent.
  const isOwn = column.endpoint === "responses" || max_tokens !== DEFAULT_MAX_TOKENS;
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
