import { FolderInput, Link2, type LucideIcon, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { visibleLine } from "#lib/visible-text.ts";
import { type Chat, useChat } from "#text/chat.ts";
import { pictureIds } from "#text/conversations/conversation.ts";
import { holdPicture, loadPictures, storePictures } from "#text/conversations/pictures.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";
import { addRequestLog, loadRequestLog, saveRequestLog } from "#text/request-log.ts";
import { toast } from "#ui/toast-store.ts";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";

interface ConversationAct {
  name: "rename" | "pin" | "move" | "link" | "delete";
  label: string;
  icon: LucideIcon;
  danger?: boolean;
  run: () => void;
}

type Listed = Pick<ConversationSummary, "id" | "title" | "isPinned" | "isTemporary">;

/** The actions on a chat, open or not. A temporary one has no link and cannot be pinned or moved. */
export function useConversationActs(): (conversation: Listed) => readonly ConversationAct[] {
  const chat = useChat();
  const openDialog = useDialog();
  return ({ id, title, isPinned, isTemporary }) => {
    const acts: ConversationAct[] = [
      {
        name: "rename",
        label: playgroundCommands.rename.label,
        icon: Pencil,
        run: () => openDialog({ kind: "rename", id, title }),
      },
      {
        name: "pin",
        label: isPinned ? "Unpin chat" : playgroundCommands.pin.label,
        icon: isPinned ? PinOff : Pin,
        run: () => void chat.conversations.loadAndDispatch(id, { kind: "pinned", isPinned: !isPinned }),
      },
      {
        name: "move",
        label: playgroundCommands.move.label,
        icon: FolderInput,
        run: () => openDialog({ kind: "move", id }),
      },
      { name: "link", label: playgroundCommands.link.label, icon: Link2, run: () => void copyLink(id) },
      {
        name: "delete",
        label: playgroundCommands.delete.label,
        icon: Trash2,
        danger: true,
        run: () => void deleteWithUndo(chat, id, title),
      },
    ];
    return isTemporary ? acts.filter(({ name }) => name === "rename" || name === "delete") : acts;
  };
}

async function deleteWithUndo(chat: Chat, id: string, title: string) {
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
  const url = `${location.origin}/playground/${encodeURIComponent(id)}`;
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: "Link copied", body: "It opens this chat in this browser only.", tone: "success" });
  } catch {
    toast({ title: "Couldn’t copy the link", body: url, tone: "error" });
  }
}

/**
 * Deletes a chat at once, with its messages, images and request logs. Resolves with a function that restores
 * all of it, until the page is closed, except for the logs of a temporary one; with undefined where there is none.
 */
async function deleteConversation(chat: Chat, id: string): Promise<(() => void) | undefined> {
  const { conversations, responses, accountId } = chat;
  responses.stop(id);
  const conversation = await conversations.load(id);
  if (conversation === undefined) {
    await conversations.remove(id);
    return undefined;
  }
  const pictures = await loadPictures(accountId, id, pictureIds(conversation)).catch(() => new Map<string, string>());
  const turnIds = conversation.columns.flatMap((column) => [column.id, ...column.thread.turns.map((turn) => turn.id)]);
  const logs = await Promise.all(
    turnIds.map(async (turnId) => ({
      turnId,
      log: await loadRequestLog(accountId, turnId).catch(() => undefined),
    })),
  );
  // Read again: the stop has given a coming response its outcome.
  const last = conversations.get(id) ?? conversation;
  await conversations.remove(id);
  return () => {
    for (const [pictureId, base64] of pictures) holdPicture(pictureId, base64);
    conversations.putBack(last);
    if (last.isTemporary) return;
    void storePictures(accountId, id, [...pictures.keys()]);
    for (const { turnId, log } of logs) {
      if (log === undefined) continue;
      addRequestLog(turnId, log);
      void saveRequestLog(accountId, id, turnId, log);
    }
  };
}
