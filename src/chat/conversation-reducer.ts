import type { TextEndpoint } from "#api/text-types.ts";
import {
  type Column,
  type Conversation,
  DEFAULT_MAX_TOKENS,
  endpointDefaults,
  MOST_COLUMNS,
  titleFrom,
} from "./conversation.ts";
import { addTurn, chooseTurn, removeTurn, type Turn, updateTurn } from "./thread.ts";

export type ConversationAct =
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
export function reduceConversation(conversation: Conversation, act: ConversationAct, nowMs = Date.now()): Conversation {
  const changed = apply(conversation, act);
  // Pinning is no work on the conversation: its place in the list stays.
  return changed === conversation || act.kind === "pinned" ? changed : { ...changed, updatedAtMs: nowMs };
}

function apply(conversation: Conversation, act: ConversationAct): Conversation {
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
