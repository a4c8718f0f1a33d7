import { FolderInput, Link2, type LucideIcon, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { visibleLine } from "#lib/visible-text.ts";
import { useChat } from "#text/chat.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";
import { toast } from "#ui/toast-store.ts";
import { useDialog } from "../use-dialog.ts";
import { deleteConversation } from "./delete-conversation.ts";

export interface ConversationAct {
  name: "rename" | "pin" | "move" | "link" | "delete";
  label: string;
  icon: LucideIcon;
  danger?: boolean;
  run: () => void;
}

type Listed = Pick<ConversationSummary, "id" | "title" | "isPinned" | "isTemporary">;

/** What can be done with a conversation, open or not. A temporary one has no address and cannot be put into order. */
export function useConversationActs(): (conversation: Listed) => readonly ConversationAct[] {
  const chat = useChat();
  const openDialog = useDialog();
  return ({ id, title, isPinned, isTemporary }) => {
    const acts: ConversationAct[] = [
      { name: "rename", label: "Rename", icon: Pencil, run: () => openDialog({ kind: "rename", id, title }) },
      {
        name: "pin",
        label: isPinned ? "Unpin" : "Pin",
        icon: isPinned ? PinOff : Pin,
        run: () => void chat.conversations.loadAndDispatch(id, { kind: "pinned", isPinned: !isPinned }),
      },
      { name: "move", label: "Move to a project", icon: FolderInput, run: () => openDialog({ kind: "move", id }) },
      { name: "link", label: "Copy link", icon: Link2, run: () => void copyLink(id) },
      {
        name: "delete",
        label: "Delete",
        icon: Trash2,
        danger: true,
        run: () => void deleteWithUndo(chat, id, title),
      },
    ];
    return isTemporary ? acts.filter(({ name }) => name === "rename" || name === "delete") : acts;
  };
}

async function deleteWithUndo(chat: Parameters<typeof deleteConversation>[0], id: string, title: string) {
  const wasOpen = chat.conversations.store.getState().current?.id === id;
  const undo = await deleteConversation(chat, id);
  toast({
    title: `Deleted “${visibleLine(title, 60)}”`,
    ...(undo && {
      action: {
        label: "Undo",
        onAct: () => {
          undo();
          if (wasOpen) void chat.conversations.open(id);
        },
      },
    }),
  });
}

async function copyLink(id: string): Promise<void> {
  const address = `${location.origin}/playground/${encodeURIComponent(id)}`;
  try {
    await navigator.clipboard.writeText(address);
    toast({ title: "Link copied", body: "It opens the conversation in this browser only.", tone: "success" });
  } catch {
    toast({ title: "The link could not be copied", body: address, tone: "error" });
  }
}
