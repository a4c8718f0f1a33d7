import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ArrowDown, Ellipsis, Pin } from "lucide-react";
import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useApi } from "#connection/client.ts";
import { ErrorNotice, KeyNotice } from "#connection/error-notice.tsx";
import { findKey } from "#connection/find-key.ts";
import { formatNumber } from "#lib/numbers.ts";
import { modelCommands } from "#models/commands.ts";
import { isRefused, leftOut } from "#text/answer-request.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { type Column, type ShownTurn, type Turn, visiblePath } from "#text/conversations/conversation.ts";
import { setDraft } from "#text/conversations/conversation-store.ts";
import { textModelQueries } from "#text/text-model-queries.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { commandFor, useCommands } from "#ui/commands.ts";
import { TextArea } from "#ui/field.tsx";
import { Pill, StatusDot } from "#ui/indicators.tsx";
import { matchesShortcut } from "#ui/keys.ts";
import { Menu } from "#ui/menu.tsx";
import { useColumnCommand, useIsHidden, useIsResponding, WAIT } from "../columns/column-acts.ts";
import { playgroundCommands } from "../commands.ts";
import { useDialog } from "../use-dialog.ts";
import { LiveStats, ModelResponse, StatsLine, useRun } from "./answer.tsx";
import { type MessageActs, useMessageActs } from "./message-acts.ts";
import { PictureList } from "./picture-list.tsx";

/** Messages that are rendered at first: more than fit into a window. */
const FIRST_MESSAGES = 14;
/** The last messages. The browser lays them out even out of sight. */
const MESSAGES_NEAR_END = 8;
/** Messages that each press on "Show earlier messages" adds. */
const MORE_MESSAGES = 60;

/** The messages of a column, latest last. Of a long conversation only the last messages are rendered at first. */
export function MessagePane({ conversationId, column }: { conversationId: string; column: Column }) {
  const path = useMemo(() => visiblePath(column.thread), [column.thread]);
  const leftOutIds = useMemo(() => leftOut(path.map(({ turn }) => turn)), [path]);
  const commanded = useCommandedMessages(column.id, path);
  const scroller = useRef<HTMLDivElement>(null);
  const [built, setBuilt] = useState(FIRST_MESSAGES);
  const { isAtEnd, toEnd } = useFollowEnd(scroller);
  const hidden = Math.max(0, path.length - built);
  const showEarlier = () => {
    const pane = scroller.current;
    const fromEnd = pane ? pane.scrollHeight - pane.scrollTop : 0;
    setBuilt(built + MORE_MESSAGES);
    // Scrolls back to the message that was at the top.
    requestAnimationFrame(() => {
      if (pane) pane.scrollTop = pane.scrollHeight - fromEnd;
    });
  };
  const columnCommand = useColumnCommand(column);
  const earlier = { ...columnCommand(playgroundCommands.earlier), run: showEarlier };
  const latest = { ...columnCommand(playgroundCommands.latest), run: toEnd };
  useCommands([...(hidden > 0 ? [earlier] : []), ...(isAtEnd ? [] : [latest])]);
  return (
    <div className="relative min-h-0 flex-1 short:min-h-[60dvh] before:pointer-events-none before:absolute before:inset-x-0 before:top-0 before:z-1 before:h-3 before:bg-linear-to-b before:from-canvas before:to-transparent">
      <div
        ref={scroller}
        className="h-full overflow-y-auto overscroll-contain short:h-auto short:max-h-[90dvh] short:overscroll-auto px-4.5 pt-3 pb-5 max-sm:px-4 [scrollbar-gutter:stable]"
      >
        <div className="mx-auto flex w-full max-w-180 flex-col gap-4.5">
          {column.system !== "" && <SystemLine conversationId={conversationId} column={column} />}
          {hidden > 0 && (
            <Button size="sm" variant="ghost" className="self-center" data-command={earlier.id} onClick={showEarlier}>
              Show earlier messages ({formatNumber(hidden)})
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
                  isNearEnd={index >= shown.length - MESSAGES_NEAR_END}
                  canPin={column.endpoint === "messages" && column.cacheMode === "pins"}
                  isLeftOut={leftOutIds.has(turn.id)}
                  isRefused={isRefusedAfter(path[hidden + index + 1]?.turn)}
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

/** The ids of the message and the response on which commands act; empty if they act on another column. */
function useCommandedMessages(columnId: string, path: readonly ShownTurn[]): readonly (string | undefined)[] {
  const chosenId = useChatState((state) => state.chosenTurnId);
  const isCommandedColumn = useChatState(({ current }) => {
    const columns = current?.columns ?? [];
    const chosen = columns.find(({ thread }) => thread.turns.some(({ id }) => id === chosenId));
    return (chosen ?? columns[0])?.id === columnId;
  });
  if (!isCommandedColumn) return [];
  const chosen = path.find(({ turn }) => turn.id === chosenId)?.turn;
  return (["user", "assistant"] as const).map((role) =>
    chosen?.role === role ? chosen.id : path.findLast(({ turn }) => turn.role === role)?.turn.id,
  );
}

const isRefusedAfter = (response: Turn | undefined) => response !== undefined && isRefused(response);

/** The system prompt above the messages. With manual caching it has a button for its cache mark. */
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
              label={playgroundCommands.cacheSystem.label}
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
      <div className="wrap-anywhere max-w-[66ch] whitespace-pre-wrap text-base leading-relaxed">
        {system} {isCached && <Pill className="ml-1.5">Cached</Pill>}
      </div>
    </div>
  );
}

const STARTERS = [
  "Explain neap tides with a table and one formula.",
  "Write a function that groups a list by a key, with its types.",
  "Write three prompts for an image of a harbor at dusk.",
];

/** A column without messages: what it sends and where, and a few ways to start. */
function EmptyColumn({ conversationId, column }: { conversationId: string; column: Column }) {
  const openDialog = useDialog();
  // The screen has just asked. Its error is shown, and the request is not repeated.
  const { error, refetch } = useQuery({ ...textModelQueries(useApi()).all(), retryOnMount: false });
  const { id, model, endpoint } = column;
  const columnCommand = useColumnCommand(column);
  const begin = (text: string) => {
    setDraft(conversationId, text);
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  useCommands(
    model === ""
      ? []
      : STARTERS.map((text, index) => ({
          ...commandFor(playgroundCommands.example, String(index)),
          label: `Start with: ${text}`,
          run: () => begin(text),
        })),
  );
  return (
    <div className="flex max-w-[60ch] flex-col items-start gap-3 pt-6">
      <p className="m-0 font-semibold text-lg">
        {model === "" ? "Choose a text model to start" : "Write a message or start with an example"}
      </p>
      <p className="m-0 font-mono text-xs text-ink-3">POST /v1/{endpoint}</p>
      <p className="m-0 text-base text-ink-2 leading-relaxed">{ABOUT[endpoint]}</p>
      {error && <ErrorNotice error={error} operation="read" onRetry={() => void refetch()} className="w-full" />}
      {model === "" ? (
        <Button
          variant="primary"
          data-command={columnCommand(modelCommands.choose).id}
          onClick={() => openDialog({ kind: "model", columnId: id })}
        >
          {modelCommands.choose.label}
        </Button>
      ) : (
        <ul aria-label="Examples" className="m-0 flex list-none flex-col items-start gap-2 p-0">
          {STARTERS.map((text, index) => (
            <li key={text}>
              <button
                type="button"
                data-command={commandFor(playgroundCommands.example, String(index)).id}
                onClick={() => begin(text)}
                className="min-h-9 cursor-pointer rounded-md border border-line px-3 py-1.5 text-left text-sm text-ink-2 transition-[border-color,color] duration-150 hover:border-line-strong hover:text-ink pointer-coarse:min-h-11"
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
  messages: "Chat with roles and content blocks. The service can cache the system prompt and each message.",
  responses: "Chat with instructions and input. The model returns text, and some models also return their reasoning.",
  completions:
    "The model continues your text. For a chat, the template in the parameters joins the messages into one text.",
};

/** In px: a reader who is closer to the end counts as at the end. */
const NEAR_END_PX = 48;

/** Scrolls a growing pane to its end until the reader scrolls up, and again once they are back at the end. */
function useFollowEnd(scroller: RefObject<HTMLElement | null>) {
  const [isAtEnd, setIsAtEnd] = useState(true);
  useEffect(() => {
    const pane = scroller.current;
    if (!pane) return;
    let isFollowing = true;
    let lastTop = 0;
    const distanceToEnd = () => pane.scrollHeight - pane.clientHeight - pane.scrollTop;
    const onScroll = () => {
      const isNear = distanceToEnd() < NEAR_END_PX;
      // Only scrolling up ends the following: growing content also moves the end away.
      if (isNear) isFollowing = true;
      else if (pane.scrollTop < lastTop) isFollowing = false;
      lastTop = pane.scrollTop;
      setIsAtEnd(isFollowing);
    };
    let height = 0;
    const follow = () => {
      height = pane.scrollHeight;
      // A shorter version or a larger window can move the end to the reader without a scroll event.
      if (distanceToEnd() < 1) isFollowing = true;
      if (isFollowing) {
        pane.scrollTop = height;
        // Read back, so that only later movements count as scrolling by the reader.
        lastTop = pane.scrollTop;
      }
      setIsAtEnd(isFollowing);
    };
    follow();
    pane.addEventListener("scroll", onScroll, { passive: true });
    const observer = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(follow);
    observer?.observe(pane);
    if (pane.firstElementChild) observer?.observe(pane.firstElementChild);
    // A mutation is reported before the frame is painted. The resize observer is later, and the lines would jump.
    const mutations = new MutationObserver(() => {
      if (pane.scrollHeight !== height) follow();
    });
    if (pane.firstElementChild) {
      mutations.observe(pane.firstElementChild, { childList: true, characterData: true, subtree: true });
    }
    return () => {
      pane.removeEventListener("scroll", onScroll);
      observer?.disconnect();
      mutations.disconnect();
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

interface MessageItemProps {
  conversationId: string;
  columnId: string;
  turn: Turn;
  /** The ids of its versions, separated by spaces. A text, because `memo` would see each new list as a change. */
  versionIds: string;
  isLast: boolean;
  /** Whether it is one of the last messages, which are laid out at once, so that their height is known. */
  isNearEnd: boolean;
  canPin: boolean;
  /** Whether it is not sent along with later messages. */
  isLeftOut: boolean;
  /** The person's messages only: whether its response is a refusal. It is then sent along only if the person chooses that. */
  isRefused: boolean;
  /** Whether the commands of the palette act on this message. */
  isCommanded: boolean;
}

/** One message with its actions. */
const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { turn, conversationId, columnId } = props;
  const { conversations } = useChat();
  const run = useRun(turn.id);
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
      onFocus={() => conversations.store.setState({ chosenTurnId: turn.id })}
      className={clsx(
        "group/message text-base leading-relaxed",
        props.isLeftOut && "border-line-strong border-s-2 ps-3.5 text-ink-2",
        // So that the border of the message continues along its response.
        props.isLeftOut && !isUser && "-mt-2 pt-2",
        !props.isNearEnd && "[contain-intrinsic-size:auto_120px] [content-visibility:auto]",
      )}
    >
      <Author
        aside={
          <>
            {run && !isHidden && <LiveStats run={run} />}
            {props.canPin && turn.isPinned && <Pill>Cached</Pill>}
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
            <PictureList label="Message images" conversationId={conversationId} pictures={turn.pictures} />
          )}
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            {turn.text !== "" && (
              <div
                dir="auto"
                className={clsx(
                  "wrap-anywhere w-fit max-w-full whitespace-pre-wrap",
                  !props.isLeftOut && "rounded-lg bg-raised px-3.25 py-2",
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
          <ModelResponse
            conversationId={conversationId}
            columnId={columnId}
            turn={turn}
            acts={props.isLast ? acts : undefined}
            isCommanded={props.isCommanded}
          />
          {/* Has its height while the response is coming, so that nothing moves when it ends. */}
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5 pt-1 group-has-[[data-behind]]/message:invisible">
            {!run && !isHidden && turn.copiedFrom !== undefined && (
              <span className="text-xs text-ink-3">Copied from another column</span>
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

const LEFT_OUT = "This message and its response aren’t sent with later messages. Nothing is deleted.";

/** Says whether a rejected or excluded message is sent along with later ones, and the button to change that. */
function SendAlong({ isLeftOut, isRefused, acts }: MessageItemProps & { acts: MessageActs }) {
  const act = isLeftOut ? acts.include : acts.exclude;
  return (
    <span title={isLeftOut ? LEFT_OUT : undefined} className="flex flex-wrap items-center gap-x-1.5 text-sm">
      {isRefused && (
        <span className="flex items-center gap-1.5 font-medium text-ink">
          <StatusDot tone="cancelled" /> Rejected
        </span>
      )}
      <span className="text-ink-2">{isLeftOut ? "Excluded from context" : "Included in context"}</span>
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

/** The buttons and the menu of a message. They are always visible. */
function MessageActions({ turn, versionIds, acts }: { turn: Turn; versionIds: string; acts: MessageActs }) {
  const versions = versionIds.split(" ");
  const isResponse = turn.role === "assistant";
  const items = IN_MENU.flatMap((name) => acts[name] ?? []).map(({ id, word, danger, unavailable, run }) => ({
    label: word,
    command: { id },
    danger,
    disabled: unavailable !== undefined,
    onSelect: run,
  }));
  return (
    <div className={clsx("flex flex-wrap items-center leading-none", isResponse && "ms-auto -me-1.5 max-sm:ms-0")}>
      {versions.length > 1 && (
        <span className="flex items-center text-xs text-ink-3 tabular-nums">
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

/** An action as an icon button; nothing where the message does not have the action. */
function ActButton({
  act,
  isPressed,
  isLarge = false,
}: {
  act: MessageActs["copy"];
  /** Only for an action that is on or off. */
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

/** The text that is selected in a message; undefined without a selection. */
function selectedIn(message: Element | null | undefined): string | undefined {
  const selection = document.getSelection();
  if (!message || !selection?.anchorNode || !message.contains(selection.anchorNode)) return undefined;
  return selection.toString().trim() || undefined;
}

/** The author of a message. A heading, so that a screen reader can go from message to message. */
function Author({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11">
      <h3 className="m-0 font-medium text-xs text-ink-3">{children}</h3>
      {aside}
    </div>
  );
}

/** Edits a message as a new version. The old version stays. */
function MessageEditor({
  conversationId,
  columnId,
  turn,
  onClose,
}: {
  conversationId: string;
  columnId: string;
  turn: Turn;
  onClose: () => void;
}) {
  const { responses } = useChat();
  const { control, register, handleSubmit, setFocus, clearErrors, formState } = useForm({
    defaultValues: { text: turn.text },
    reValidateMode: "onSubmit",
    shouldFocusError: false,
  });
  useEffect(() => setFocus("text"), [setFocus]);
  const text = useWatch({ control, name: "text" });
  const finding = formState.errors.text && findKey(text);
  const isUser = turn.role === "user";
  const isBusy = useIsResponding(columnId) && isUser;
  // Not while a press is being checked: a second press would send, and charge, the message twice.
  const canSave = text.trim() !== "" && text !== turn.text && !isBusy && !formState.isSubmitting;
  const submit = handleSubmit((values) => {
    responses.edit(conversationId, columnId, turn.id, values.text);
    onClose();
  });
  const save = () => canSave && void submit();
  return (
    <div className="flex max-w-[66ch] flex-col gap-2">
      <TextArea
        aria-label={isUser ? "Edit message" : "Edit response"}
        rows={3}
        {...register("text", {
          validate: (typed) => !isUser || findKey(typed) === undefined,
          onChange: () => clearErrors("text"),
        })}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            onClose();
          } else if (matchesShortcut("mod+enter", event)) save();
        }}
      />
      {finding && <KeyNotice finding={finding} what="message" onSendAnyway={save} />}
      <div className="flex gap-2">
        <Button size="sm" variant="primary" aria-disabled={!canSave} title={isBusy ? WAIT : undefined} onClick={save}>
          {isUser ? "Save and send" : "Save as version"}
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
