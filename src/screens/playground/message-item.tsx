import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { memo, type ReactNode, useRef, useState } from "react";
import type { AnswerRun } from "#chat/answer-runner.ts";
import { useChat } from "#chat/chat.ts";
import type { Turn } from "#chat/thread.ts";
import { IconButton } from "#ui/button.tsx";
import { Switch } from "#ui/checkbox.tsx";
import { Pill } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { Answer, LiveStats } from "./answer.tsx";
import { StatsLine } from "./answer-status.tsx";
import { type MessageActs, useChosenMessage, useMessageActs } from "./message-acts.ts";
import { MessageEditor } from "./message-editor.tsx";
import { PictureList } from "./picture-list.tsx";

interface MessageItemProps {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** All versions of it, joined: a list would be a new one at each change of the conversation. */
  versionIds: string;
  isLast: boolean;
  /** Among those that a reader at the end sees: laid out at once, so that its height is known before it is shown. */
  isNearEnd: boolean;
  canPin: boolean;
  /** Whether it stays out of later questions. */
  isLeftOut: boolean;
  /** Questions only: whether its answer is a refusal, so that it stays out unless the person sends it along. */
  isRefused: boolean;
  run: AnswerRun | undefined;
  /** The commands of the palette are for this message. */
  isCommanded: boolean;
}

/** One message with what can be done with it. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { turn, run, conversationId, columnId } = props;
  const [isEditing, setIsEditing] = useState(false);
  const isUser = turn.role === "user";
  const item = useRef<HTMLLIElement>(null);
  const acts = useMessageActs({
    ...props,
    isCommanded: props.isCommanded && !run && !isEditing,
    onEdit: () => setIsEditing(true),
    selected: () => selectedIn(item.current),
  });
  const actions = <MessageActions turn={turn} versionIds={props.versionIds} acts={acts} />;
  return (
    <li
      ref={item}
      onFocus={() => useChosenMessage.setState({ turnId: turn.id })}
      className={clsx(
        "group/message text-[14px] leading-[1.62]",
        !props.isNearEnd && "[contain-intrinsic-size:auto_120px] [content-visibility:auto]",
      )}
    >
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
      ) : (
        <>
          <Answer
            conversationId={conversationId}
            columnId={columnId}
            turn={turn}
            run={run}
            acts={props.isLast ? acts : undefined}
          />
          {/* While the answer is coming, the room of the line that comes when it is over. */}
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5 pt-1 group-has-[[data-behind]]/message:invisible">
            {!run && turn.facts && <StatsLine facts={turn.facts} model={turn.asked?.model} />}
            {!run && actions}
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

const IN_MENU = ["continue", "log", "compare", "prompt", "exclude", "delete"] as const;

/** What can be done with a message. Seen while the pointer or the focus is on it; always where there is no pointer. */
function MessageActions({ turn, versionIds, acts }: { turn: Turn; versionIds: string; acts: MessageActs }) {
  const versions = versionIds.split(" ");
  const isAnswer = turn.role === "assistant";
  const items = IN_MENU.flatMap((name) => acts[name] ?? []).map(({ id, word, danger, run }) => ({
    label: word,
    command: { id },
    danger,
    onSelect: run,
  }));
  return (
    <div className={clsx("flex items-center gap-0.5 leading-none", isAnswer && "max-sm:pointer-coarse:-ml-3")}>
      {versions.length > 1 && (
        <span className="flex items-center text-[12px] text-ink-3 tabular-nums">
          <ActButton act={acts.previous} isLarge />
          {versions.indexOf(turn.id) + 1} / {versions.length}
          <ActButton act={acts.next} isLarge />
        </span>
      )}
      <span className="flex items-center gap-0.5 opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100">
        <ActButton act={acts.copy} />
        <ActButton act={acts.edit} />
        <ActButton act={acts.regenerate} />
        <ActButton act={acts.cache} isPressed={turn.isPinned === true} />
        <Menu label="More actions" icon={Ellipsis} size="sm" items={items} />
      </span>
    </div>
  );
}

/** An act as its icon; nothing where it cannot be done. */
function ActButton({
  act,
  isPressed,
  isLarge = false,
}: {
  act: MessageActs["copy"];
  /** Of what is on or off. */
  isPressed?: boolean;
  isLarge?: boolean;
}) {
  if (!act?.icon) return null;
  const { icon: Icon, id, word, unavailable, run } = act;
  return (
    <IconButton
      label={word}
      size="sm"
      data-command={id}
      aria-pressed={isPressed}
      aria-disabled={unavailable !== undefined}
      onClick={run}
    >
      <Icon
        aria-hidden="true"
        className={clsx(isLarge ? "size-4" : "size-3.5", isPressed && "fill-current text-accent-text")}
      />
    </IconButton>
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
