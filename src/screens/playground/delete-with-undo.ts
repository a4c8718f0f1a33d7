import type { ChatShelf } from "#chat/chat-shelf.ts";
import type { Column } from "#chat/conversation.ts";
import { findTurn } from "#chat/thread.ts";
import { toast } from "#ui/toast-store.ts";

interface Place {
  shelf: ChatShelf;
  conversationId: string;
  columnId: string;
}

/** Deletes a version of a message and what follows it, and offers it back. What was said since then stays. */
export function deleteTurn({ shelf, conversationId, columnId }: Place, turnId: string): void {
  const before = columnOf({ shelf, conversationId, columnId })?.thread;
  if (before === undefined) return;
  shelf.act(conversationId, { kind: "turn-removed", columnId, turnId });
  const bringBack = () => {
    const now = columnOf({ shelf, conversationId, columnId })?.thread;
    if (now === undefined) return;
    const since = now.turns.filter(({ id }) => findTurn(before, id) === undefined);
    const thread = { turns: [...before.turns, ...since], chosen: { ...now.chosen, ...before.chosen } };
    shelf.act(conversationId, { kind: "column-changed", columnId, patch: { thread } });
  };
  toast({ title: "Message deleted", action: { label: "Undo", onAct: bringBack } });
}

/** Removes a column with everything that was said in it, and offers it back. */
export function removeColumn({ shelf, conversationId, columnId }: Place): void {
  const column = columnOf({ shelf, conversationId, columnId });
  if (column === undefined) return;
  shelf.act(conversationId, { kind: "column-removed", columnId });
  if (column.thread.turns.length === 0 && column.document === "") return;
  toast({
    title: "Column removed",
    action: { label: "Undo", onAct: () => shelf.act(conversationId, { kind: "column-added", column }) },
  });
}

function columnOf({ shelf, conversationId, columnId }: Place): Column | undefined {
  return shelf.get(conversationId)?.columns.find(({ id }) => id === columnId);
}
