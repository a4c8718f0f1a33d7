import { memo, useState } from "react";
import type { AnswerRun } from "#chat/answer-run.ts";
import type { Turn } from "#chat/thread.ts";
import { Pill } from "#ui/pill.tsx";
import { AnswerBody } from "./answer-body.tsx";
import { LiveAnswer } from "./live-answer.tsx";
import { MessageActions } from "./message-actions.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { StatsLine } from "./stats-line.tsx";
import { Who } from "./who.tsx";

export interface MessageItemProps {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** All versions of it, joined: a list would be a new one at each change of the conversation. */
  versionIds: string;
  isLast: boolean;
  canPin: boolean;
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
      <Who
        aside={
          <>
            {props.canPin && turn.isPinned && <Pill>cached</Pill>}
            {isUser && !isEditing && actions}
          </>
        }
      >
        {isUser ? "User" : "Assistant"}
      </Who>
      {isEditing ? (
        <MessageEditor
          conversationId={conversationId}
          columnId={columnId}
          turn={turn}
          onClose={() => setIsEditing(false)}
        />
      ) : isUser ? (
        <div className="wrap-anywhere w-fit max-w-[66ch] whitespace-pre-wrap rounded-[12px] bg-raised px-[13px] py-[9px]">
          {turn.text}
        </div>
      ) : run ? (
        <LiveAnswer run={run} />
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
