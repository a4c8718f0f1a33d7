import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowDown, Pin } from "lucide-react";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "#connection/client.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { modelCommands } from "#models/commands.ts";
import { useChat, useChatState } from "#text/chat.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { type ShownTurn, type Turn, visiblePath } from "#text/conversations/thread.ts";
import { setDraft } from "#text/conversations/unsent-messages.ts";
import { isRefused, leftOut } from "#text/request-body.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { commandFor, useCommands } from "#ui/commands.ts";
import { Pill } from "#ui/indicators.tsx";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";
import { useChosenMessage, useColumnCommand } from "./message-acts.ts";
import { Author, MessageItem } from "./message-item.tsx";

/** Messages that are built at first: more than a window holds. */
const FIRST = 14;
/** Of them, those that are laid out whether in sight or not. */
const NEAR_END = 8;
/** Messages that come with each press on the button above them. */
const STEP = 60;

/** The messages of a column, newest last. A long conversation is built from its end. */
export function MessagePane({ conversationId, column }: { conversationId: string; column: Column }) {
  const path = useMemo(() => visiblePath(column.thread), [column.thread]);
  const out = useMemo(() => leftOut(path.map(({ turn }) => turn)), [path]);
  const runs = useChatState((state) => state.runs);
  const commanded = useCommandedMessages(column.id, path);
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
  const named = useColumnCommand(column);
  const earlier = { ...named(playgroundCommands.earlier), run: showEarlier };
  const latest = { ...named(playgroundCommands.latest), run: toEnd };
  useCommands([...(hidden > 0 ? [earlier] : []), ...(isAtEnd ? [] : [latest])]);
  return (
    <div className="relative min-h-0 flex-1 short:min-h-[60dvh] before:pointer-events-none before:absolute before:inset-x-0 before:top-0 before:z-1 before:h-3 before:bg-linear-to-b before:from-canvas before:to-transparent">
      <div
        ref={scroller}
        className="h-full overflow-y-auto overscroll-contain short:h-auto short:max-h-[90dvh] short:overscroll-auto px-[18px] pt-3 pb-5 max-sm:px-4 [scrollbar-gutter:stable]"
      >
        <div className="mx-auto flex w-full max-w-[720px] flex-col gap-[18px]">
          {column.system !== "" && <SystemLine conversationId={conversationId} column={column} />}
          {hidden > 0 && (
            <Button size="sm" variant="ghost" className="self-center" data-command={earlier.id} onClick={showEarlier}>
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
                  isNearEnd={index >= shown.length - NEAR_END}
                  canPin={column.endpoint === "messages" && column.cacheMode === "pins"}
                  isLeftOut={out.has(turn.id)}
                  isRefused={isRefusedAfter(path[hidden + index + 1]?.turn)}
                  run={runs[turn.id]?.run}
                  isCommanded={commanded.includes(turn.id)}
                />
              ))}
            </ol>
          )}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          size="sm"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-panel shadow-float"
          data-command={latest.id}
          onClick={toEnd}
        >
          <ArrowDown aria-hidden className="size-4" />
          Jump to latest
        </Button>
      )}
    </div>
  );
}

/** The messages that commands are for: in the column of the one that had the focus last, else in the first column. */
function useCommandedMessages(columnId: string, path: readonly ShownTurn[]): readonly (string | undefined)[] {
  const chosenId = useChosenMessage((state) => state.turnId);
  const leads = useChatState(({ current }) => {
    const columns = current?.columns ?? [];
    const chosen = columns.find(({ thread }) => thread.turns.some(({ id }) => id === chosenId));
    return (chosen ?? columns[0])?.id === columnId;
  });
  if (!leads) return [];
  const chosen = path.find(({ turn }) => turn.id === chosenId)?.turn;
  return (["user", "assistant"] as const).map((role) =>
    chosen?.role === role ? chosen.id : path.findLast(({ turn }) => turn.role === role)?.turn.id,
  );
}

const isRefusedAfter = (answer: Turn | undefined) => answer !== undefined && isRefused(answer);

/** The system prompt above the messages; with pins, whether the service is asked to cache it. */
function SystemLine({ conversationId, column }: { conversationId: string; column: Column }) {
  const { conversations } = useChat();
  const { id, system, endpoint, cacheMode, isSystemPinned } = column;
  const canPin = endpoint === "messages" && cacheMode === "pins";
  const isCached = endpoint === "messages" && (cacheMode === "auto" || (canPin && isSystemPinned));
  const pin = () =>
    conversations.dispatch(conversationId, {
      kind: "column-changed",
      columnId: id,
      patch: { isSystemPinned: !isSystemPinned },
    });
  const cache = { ...useColumnCommand(column)(playgroundCommands.cacheSystem), icon: Pin, run: pin };
  useCommands(canPin ? [cache] : []);
  return (
    <div>
      <Author
        aside={
          canPin && (
            <IconButton
              label="Cache the system prompt"
              size="sm"
              data-command={cache.id}
              aria-pressed={isSystemPinned}
              onClick={pin}
            >
              <Pin aria-hidden className={clsx("size-3.5", isSystemPinned && "fill-current text-accent-text")} />
            </IconButton>
          )
        }
      >
        System
      </Author>
      <div className="wrap-anywhere max-w-[66ch] whitespace-pre-wrap text-[14px] leading-[1.62]">
        {system} {isCached && <Pill className="ml-1.5">cached</Pill>}
      </div>
    </div>
  );
}

const STARTERS = [
  "Explain neap tides with a table and one formula.",
  "Write a function that groups a list by a key, with its types.",
  "Three prompts for an image of a harbour at dusk.",
];

/** A column without messages: what it sends and where, and a few ways to begin. */
function EmptyColumn({ conversationId, column }: { conversationId: string; column: Column }) {
  const openDialog = useDialog();
  // The screen has just asked: its error is shown, not the same request made again.
  const { error, refetch } = useQuery({ ...textModelQueries(useApi()).all(), retryOnMount: false });
  const { id, model, endpoint } = column;
  const named = useColumnCommand(column);
  const begin = (text: string) => {
    setDraft(conversationId, text);
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  useCommands(
    model === ""
      ? []
      : STARTERS.map((text, place) => ({
          ...commandFor(playgroundCommands.example, String(place)),
          label: `Start with: ${text}`,
          run: () => begin(text),
        })),
  );
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3 pt-6">
      <p className="m-0 font-semibold text-[15px]">
        {model === "" ? "Choose a text model to begin" : "Write a message, or begin with an example"}
      </p>
      <p className="m-0 font-mono text-[12px] text-ink-3">POST /v1/{endpoint}</p>
      <p className="m-0 text-[14px] text-ink-2 leading-[1.62]">{ABOUT[endpoint]}</p>
      {error && <ErrorNotice error={error} operation="read" onRetry={() => void refetch()} className="w-full" />}
      {model === "" ? (
        <Button
          variant="primary"
          data-command={named(modelCommands.choose).id}
          onClick={() => openDialog({ kind: "model", columnId: id })}
        >
          Choose a model
        </Button>
      ) : (
        <ul aria-label="Examples" className="m-0 flex list-none flex-col items-start gap-2 p-0">
          {STARTERS.map((text, place) => (
            <li key={text}>
              <button
                type="button"
                data-command={commandFor(playgroundCommands.example, String(place)).id}
                onClick={() => begin(text)}
                className="min-h-9 cursor-pointer rounded-[10px] border border-line px-3 py-1.5 text-left text-[13px] text-ink-2 transition-[border-color,color] duration-150 hover:border-line-strong hover:text-ink pointer-coarse:min-h-11"
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const ABOUT = {
  messages: "Chat with roles and content blocks. The system prompt and each message can be cached by the service.",
  responses: "Chat with instructions and input. The model returns text, and its reasoning where it shows it.",
  completions:
    "The model continues a text. For a chat, the template in the parameters turns the messages into one text.",
};

/** Closer to the end than this, in pixels, the reader is at it. */
const NEAR = 48;

/** Scrolls a growing pane to its end while the reader is there; not any more once they scrolled up. */
function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const [isAtEnd, setIsAtEnd] = useState(true);
  useEffect(() => {
    const pane = scroller.current;
    if (!pane) return;
    let isFollowing = true;
    let lastTop = 0;
    const distance = () => pane.scrollHeight - pane.clientHeight - pane.scrollTop;
    const onScroll = () => {
      const isNear = distance() < NEAR;
      // Content that grows moves the end away without any scrolling up: that is still following.
      if (isNear) isFollowing = true;
      else if (pane.scrollTop < lastTop) isFollowing = false;
      lastTop = pane.scrollTop;
      setIsAtEnd(isFollowing);
    };
    let height = 0;
    const follow = () => {
      height = pane.scrollHeight;
      // A shorter version, or a larger window: the end came to the reader, which no scrolling reports.
      if (distance() < 1) isFollowing = true;
      if (isFollowing) {
        pane.scrollTop = height;
        // Where a shorter layout moved it, too: only what comes after this is the reader's own scrolling.
        lastTop = pane.scrollTop;
      }
      setIsAtEnd(isFollowing);
    };
    follow();
    pane.addEventListener("scroll", onScroll, { passive: true });
    const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(follow);
    observer?.observe(pane);
    if (pane.firstElementChild) observer?.observe(pane.firstElementChild);
    // Right after each write, before it is laid out with anything in view: seen later, the lines would jump once a frame.
    const writes = new MutationObserver(() => {
      if (pane.scrollHeight !== height) follow();
    });
    if (pane.firstElementChild) {
      writes.observe(pane.firstElementChild, { childList: true, characterData: true, subtree: true });
    }
    return () => {
      pane.removeEventListener("scroll", onScroll);
      observer?.disconnect();
      writes.disconnect();
    };
  }, [scroller]);
  return {
    isAtEnd,
    toEnd() {
      const pane = scroller.current;
      if (pane) pane.scrollTop = pane.scrollHeight;
    },
  };
}
