import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { sentText } from "#text/answer.ts";
import { useChat, useChatState } from "#text/chat.ts";
import { isBlind, letterOf, shownColumns } from "#text/conversations/blind-comparison.ts";
import { findTurn, isBlank, MAX_COLUMNS } from "#text/conversations/conversation.ts";
import { setDraft } from "#text/conversations/conversation-store.ts";
import { Skeleton } from "#ui/indicators.tsx";
import { PageBar } from "#ui/page-bar.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { MissingConversation } from "./missing-conversation.tsx";
import { rememberModel } from "./starting-model.ts";
import { useConversationAddress } from "./use-conversation-address.ts";

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
          <div role="status" aria-label="Loading conversations" className="flex flex-col gap-4 p-[18px]">
            <Skeleton className="h-5 w-56" />
            <Skeleton className="h-24 w-full" />
          </div>
        </>
      ) : (
        <ConversationView conversation={current} />
      )}
      <AnswerAnnouncer />
    </>
  );
}

/**
 * Takes what another screen put into the address, into the open conversation if it is blank, else into a new one: a text
 * model (`?model=`), and a message that the person may change and send (`?ask=`).
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

const MAX_CHARACTERS = 400;

interface Line {
  id: string;
  text: string;
  /** It names a letter, not a model. */
  isBlind: boolean;
}

/** Reads each answer out once, when it is over: a screen reader that followed every token would never get to the end. */
function AnswerAnnouncer() {
  const chat = useChat();
  const isHiddenNow = useChatState(({ current }) => current !== undefined && isBlind(current));
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(
    () =>
      chat.conversations.store.subscribe((state, before) => {
        for (const [turnId, { conversationId, columnId }] of Object.entries(before.runs)) {
          if (turnId in state.runs) continue;
          const column = chat.conversations.get(conversationId)?.columns.find(({ id }) => id === columnId);
          const turn = column && findTurn(column.thread, turnId);
          if (!turn) continue;
          const ending = HOW[turn.outcome?.how ?? "early"];
          const current = chat.conversations.get(conversationId);
          const isHidden = current !== undefined && isBlind(current);
          const place = current ? shownColumns(current).findIndex(({ id }) => id === columnId) : 0;
          const name = isHidden ? letterOf(place) : column.model;
          const text = `${name} ${ending} ${sentText(turn.text, turn.parts).slice(0, MAX_CHARACTERS)}`;
          setLines((earlier) =>
            [...earlier.filter(({ id }) => id !== turnId), { id: turnId, text, isBlind: isHidden }].slice(-MAX_COLUMNS),
          );
        }
      }),
    [chat],
  );
  // What was said before the models were hidden names them.
  const spoken = isHiddenNow ? lines.filter((line) => line.isBlind) : lines;
  return (
    // Columns may end in the same moment: each answer is a line of its own, and only a new line is read out.
    <div role="status" aria-label="Answers" aria-atomic={false} className="sr-only">
      {spoken.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}

const HOW = {
  complete: "answered:",
  early: "ended early:",
  stopped: "was stopped:",
  failed: "failed.",
  lost: "was lost:",
};
