import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useChat, useChatDesk } from "#chat/chat-desk.ts";
import { TEXT_ENDPOINTS } from "#chat/conversation.ts";
import { warmUp } from "#chat/markdown/warm-up.ts";
import { PageBar } from "#ui/page-bar.tsx";
import { Skeleton } from "#ui/skeleton.tsx";
import { AnswerAnnouncer } from "./answer-announcer.tsx";
import { ChatContext } from "./chat-context.ts";
import { ConversationView } from "./conversation-view.tsx";
import { useStartingModel } from "./use-starting-model.ts";
import { useWantedModel } from "./use-wanted-model.ts";

/** `/playground`: text models on their three endpoints, side by side. */
export function PlaygroundScreen() {
  const desk = useChatDesk();
  const current = useChat(desk, (state) => state.current);
  const { endpoint } = useParams({ strict: false });
  const start = useStartingModel();
  const wanted = TEXT_ENDPOINTS.find((name) => name === endpoint);

  useEffect(warmUp, []);
  useEffect(() => {
    if (start === undefined) return;
    void desk.shelf.restore(() => ({ ...start, ...(wanted ? { endpoint: wanted } : {}) }));
  }, [desk, start, wanted]);

  return (
    <ChatContext value={desk}>
      {current === undefined ? (
        <>
          <PageBar title="Playground" />
          <div role="status" aria-label="Loading conversations" className="flex flex-col gap-4 p-[18px]">
            <Skeleton className="h-5 w-56" />
            <Skeleton className="h-24 w-full" />
          </div>
        </>
      ) : (
        <ConversationView key={current.id} conversation={current} />
      )}
      <AnswerAnnouncer />
      <WantedModel />
    </ChatContext>
  );
}

function WantedModel() {
  useWantedModel();
  return null;
}
