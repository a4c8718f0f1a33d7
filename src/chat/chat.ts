import { useStore } from "zustand";
import { type TextClient, useTextClient } from "#connection/connection-provider.tsx";
import { onConnectionEnd, useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { onWipe } from "#storage/changes.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { type ChatState, type ConversationStore, createConversationStore } from "./conversation-store.ts";
import { clearPictures } from "./pictures.ts";
import { clearRequestLogs } from "./request-log.ts";
import { clearDrafts, storeQueue } from "./unsent-messages.ts";

/** The conversations of one connection and the answers that are coming. It lives as long as the connection. */
export interface Chat {
  conversations: ConversationStore;
  answers: Answers;
  /** The connection's key fingerprint. */
  accountId: string;
  client: TextClient;
}

const chatOf = perConnection((client: TextClient, accountId: string, connectionId: string): Chat => {
  const conversations = createConversationStore(accountId);
  const answers = createAnswers(client, accountId, conversations);
  const stopFollowing = conversations.followOtherTabs();
  const stopWiping = onWipe((wiped) => {
    if (wiped !== accountId) return;
    clearRequestLogs();
    clearPictures();
    clearDrafts();
    // Messages in memory would be stored again with the next one.
    conversations.store.setState({ queue: [] });
  });
  const stopListening = onConnectionEnd(connectionId, ({ isForgotten, isLast }) => {
    stopListening();
    stopWiping();
    stopFollowing();
    answers.stop();
    conversations.flush();
    // The same key given once more, after a session that ended, finds what was written as it was.
    if (isForgotten) {
      const { summaries = [], current } = conversations.store.getState();
      clearRequestLogs();
      clearPictures();
      clearDrafts(isLast ? undefined : [current, ...summaries].flatMap((one) => one?.id ?? []));
      storeQueue(accountId, []);
    }
    globalThis.removeEventListener?.("pagehide", conversations.flush);
  });
  // The last event that a phone's browser is sure to send.
  globalThis.addEventListener?.("pagehide", conversations.flush);
  return { conversations, answers, accountId, client };
});

/** The chat of the current connection, below a `ConnectionProvider`. */
export function useChat(): Chat {
  const client = useTextClient();
  const { accountId = "", id = "" } = useConnection() ?? {};
  return chatOf(client, accountId, id);
}

/** A part of the chat's state, live. `select` must give the same value for the same state. */
export function useChatState<T>(select: (state: ChatState) => T): T {
  return useStore(useChat().conversations.store, select);
}
