import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import { memo, type ReactNode, useRef, useState } from "react";
import type { AnswerRun } from "#text/answer.ts";
import type { Turn } from "#text/conversations/conversation.ts";
import { IconButton } from "#ui/button.tsx";
import { Pill, StatusDot } from "#ui/indicators.tsx";
import { Menu } from "#ui/menu.tsx";
import { useIsHidden } from "../hidden-names.ts";
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
  const isHidden = useIsHidden();
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
        props.isLeftOut && "border-line-strong border-s-2 ps-3.5 text-[13.5px] text-ink-2",
        // One line along the question and its answer.
        props.isLeftOut && !isUser && "-mt-2 pt-2",
        !props.isNearEnd && "[contain-intrinsic-size:auto_120px] [content-visibility:auto]",
      )}
    >
      <Author
        aside={
          <>
            {run && !isHidden && <LiveStats run={run} />}
            {props.canPin && turn.isPinned && <Pill>cached</Pill>}
            {isUser && (props.isLeftOut || (props.isRefused && turn.sendAlong)) && !isEditing && (
              <SendAlong {...props} acts={acts} />
            )}
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
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {turn.text !== "" && (
              <div
                dir="auto"
                className={clsx(
                  "wrap-anywhere w-fit max-w-full whitespace-pre-wrap",
                  !props.isLeftOut && "rounded-[12px] bg-raised px-[13px] py-[8px]",
                )}
              >
                {turn.text}
              </div>
            )}
            {actions}
          </div>
        </div>
      ) : (
        <>
          <Answer
            conversationId={conversationId}
            columnId={columnId}
            turn={turn}
            run={run}
            acts={props.isLast ? acts : undefined}
            isCommanded={props.isCommanded}
          />
          {/* While the answer is coming, the room of the line that comes when it is over. */}
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5 pt-1 group-has-[[data-behind]]/message:invisible">
            {!run && !isHidden && turn.copiedFrom !== undefined && (
              <span className="text-[12px] text-ink-3">Copied from another column</span>
            )}
            {!run && !isHidden && turn.copiedFrom === undefined && turn.facts && (
              <StatsLine facts={turn.facts} model={turn.asked?.model} />
            )}
            {!run && actions}
          </div>
        </>
      )}
    </li>
  );
});

const LEFT_OUT =
  "This message and its answer are not sent along with later messages, because those could be refused too. Nothing is deleted.";

/** What became of a question that was refused or left out, and the way to have it sent along, or not, again. */
function SendAlong({ isLeftOut, isRefused, acts }: MessageItemProps & { acts: MessageActs }) {
  const act = isLeftOut ? acts.include : acts.exclude;
  return (
    <span title={isLeftOut ? LEFT_OUT : undefined} className="flex flex-wrap items-center gap-x-1.5 text-[12.5px]">
      {isRefused && (
        <span className="flex items-center gap-1.5 font-medium text-ink">
          <StatusDot tone="cancelled" /> Refused
        </span>
      )}
      <span className="text-ink-2">
        {isLeftOut ? "Not sent along with later messages" : "Sent along with later messages"}
      </span>
      {act && (
        <>
          <span aria-hidden className="text-ink-3">
            ·
          </span>
          <button
            type="button"
            data-command={act.id}
            aria-label={act.word}
            onClick={act.run}
            className="min-h-6 cursor-pointer font-medium text-ink underline decoration-line-strong underline-offset-3 hover:decoration-ink pointer-coarse:min-h-11"
          >
            {isLeftOut ? "Include" : "Exclude"}
          </button>
        </>
      )}
    </span>
  );
}

const IN_MENU = ["continue", "compare", "snippet", "prompt", "exclude", "delete"] as const;

/** What can be done with a message: always there, and quiet. */
function MessageActions({ turn, versionIds, acts }: { turn: Turn; versionIds: string; acts: MessageActs }) {
  const versions = versionIds.split(" ");
  const isAnswer = turn.role === "assistant";
  const items = IN_MENU.flatMap((name) => acts[name] ?? []).map(({ id, word, danger, unavailable, run }) => ({
    label: word,
    command: { id },
    danger,
    disabled: unavailable !== undefined,
    onSelect: run,
  }));
  return (
    <div className={clsx("flex flex-wrap items-center leading-none", isAnswer && "ms-auto -me-1.5 max-sm:ms-0")}>
      {versions.length > 1 && (
        <span className="flex items-center text-[12px] text-ink-3 tabular-nums">
          <ActButton act={acts.previous} isLarge />
          {versions.indexOf(turn.id) + 1} / {versions.length}
          <ActButton act={acts.next} isLarge />
        </span>
      )}
      <span className="flex flex-wrap items-center [&>button]:text-ink-3">
        <ActButton act={acts.copy} />
        <ActButton act={acts.edit} />
        <ActButton act={acts.regenerate} />
        <ActButton act={acts.log} />
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
