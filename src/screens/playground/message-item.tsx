import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Copy, Ellipsis, Pencil, Pin, RefreshCw } from "lucide-react";
import { memo, type ReactNode, useRef, useState } from "react";
import type { AnswerRun } from "#chat/answer-runner.ts";
import { useChat } from "#chat/chat.ts";
import type { Turn } from "#chat/thread.ts";
import { IconButton } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { copyText } from "#ui/code-block.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { AnswerBody, LiveAnswer, LiveStats } from "./answer.tsx";
import { StatsLine } from "./answer-status.tsx";
import { deleteTurn } from "./delete-with-undo.ts";
import { MessageEditor } from "./message-editor.tsx";
import { PictureList } from "./picture-list.tsx";
import { useDialog } from "./use-dialog.ts";

interface MessageItemProps {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** All versions of it, joined: a list would be a new one at each change of the conversation. */
  versionIds: string;
  isLast: boolean;
  canPin: boolean;
  /** Whether it stays out of later questions. */
  isLeftOut: boolean;
  /** Questions only: whether its answer is a refusal, so that it stays out unless the person sends it along. */
  isRefused: boolean;
  run: AnswerRun | undefined;
}

/** One message with what can be done with it. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { turn, run, conversationId, columnId } = props;
  const [isEditing, setIsEditing] = useState(false);
  const isUser = turn.role === "user";
  const actions = <MessageActions {...props} onEdit={() => setIsEditing(true)} />;
  return (
    <li className="group/message text-[14px] leading-[1.62] [contain-intrinsic-size:auto_120px] [content-visibility:auto]">
      <Author
        aside={
          <>
            {run && <LiveStats run={run} />}
            {props.canPin && turn.isPinned && <Pill>cached</Pill>}
            {props.isLeftOut && <Pill title={LEFT_OUT}>Not sent along</Pill>}
            {isUser && (props.isLeftOut || (props.isRefused && turn.sendAlong)) && !isEditing && (
              <SendAlong {...props} />
            )}
            {isUser && !isEditing && actions}
          </>
        }
      >
        {isUser ? "User" : "Assistant"}
      </Author>
      {isEditing ? (
        <MessageEditor
          conversationId={conversationId}
          columnId={columnId}
          turn={turn}
          onClose={() => setIsEditing(false)}
        />
      ) : isUser ? (
        <div className="flex flex-col gap-2">
          {turn.pictures && (
            <PictureList label="Images of the message" conversationId={conversationId} pictures={turn.pictures} />
          )}
          {turn.text !== "" && (
            <div
              dir="auto"
              className={clsx(
                "wrap-anywhere w-fit max-w-[66ch] whitespace-pre-wrap rounded-[12px] bg-raised px-[13px] py-[9px]",
                props.isLeftOut && "text-ink-3",
              )}
            >
              {turn.text}
            </div>
          )}
        </div>
      ) : run ? (
        <LiveAnswer conversationId={conversationId} run={run} />
      ) : (
        <>
          <AnswerBody conversationId={conversationId} columnId={columnId} turn={turn} isLast={props.isLast} />
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5 pt-1">
            {turn.facts && <StatsLine facts={turn.facts} model={turn.asked?.model} />}
            {actions}
          </div>
        </>
      )}
    </li>
  );
});

const LEFT_OUT =
  "This message and its answer are not sent along with later messages, because those could be refused too. Nothing is deleted.";

/** Takes a question that was refused, or left out, into the later questions, and out of them again. */
function SendAlong({ conversationId, columnId, turn, isLeftOut, isRefused }: MessageItemProps) {
  const { conversations } = useChat();
  return (
    <span className="flex items-center gap-1.5 text-[12px] text-ink-2">
      <Switch
        aria-label="Include in later messages"
        checked={!isLeftOut}
        onChange={(event) => {
          // Where nothing was refused, a question goes along by itself.
          const sendAlong = event.target.checked;
          const action = { kind: "turn-changed" as const, columnId, turnId: turn.id, patch: { sendAlong } };
          conversations.dispatch(conversationId, action);
        }}
      />
      <span aria-hidden>Include in later messages{isRefused && turn.sendAlong && ", although it was refused"}</span>
    </span>
  );
}

/** What can be done with a message. Seen while the pointer or the focus is on it; always where there is no pointer. */
function MessageActions(props: MessageItemProps & { onEdit: () => void }) {
  const { conversationId, columnId, turn, versionIds, isLast } = props;
  const { conversations, answers } = useChat();
  const openDialog = useDialog();
  const bar = useRef<HTMLDivElement>(null);
  const versions = versionIds.split(" ");
  const at = versions.indexOf(turn.id);
  const isAnswer = turn.role === "assistant";
  const choose = (turnId: string | undefined) => {
    if (turnId) conversations.dispatch(conversationId, { kind: "turn-chosen", columnId, turnId });
  };
  const items = [
    ...(isAnswer
      ? [
          ...(isLast && turn.text !== ""
            ? [{ label: "Continue", onSelect: () => answers.continue(conversationId, columnId, turn.id) }]
            : []),
          { label: "Request log", onSelect: () => openDialog({ kind: "requests", turnId: turn.id, tab: "wire" }) },
          {
            label: "Run several times and compare",
            onSelect: () => openDialog({ kind: "compare" }),
          },
        ]
      : []),
    ...(turn.text === ""
      ? []
      : [
          {
            label: "Open in Create as a prompt",
            onSelect: () => openDialog({ kind: "prompt", text: selectedIn(bar.current?.closest("li")) ?? turn.text }),
          },
        ]),
    ...(!isAnswer && !isLast && !props.isLeftOut && !props.isRefused
      ? [
          {
            label: "Exclude from later messages",
            onSelect: () =>
              conversations.dispatch(conversationId, {
                kind: "turn-changed",
                columnId,
                turnId: turn.id,
                patch: { sendAlong: false },
              }),
          },
        ]
      : []),
    {
      label: versions.length > 1 ? "Delete this version" : "Delete from here",
      danger: true,
      onSelect: () => deleteTurn({ conversations, conversationId, columnId }, turn.id),
    },
  ];
  return (
    <div
      ref={bar}
      className={clsx("flex items-center gap-0.5 leading-none", isAnswer && "max-sm:pointer-coarse:-ml-3")}
    >
      {versions.length > 1 && (
        <span className="flex items-center text-[12px] text-ink-3 tabular-nums">
          <IconButton
            label="Previous version"
            size="sm"
            aria-disabled={at <= 0}
            onClick={() => choose(versions[at - 1])}
          >
            <ChevronLeft aria-hidden className="size-4" />
          </IconButton>
          {at + 1} / {versions.length}
          <IconButton
            label="Next version"
            size="sm"
            aria-disabled={at >= versions.length - 1}
            onClick={() => choose(versions[at + 1])}
          >
            <ChevronRight aria-hidden className="size-4" />
          </IconButton>
        </span>
      )}
      <span className="flex items-center gap-0.5 opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
        {turn.text !== "" && (
          <>
            <IconButton label="Copy" size="sm" onClick={() => void copyText(turn.text)}>
              <Copy aria-hidden className="size-3.5" />
            </IconButton>
            <IconButton label="Edit" size="sm" onClick={props.onEdit}>
              <Pencil aria-hidden className="size-3.5" />
            </IconButton>
          </>
        )}
        {isAnswer && (
          <IconButton
            label="Regenerate"
            size="sm"
            onClick={() => void answers.regenerate(conversationId, columnId, turn.id)}
          >
            <RefreshCw aria-hidden className="size-3.5" />
          </IconButton>
        )}
        {props.canPin && (
          <IconButton
            label="Cache the prompt up to here"
            size="sm"
            aria-pressed={turn.isPinned === true}
            onClick={() =>
              conversations.dispatch(conversationId, {
                kind: "turn-changed",
                columnId,
                turnId: turn.id,
                patch: { isPinned: turn.isPinned !== true },
              })
            }
          >
            <Pin aria-hidden className={turn.isPinned ? "size-3.5 fill-current text-accent-text" : "size-3.5"} />
          </IconButton>
        )}
        <Menu label="More actions" icon={Ellipsis} size="sm" items={items} />
      </span>
    </div>
  );
}

/** What is selected inside a message; undefined where nothing is. */
function selectedIn(message: Element | null | undefined): string | undefined {
  const selection = document.getSelection();
  if (!message || !selection?.anchorNode || !message.contains(selection.anchorNode)) return undefined;
  return selection.toString().trim() || undefined;
}

/** Whose message it is, with its actions. A heading, so that a screen reader can go from message to message. */
export function Author({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11">
      <h3 className="m-0 font-medium text-[12px] text-ink-3">{children}</h3>
      {aside}
    </div>
  );
}
