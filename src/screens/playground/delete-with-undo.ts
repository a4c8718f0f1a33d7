import type { Column } from "#chat/conversation.ts";
import type { ConversationStore } from "#chat/conversation-store.ts";
import { findTurn } from "#chat/thread.ts";
import { toast } from "#ui/toast.tsx";

interface Place {
  conversations: ConversationStore;
  conversationId: string;
  columnId: string;
}

/** Deletes a version of a message and what follows it, and offers it back. What was written since then stays. */
export function deleteTurn({ conversations, conversationId, columnId }: Place, turnId: string): void {
  const before = columnOf({ conversations, conversationId, columnId })?.thread;
  if (before === undefined) return;
  conversations.dispatch(conversationId, { kind: "turn-removed", columnId, turnId });
  const undo = () => {
    const now = columnOf({ conversations, conversationId, columnId })?.thread;
    if (now === undefined) return;
    const since = now.turns.filter(({ id }) => findTurn(before, id) === undefined);
    const thread = { turns: [...before.turns, ...since], chosen: { ...now.chosen, ...before.chosen } };
    conversations.dispatch(conversationId, { kind: "column-changed", columnId, patch: { thread } });
  };
  toast({ title: "Message deleted", action: { label: "Undo", onAct: undo } });
}

/** Removes a column with all its messages, and offers it back. */
export function removeColumn({ conversations, conversationId, columnId }: Place): void {
  const column = columnOf({ conversations, conversationId, columnId });
  if (column === undefined) return;
  conversations.dispatch(conversationId, { kind: "column-removed", columnId });
  if (column.thread.turns.length === 0 && column.document === "") return;
  toast({
    title: "Column removed",
    action: { label: "Undo", onAct: () => conversations.dispatch(conversationId, { kind: "column-added", column }) },
  });
}

function columnOf({ conversations, conversationId, columnId }: Place): Column | undefined {
  return conversations.get(conversationId)?.columns.find(({ id }) => id === columnId);
}
