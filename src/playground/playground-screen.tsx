import { getRouteApi, useLocation, useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { MessagesSquare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { TEXT_ENDPOINTS } from "#api/text/text-types.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { sentText } from "#text/answer.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { getColumnLetter, isBlind, shownColumns } from "#text/conversations/blind-comparison.ts";
import { type Conversation, findTurn, isBlank, MAX_COLUMNS } from "#text/conversations/conversation.ts";
import { setDraft } from "#text/conversations/conversation-store.ts";
import { Button, IconButton } from "#ui/button.tsx";
import { EmptyState } from "#ui/empty-state.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { useIsPhone } from "#ui/use-media-query.ts";
import { ColumnPane } from "./columns/column.tsx";
import { VoteBar } from "./columns/vote-bar.tsx";
import { playgroundCommands } from "./commands.ts";
import { Composer } from "./composer/composer.tsx";
import { ConversationBar } from "./conversation-bar.tsx";
import { useDock } from "./docks.tsx";
import { rememberModel, useNewConversation, useStartingModel } from "./new-conversation.ts";
import { ParametersDock } from "./parameters/parameters-dock.tsx";
import { PlaygroundFrame } from "./playground-frame.tsx";

const route = getRouteApi("/studio/playground");

/** `/playground` and `/playground/<id>`: text models on their three endpoints, side by side. */
export function PlaygroundScreen() {
  const current = useChatState((state) => state.current);
  useModelFromAddress();
  const { isMissing } = useConversationAddress();
  return (
    <>
      {isMissing ? (
        <MissingConversation />
      ) : current === undefined ? (
        <>
          <PageBar title="Playground" />
          <div role="status" aria-label="Loading chats…" className="flex flex-col gap-4 p-4.5">
            <Skeleton className="h-5 w-56" />
            <Skeleton className="h-24 w-full" />
          </div>
        </>
      ) : (
        <ConversationView conversation={current} />
      )}
      <ResponseAnnouncer />
    </>
  );
}

/**
 * Reads what another screen put into the URL: a text model (`?model=`), and a message that the person may change
 * and send (`?ask=`). Both go into the open chat if it is blank, else into a new one.
 */
function useModelFromAddress(): void {
  const chat = useChat();
  const { model, ask } = route.useSearch();
  const navigate = route.useNavigate();
  const isReady = useChatState(({ current, summaries }) => current !== undefined && summaries !== undefined);
  useEffect(() => {
    const { current } = chat.conversations.store.getState();
    const first = current?.columns[0];
    if ((model === undefined && ask === undefined) || !isReady || current === undefined || first === undefined) return;
    const { endpoint } = first;
    if (model !== undefined) rememberModel({ endpoint, model });
    let { id } = current;
    if (!isBlank(current)) id = chat.conversations.start({ endpoint, model: model ?? first.model }).id;
    else if (model !== undefined)
      chat.conversations.dispatch(current.id, { kind: "column-changed", columnId: first.id, patch: { model } });
    if (ask !== undefined) setDraft(id, ask);
    void navigate({ to: "/playground", search: {}, replace: true });
  }, [chat, model, ask, isReady, navigate]);
}

/** Characters of a response that are read out. */
const MAX_CHARACTERS = 400;

interface Line {
  id: string;
  text: string;
  /** Whether the text names the column's letter, not its model. */
  isBlind: boolean;
}

/** Reads each response out once, when it has ended: a screen reader cannot follow every token. */
function ResponseAnnouncer() {
  const chat = useChat();
  const isHiddenNow = useChatState(({ current }) => current !== undefined && isBlind(current));
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(
    () =>
      chat.conversations.store.subscribe((state, previous) => {
        for (const [turnId, { conversationId, columnId }] of Object.entries(previous.runs)) {
          if (turnId in state.runs) continue;
          const column = chat.conversations.column(conversationId, columnId);
          const turn = column && findTurn(column.thread, turnId);
          if (!turn) continue;
          const ending = ENDINGS[turn.outcome?.how ?? "early"];
          const current = chat.conversations.get(conversationId);
          const isHidden = current !== undefined && isBlind(current);
          const index = current ? shownColumns(current).findIndex(({ id }) => id === columnId) : 0;
          const name = isHidden ? getColumnLetter(index) : column.model;
          const text = `${name} ${ending} ${sentText(turn.text, turn.parts).slice(0, MAX_CHARACTERS)}`;
          setLines((earlier) =>
            [...earlier.filter(({ id }) => id !== turnId), { id: turnId, text, isBlind: isHidden }].slice(-MAX_COLUMNS),
          );
        }
      }),
    [chat],
  );
  // Lines from before the models were hidden name them.
  const spoken = isHiddenNow ? lines.filter((line) => line.isBlind) : lines;
  return (
    // One line per response, because columns may end at the same moment. Only a new line is read out.
    <div role="status" aria-label="Responses" aria-atomic={false} className="sr-only">
      {spoken.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

const ENDINGS = {
  complete: "responded:",
  early: "was cut off:",
  stopped: "was stopped:",
  failed: "failed.",
  lost: "was interrupted:",
};

/**
 * Synchronizes the URL with the open chat, in both directions. A temporary chat, and one without a
 * message, have no URL: the state of the history entry has their id, so that back and forward find them until a
 * reload.
 */
function useConversationAddress(): { isMissing: boolean } {
  const { conversations } = useChat();
  const navigate = useNavigate();
  // All from the location, because the matched route follows it only a moment later.
  const place = useLocation({ select: ({ pathname }) => readPlace(pathname) });
  /** On the way to another screen. The URL must not be changed. */
  const isLeaving = useLocation({ select: ({ pathname }) => !/^\/playground(\/|$)/.test(pathname) });
  const hasRequest = useLocation({ select: ({ search }) => search.model !== undefined || search.ask !== undefined });
  const entryId = useLocation({ select: ({ state }) => state.conversationId });
  const endpoint = TEXT_ENDPOINTS.find((name) => name === place);
  const addressId = endpoint === undefined ? place : undefined;
  const wantedId = addressId ?? entryId;
  const currentId = useChatState(({ current }) => current?.id);
  const isListed = useChatState(({ current, summaries }) =>
    Boolean(current && !current.isTemporary && summaries?.some(({ id }) => id === current.id)),
  );
  const start = useStartingModel();
  const [missingId, setMissingId] = useState<string>();
  const seenId = useRef<string>(undefined);
  /** The chat that this hook is navigating to, until the URL has changed. */
  const sentToId = useRef<string>(undefined);

  useEffect(() => {
    // Without a starting model no chat can be started.
    if (start === undefined || isLeaving) return;
    const asked = () => ({ ...start, ...(endpoint ? { endpoint } : {}) });
    const isNew = wantedId !== undefined && seenId.current !== wantedId;
    seenId.current = wantedId;
    // A navigation of this hook that arrives now opens nothing: another chat may have been opened since.
    const isOwnNavigation = isNew && wantedId === sentToId.current;
    if (isNew) sentToId.current = undefined;
    if (isNew && !isOwnNavigation && wantedId !== currentId) {
      void conversations.restore(asked, wantedId).then((isFound) => {
        if (seenId.current !== wantedId || isFound) return;
        if (addressId === undefined) void conversations.restore(asked);
        else setMissingId(addressId);
      });
      return;
    }
    if (isNew) setMissingId(undefined);
    if (currentId === undefined) {
      if (wantedId === undefined) void conversations.restore(asked);
      return;
    }
    // `useModelFromAddress` changes the URL first, and may start a chat.
    if (hasRequest) return;
    const isInAddress = isListed ? addressId === currentId : addressId === undefined && entryId === currentId;
    if (isInAddress) return;
    const replace = wantedId === undefined || wantedId === currentId;
    if (isListed) {
      sentToId.current = currentId;
      void navigate({ to: "/playground/$place", params: { place: currentId }, replace });
    } else if (endpoint === undefined || entryId !== undefined) {
      sentToId.current = currentId;
      const to = endpoint === undefined ? "/playground" : `/playground/${endpoint}`;
      void navigate({ to, state: { conversationId: currentId }, replace });
    }
  }, [
    conversations,
    start,
    endpoint,
    addressId,
    entryId,
    wantedId,
    currentId,
    isListed,
    hasRequest,
    isLeaving,
    navigate,
  ]);
  return { isMissing: missingId !== undefined && missingId === addressId && missingId !== currentId };
}

/** The part of the path after `/playground/`, decoded; undefined where there is none. */
function readPlace(pathname: string): string | undefined {
  const [, place] = /^\/playground\/([^/]+)/.exec(pathname) ?? [];
  try {
    return place && decodeURIComponent(place);
  } catch {
    return place;
  }
}

/**
 * One chat: its columns side by side (on a phone one at a time), the composer for all of them, and the
 * parameters of the active column, which is the one that had the pointer or the focus last.
 */
function ConversationView({ conversation }: { conversation: Conversation }) {
  const isPhone = useIsPhone();
  const [activeId, setActiveId] = useState<string>();
  const { id, title } = conversation;
  const columns = shownColumns(conversation);
  const isHidden = isBlind(conversation);
  const active = columns.find((column) => column.id === activeId) ?? columns[0];
  const isOnly = columns.length === 1;
  const columnName = (index: number) =>
    isHidden ? getColumnLetter(index) : visibleLine(columns[index]?.model ?? "") || "no model";
  useEffect(() => {
    document.title = `${isBlank(conversation) ? "Playground" : visibleLine(title)} · Safelight`;
  }, [conversation, title]);
  return (
    <PlaygroundFrame
      conversation={conversation}
      parameters={
        active &&
        (isHidden ? <HiddenParameters /> : <ParametersDock key={id} conversation={conversation} column={active} />)
      }
    >
      <ConversationBar conversation={conversation} active={active} />
      {isPhone && !isOnly && (
        <div className="border-line border-b px-4 py-2">
          <Segmented
            label="Column"
            options={columns.map((column, index) => ({
              value: column.id,
              label: isHidden ? columnName(index) : `${index + 1}: ${columnName(index)}`,
            }))}
            value={active?.id}
            onChange={setActiveId}
          />
        </div>
      )}
      <div className="grid min-h-0 flex-1 auto-cols-[minmax(0,1fr)] grid-flow-col grid-rows-[minmax(0,1fr)] justify-center">
        {columns.map((column, index) => (
          <section
            // Both ids, because an imported chat may have the column ids of the exported one.
            key={`${id} ${column.id}`}
            aria-label={`Column ${index + 1}: ${columnName(index)}`}
            aria-current={!isOnly && column === active ? "true" : undefined}
            onPointerDownCapture={() => setActiveId(column.id)}
            onFocusCapture={() => setActiveId(column.id)}
            className={clsx(
              "@container relative min-h-0 min-w-0 flex-col",
              !isPhone && "border-line not-last:border-e",
              isPhone && column !== active ? "hidden" : "flex",
            )}
          >
            <h2 className="sr-only">
              Column {index + 1}: {columnName(index)}
            </h2>
            <ColumnPane
              conversationId={id}
              column={column}
              isOnly={isOnly}
              isActive={!isOnly && column === active}
              hiddenAs={isHidden ? getColumnLetter(index) : undefined}
            />
          </section>
        ))}
      </div>
      {columns.some(({ isDocument }) => !isDocument) && (
        <div className="shrink-0 overflow-hidden px-4.5 pt-2 pb-4 max-sm:px-3 max-sm:pb-2.5 [scrollbar-gutter:stable]">
          <VoteBar conversation={conversation} />
          <Composer key={id} conversation={conversation} active={active} />
        </div>
      )}
    </PlaygroundFrame>
  );
}

/** Shown instead of parameters, which would reveal the model. */
function HiddenParameters() {
  return (
    <p className="m-0 p-4 text-sm text-ink-2">
      Models, parameters and prices are hidden until you vote on the responses.
    </p>
  );
}

/** Shown for a URL whose chat is not stored here, with the list and a button for a new one. */
function MissingConversation() {
  return (
    <PlaygroundFrame conversation={undefined}>
      <MissingBody />
    </PlaygroundFrame>
  );
}

function MissingBody() {
  const start = useNewConversation();
  const list = useDock("conversations");
  return (
    <>
      <PageBar
        title="Playground"
        start={
          list.state !== "docked" && (
            <IconButton
              label={playgroundCommands.list.label}
              size="sm"
              data-command={playgroundCommands.list.id}
              onClick={list.open}
            >
              <MessagesSquare aria-hidden className="size-4" />
            </IconButton>
          )
        }
      />
      <div className="grid flex-1 place-items-center p-4">
        <EmptyState
          icon={MessagesSquare}
          title="Chat not found"
          actions={
            <Button variant="primary" data-command={playgroundCommands.new.id} onClick={() => start()}>
              {playgroundCommands.new.label}
            </Button>
          }
        >
          It was deleted, or it belongs to another browser or key. A chat link works only in the browser where the chat
          is saved.
        </EmptyState>
      </div>
    </>
  );
}
