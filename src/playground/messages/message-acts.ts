import { BookmarkPlus, ChevronLeft, ChevronRight, Copy, Pencil, Pin, RefreshCw, ScrollText } from "lucide-react";
import { useChat } from "#text/chat.ts";
import { findTurn, type Turn } from "#text/conversations/conversation.ts";
import { copyText } from "#ui/code-block.tsx";
import { type Command, type CommandInfo, useCommands } from "#ui/commands.ts";
import { toast } from "#ui/toast-store.ts";
import { type ColumnPlace, useIsAnswering, useIsHidden, WAIT } from "../columns/column-acts.ts";
import { answerCommands, questionCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";

interface ActedMessage {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** All versions of it, joined. */
  versionIds: string;
  isLast: boolean;
  canPin: boolean;
  isLeftOut: boolean;
  isRefused: boolean;
  /** The commands of the palette are for this one. */
  isCommanded: boolean;
  onEdit: () => void;
  /** What is selected in it, if anything. */
  selected: () => string | undefined;
}

/** Something that can be done with a message: a button or an entry of its menu, and a command for one message at a time. */
interface MessageAct extends Command {
  /** Beside the message, where it is plain what it is for. */
  word: string;
  danger?: boolean | undefined;
}

type ActName = keyof typeof answerCommands | keyof typeof questionCommands;

export type MessageActs = ReturnType<typeof useMessageActs>;

/**
 * What can be done with a message, by name: undefined where it cannot be done with this one. The palette lists it for the
 * message that had the focus last, else for the newest question and the newest answer of the first column.
 */
export function useMessageActs({ conversationId, columnId, turn, ...message }: ActedMessage) {
  const { conversations, answers } = useChat();
  const openDialog = useDialog();
  const isHidden = useIsHidden();
  const isBusy = useIsAnswering(columnId);
  const free = isBusy ? { unavailable: WAIT } : {};
  const isAnswer = turn.role === "assistant";
  const hasText = turn.text !== "";
  const versions = message.versionIds.split(" ");
  const at = versions.indexOf(turn.id);
  const patch = (change: Partial<Omit<Turn, "id" | "parentId">>) =>
    conversations.dispatch(conversationId, { kind: "turn-changed", columnId, turnId: turn.id, patch: change });
  const choose = (turnId: string | undefined) => {
    if (turnId) conversations.dispatch(conversationId, { kind: "turn-chosen", columnId, turnId });
  };
  const commands: Readonly<Partial<Record<ActName, CommandInfo>>> = isAnswer ? answerCommands : questionCommands;
  const act = (isThere: boolean, name: ActName, run: () => void, more: Partial<MessageAct> = {}) => {
    const command = commands[name];
    if (!isThere || !command) return undefined;
    const word = more.word ?? command.label;
    return { ...command, ...more, label: messageLabel({ ...command, label: word }), word, run } satisfies MessageAct;
  };
  const hasVersions = versions.length > 1;
  const acts = {
    previous: act(hasVersions, "previous", () => choose(versions[at - 1]), {
      icon: ChevronLeft,
      unavailable: at > 0 ? undefined : "This is the first version.",
    }),
    next: act(hasVersions, "next", () => choose(versions[at + 1]), {
      icon: ChevronRight,
      unavailable: at < versions.length - 1 ? undefined : "This is the last version.",
    }),
    copy: act(hasText, "copy", () => void copyText(turn.text), { icon: Copy }),
    edit: act(hasText, "edit", message.onEdit, { icon: Pencil }),
    regenerate: act(isAnswer, "regenerate", () => void answers.regenerate(conversationId, columnId, turn.id), {
      ...free,
      icon: RefreshCw,
      detail: turn.outcome && turn.outcome.how !== "complete" ? "Try again" : undefined,
    }),
    cache: act(message.canPin, "cache", () => patch({ isPinned: turn.isPinned !== true }), {
      icon: Pin,
    }),
    continue: act(
      isAnswer && message.isLast && hasText,
      "continue",
      () => answers.continue(conversationId, columnId, turn.id),
      free,
    ),
    log: act(
      isAnswer && !isHidden,
      "log",
      () => openDialog({ kind: "requests", turnId: turn.copiedFrom ?? turn.id, tab: "wire" }),
      { icon: ScrollText },
    ),
    compare: act(isAnswer && !isHidden, "compare", () => openDialog({ kind: "compare" })),
    snippet: act(
      hasText,
      "snippet",
      () => openDialog({ kind: "save-snippet", text: message.selected() ?? turn.text }),
      { icon: BookmarkPlus },
    ),
    prompt: act(hasText, "prompt", () => openDialog({ kind: "prompt", text: message.selected() ?? turn.text })),
    exclude: act(
      !isAnswer && !message.isLast && !message.isLeftOut && (!message.isRefused || turn.sendAlong === true),
      "exclude",
      () => patch({ sendAlong: false }),
    ),
    include: act(!isAnswer && message.isLeftOut, "include", () => patch({ sendAlong: true })),
    delete: act(
      true,
      "delete",
      () => deleteTurn({ conversations, conversationId, columnId }, turn.id),
      // What is coming would be charged and shown nowhere.
      { ...free, danger: true, word: hasVersions ? "Delete this version" : "Delete from here" },
    ),
  };
  useCommands(message.isCommanded ? Object.values(acts).filter((one) => one !== undefined) : []);
  return acts;
}

/** What the palette says of an act on a message: "Answer: copy". Beside the message "Copy" is plain. */
export const messageLabel = ({ group, label }: CommandInfo) => `${group}: ${lowerFirst(label)}`;

const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);

/** Deletes a version of a message and what follows it, and offers it back. What was written since then stays. */
function deleteTurn({ conversations, conversationId, columnId }: ColumnPlace, turnId: string): void {
  const before = conversations.column(conversationId, columnId)?.thread;
  if (before === undefined) return;
  conversations.dispatch(conversationId, { kind: "turn-removed", columnId, turnId });
  const undo = () => {
    const now = conversations.column(conversationId, columnId)?.thread;
    if (now === undefined) return;
    const since = now.turns.filter(({ id }) => findTurn(before, id) === undefined);
    const thread = { turns: [...before.turns, ...since], chosen: { ...now.chosen, ...before.chosen } };
    conversations.dispatch(conversationId, { kind: "column-changed", columnId, patch: { thread } });
  };
  toast({ title: "Message deleted", action: { label: "Undo", onAct: undo } });
}
