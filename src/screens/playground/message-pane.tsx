import { ArrowDown } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useChat } from "#chat/chat-desk.ts";
import type { Column } from "#chat/conversation.ts";
import { visiblePath } from "#chat/thread.ts";
import { Button } from "#ui/button.tsx";
import { useDesk } from "./chat-context.ts";
import { EmptyColumn } from "./empty-column.tsx";
import { MessageItem } from "./message-item.tsx";
import { SystemLine } from "./system-line.tsx";
import { useFollowEnd } from "./use-follow-end.ts";

/** Messages that are built at first: more than a window holds. */
const FIRST = 14;
/** Messages that come with each press on the button above them. */
const STEP = 60;

/** What was said in a column, newest last. A long conversation is built from its end. */
export function MessagePane({ conversationId, column }: { conversationId: string; column: Column }) {
  const desk = useDesk();
  const path = useMemo(() => visiblePath(column.thread), [column.thread]);
  const runs = useChat(desk, (state) => state.runs);
  const scroller = useRef<HTMLDivElement>(null);
  const [built, setBuilt] = useState(FIRST);
  const { isAtEnd, toEnd } = useFollowEnd(scroller);
  const hidden = Math.max(0, path.length - built);
  const showEarlier = () => {
    const pane = scroller.current;
    const fromEnd = pane ? pane.scrollHeight - pane.scrollTop : 0;
    setBuilt(built + STEP);
    // The reader stays at the message that was on top.
    requestAnimationFrame(() => {
      if (pane) pane.scrollTop = pane.scrollHeight - fromEnd;
    });
  };
  return (
    <div className="relative min-h-0 flex-1 before:pointer-events-none before:absolute before:inset-x-0 before:top-0 before:z-1 before:h-3 before:bg-linear-to-b before:from-canvas before:to-transparent">
      <div ref={scroller} className="h-full overflow-y-auto overscroll-contain px-[18px] pt-1 pb-5 max-sm:px-4">
        <div className="flex flex-col gap-[18px]">
          {column.system !== "" && <SystemLine conversationId={conversationId} column={column} />}
          {hidden > 0 && (
            <Button size="sm" variant="ghost" className="self-center" onClick={showEarlier}>
              Show earlier messages ({hidden.toLocaleString("en-US")})
            </Button>
          )}
          {path.length === 0 && <EmptyColumn conversationId={conversationId} column={column} />}
          {path.length > 0 && (
            <ol aria-label="Messages" className="m-0 flex list-none flex-col gap-2 p-0">
              {path.slice(hidden).map(({ turn, versions }, index, shown) => (
                <MessageItem
                  key={turn.id}
                  conversationId={conversationId}
                  columnId={column.id}
                  turn={turn}
                  versionIds={versions.join(" ")}
                  isLast={index === shown.length - 1}
                  canPin={column.endpoint === "messages" && column.cacheMode === "pins"}
                  run={runs[turn.id]?.run}
                />
              ))}
            </ol>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <Button size="sm" className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-panel shadow-float" onClick={toEnd}>
          <ArrowDown aria-hidden className="size-4" />
          To the end
        </Button>
      )}
    </div>
  );
}
