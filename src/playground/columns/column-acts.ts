import { Code, ScrollText } from "lucide-react";
import type { RequestLogTab } from "#connection/request-log-view.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { useChatState } from "#text/chat.ts";
import { getColumnLetter, isBlind, shownColumns } from "#text/conversations/blind-comparison.ts";
import { type Column, visiblePath } from "#text/conversations/conversation.ts";
import type { ConversationStore } from "#text/conversations/conversation-store.ts";
import { type CommandInfo, commandFor } from "#ui/commands.ts";
import { toast } from "#ui/toast-store.ts";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";

/** Why an action is not available while its column is responding. */
export const WAIT = "Wait for the response to finish, or stop it";

/** Whether a response of a column is coming. */
export function useIsResponding(columnId: string): boolean {
  return useChatState(({ runs }) => Object.values(runs).some((run) => run.columnId === columnId));
}

/** Whether any response of a chat is coming. */
export function useIsBusy(conversationId: string): boolean {
  return useChatState(({ runs }) => Object.values(runs).some((run) => run.conversationId === conversationId));
}

/** Whether the columns are compared blind: nothing in them may give their models away. */
export function useIsHidden(): boolean {
  return useChatState(({ current }) => current !== undefined && isBlind(current));
}

/** Returns a function that makes a command for one column. With several columns, each has its own id and label. */
export function useColumnCommand({ id, model }: { id: string; model: string }) {
  const isOnly = useChatState(({ current }) => current?.columns.length === 1);
  const hiddenAs = useChatState(({ current }) =>
    current && isBlind(current)
      ? getColumnLetter(shownColumns(current).findIndex((column) => column.id === id))
      : undefined,
  );
  return (command: CommandInfo): CommandInfo =>
    isOnly
      ? command
      : {
          ...commandFor(command, id),
          label: `${command.label}: ${hiddenAs ?? visibleLine(model || "no model")}`,
          keys: undefined,
        };
}

/** Removes a column with all its messages. Offers to undo this, unless the column was empty. */
export function removeColumn({ conversations, conversationId, columnId }: ColumnPlace): void {
  const column = conversations.column(conversationId, columnId);
  if (column === undefined) return;
  conversations.dispatch(conversationId, { kind: "column-removed", columnId });
  if (column.thread.turns.length === 0 && column.document === "") return;
  toast({
    title: "Column removed",
    action: { label: "Undo", onAct: () => conversations.dispatch(conversationId, { kind: "column-added", column }) },
  });
}

/** The commands that show a column's latest request: as it was sent, and as code that sends it again. */
export function useOpenLog(column: Column) {
  const openDialog = useDialog();
  const columnCommand = useColumnCommand(column);
  const open = (tab: RequestLogTab) => {
    const newest = visiblePath(column.thread).findLast(({ turn }) => turn.role === "assistant")?.turn;
    // The log of a document's last continuation is stored under the id of its column, and the log of a copied turn under
    // the id of its original.
    const turnId = column.isDocument ? column.id : (newest?.copiedFrom ?? newest?.id);
    openDialog({ kind: "requests", turnId, tab });
  };
  return {
    log: { ...columnCommand(playgroundCommands.log), icon: ScrollText, run: () => open("wire") },
    code: { ...columnCommand(playgroundCommands.code), icon: Code, run: () => open("code") },
  };
}

export interface ColumnPlace {
  conversations: ConversationStore;
  conversationId: string;
  columnId: string;
}
