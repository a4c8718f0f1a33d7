import { BookmarkPlus, ChevronLeft, ChevronRight, Copy, Pencil, Pin, RefreshCw, ScrollText } from "lucide-react";
import { useChat } from "#text/chat.ts";
import { findTurn, getSiblings, type Turn } from "#text/conversations/conversation.ts";
import { copyText } from "#ui/code-block.tsx";
import { type Command, type CommandInfo, useCommands } from "#ui/commands.ts";
import { toast } from "#ui/toast-store.ts";
import { type ColumnPlace, useIsHidden, useIsResponding, WAIT } from "../columns/column-acts.ts";
import { playgroundCommands, questionCommands, responseCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";

interface ActedMessage {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** The ids of all its versions, separated by spaces. */
  versionIds: string;
  isLast: boolean;
  canPin: boolean;
  isLeftOut: boolean;
  isRefused: boolean;
  /** Whether the commands of the palette act on this message. */
  isCommanded: boolean;
  onEdit: () => void;
  /** The text that is selected in the message; undefined without a selection. */
  selected: () => string | undefined;
}

/** An action on a message: a button or a menu item beside it, and a command of the palette. */
interface MessageAct extends Command {
  /** The short label beside the message. */
  word: string;
  danger?: boolean | undefined;
}

type ActName = keyof typeof responseCommands | keyof typeof questionCommands;

export type MessageActs = ReturnType<typeof useMessageActs>;

/**
 * The actions on a message, by name; undefined for an action that this message does not have. The palette lists those
 * of the message that had the focus last, else of the latest message and the latest response of the first column.
 */
export function useMessageActs({ conversationId, columnId, turn, ...message }: ActedMessage) {
  const { conversations, responses } = useChat();
  const openDialog = useDialog();
  const isHidden = useIsHidden();
  const isBusy = useIsResponding(columnId);
  const whenFree = isBusy ? { unavailable: WAIT } : {};
  const isResponse = turn.role === "assistant";
  const hasText = turn.text !== "";
  const versions = message.versionIds.split(" ");
  const index = versions.indexOf(turn.id);
  const patch = (change: Partial<Omit<Turn, "id" | "parentId">>) =>
    conversations.dispatch(conversationId, { kind: "turn-changed", columnId, turnId: turn.id, patch: change });
  const choose = (turnId: string | undefined) => {
    if (turnId) conversations.dispatch(conversationId, { kind: "turn-chosen", columnId, turnId });
  };
  const commands: Readonly<Partial<Record<ActName, CommandInfo>>> = isResponse ? responseCommands : questionCommands;
  const act = (isOffered: boolean, name: ActName, run: () => void, more: Partial<MessageAct> = {}) => {
    const command = commands[name];
    if (!isOffered || !command) return undefined;
    const word = more.word ?? command.label;
    return { ...command, ...more, label: messageLabel({ ...command, label: word }), word, run } satisfies MessageAct;
  };
  const hasVersions = versions.length > 1;
  const acts = {
    previous: act(hasVersions, "previous", () => choose(versions[index - 1]), {
      icon: ChevronLeft,
      unavailable: index > 0 ? undefined : "No earlier version",
    }),
    next: act(hasVersions, "next", () => choose(versions[index + 1]), {
      icon: ChevronRight,
      unavailable: index < versions.length - 1 ? undefined : "No later version",
    }),
    copy: act(hasText, "copy", () => void copyText(turn.text), { icon: Copy }),
    edit: act(hasText, "edit", message.onEdit, { icon: Pencil }),
    regenerate: act(isResponse, "regenerate", () => void responses.regenerate(conversationId, columnId, turn.id), {
      ...whenFree,
      icon: RefreshCw,
      detail: turn.outcome && turn.outcome.how !== "complete" ? "Try again" : undefined,
    }),
    cache: act(message.canPin, "cache", () => patch({ isPinned: turn.isPinned !== true }), {
      icon: Pin,
    }),
    continue: act(
      isResponse && message.isLast && hasText,
      "continue",
      () => responses.continue(conversationId, columnId, turn.id),
      whenFree,
    ),
    log: act(
      isResponse && !isHidden,
      "log",
      () => openDialog({ kind: "requests", turnId: turn.copiedFrom ?? turn.id, tab: "wire" }),
      { icon: ScrollText },
    ),
    snippet: act(
      hasText,
      "snippet",
      () => openDialog({ kind: "save-snippet", text: message.selected() ?? turn.text }),
      { icon: BookmarkPlus },
    ),
    prompt: act(hasText, "prompt", () => openDialog({ kind: "prompt", text: message.selected() ?? turn.text })),
    exclude: act(
      !isResponse && !message.isLast && !message.isLeftOut && (!message.isRefused || turn.sendAlong === true),
      "exclude",
      () => patch({ sendAlong: false }),
    ),
    include: act(!isResponse && message.isLeftOut, "include", () => patch({ sendAlong: true })),
    delete: act(
      true,
      "delete",
      () => deleteTurn({ conversations, conversationId, columnId }, turn.id),
      // Not while it is coming: the response would be charged and not shown anywhere.
      { ...whenFree, danger: true, word: hasVersions ? "Delete this version" : "Delete this and later messages" },
    ),
  };
  useCommands(message.isCommanded ? Object.values(acts).filter((each) => each !== undefined) : []);
  // The bar of the chat gives this command to the palette: it is about the whole chat.
  const { metrics } = playgroundCommands;
  const compare: MessageAct | undefined =
    isResponse && !isHidden
      ? { ...metrics, word: metrics.label, run: () => openDialog({ kind: "compare" }) }
      : undefined;
  return { ...acts, compare };
}

/** The palette's label of an action on a message: "Response: copy". */
export const messageLabel = ({ group, label }: CommandInfo) => `${group}: ${lowerFirst(label)}`;

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);

/** Deletes a version of a message and what follows it. A toast offers to undo that; later messages stay then. */
function deleteTurn({ conversations, conversationId, columnId }: ColumnPlace, turnId: string): void {
  const original = conversations.column(conversationId, columnId)?.thread;
  if (original === undefined) return;
  conversations.dispatch(conversationId, { kind: "turn-removed", columnId, turnId });
  const undo = () => {
    const current = conversations.column(conversationId, columnId)?.thread;
    if (current === undefined) return;
    const added = current.turns.filter(({ id }) => findTurn(original, id) === undefined);
    const thread = { turns: [...original.turns, ...added], chosen: { ...current.chosen, ...original.chosen } };
    conversations.dispatch(conversationId, { kind: "column-changed", columnId, patch: { thread } });
  };
  const isVersion = getSiblings(original, turnId).length > 1;
  const isFollowed = original.turns.some(({ parentId }) => parentId === turnId);
  const title = isVersion
    ? `Version${isFollowed ? " and later messages" : ""} deleted`
    : `${isFollowed ? "Messages" : "Message"} deleted`;
  toast({ title, action: { label: "Undo", onAct: undo } });
}
