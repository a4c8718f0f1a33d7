import {
  addTurn,
  type Column,
  type Conversation,
  createColumn,
  createConversation,
  EMPTY_THREAD,
  type Turn,
} from "#text/conversations/conversation.ts";

let count = 0;

/** A message with what a test does not care about filled in. */
export function someTurn(turn: Partial<Turn> = {}): Turn {
  count += 1;
  return { id: `turn-${count}`, parentId: null, role: "user", text: "Hello", createdAtMs: count, ...turn };
}

/** Messages one after the other, the person first. */
export function somePath(...texts: string[]): Turn[] {
  let parentId: string | null = null;
  return texts.map((text, index) => {
    const turn = someTurn({ parentId, text, role: index % 2 === 0 ? "user" : "assistant" });
    parentId = turn.id;
    return turn;
  });
}

export function someColumn(column: Partial<Column> = {}): Column {
  return { ...createColumn({ endpoint: column.endpoint ?? "messages", model: "quill-2" }), ...column };
}

export function someConversation(...texts: string[]): Conversation {
  const conversation = createConversation({ endpoint: "messages", model: "quill-2" }, { nowMs: 1 });
  const thread = somePath(...texts).reduce(
    (grown, turn) =>
      addTurn(grown, turn.role === "assistant" ? { ...turn, outcome: { how: "complete" as const } } : turn),
    EMPTY_THREAD,
  );
  return { ...conversation, columns: conversation.columns.map((column) => ({ ...column, thread })) };
}
