import { Code, ScrollText } from "lucide-react";
import { type Column, visiblePath } from "#text/conversations/conversation.ts";
import { playgroundCommands } from "./commands.ts";
import { useColumnCommand } from "./messages/message-acts.ts";
import { useDialog } from "./use-dialog.ts";

/** The acts that show a column's newest request: as it was sent, and as code that sends it again. */
export function useOpenLog(column: Column) {
  const openDialog = useDialog();
  const named = useColumnCommand(column);
  const open = (tab: "wire" | "code") => {
    const newest = visiblePath(column.thread).findLast(({ turn }) => turn.role === "assistant")?.turn;
    // The log of a document's last continuation goes by the id of its column.
    const turnId = column.isDocument ? column.id : (newest?.copiedFrom ?? newest?.id);
    openDialog({ kind: "requests", turnId, tab });
  };
  return {
    log: { ...named(playgroundCommands.log), icon: ScrollText, run: () => open("wire") },
    code: { ...named(playgroundCommands.code), icon: Code, run: () => open("code") },
  };
}
