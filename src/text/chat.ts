import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { useApi } from "#connection/client.ts";
import { onConnectionEnd, useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { type TextClient, useTextClient } from "#connection/text-client.ts";
import { onWipe } from "#storage/changes.ts";
import { type ModelEntry, spendingClient } from "./answer-spend.ts";
import { type Answers, createAnswers } from "./answers.ts";
import { type ChatState, type ConversationStore, createConversationStore } from "./conversations/conversation-store.ts";
import { clearPictures } from "./conversations/pictures.ts";
import { clearDrafts, storeQueue } from "./conversations/unsent-messages.ts";
import { clearRequestLogs } from "./request-log.ts";
import { getModelCatalogue } from "./text-catalogue.ts";

/** The conversations of one connection and the answers that are coming. It lives as long as the connection. */
export interface Chat {
  conversations: ConversationStore;
  answers: Answers;
  /** The connection's key fingerprint. */
  accountId: string;
  client: TextClient;
  /** The same for requests that may cost: each is in the ledger, under its project. */
  clientFor(projectId: string | undefined): TextClient;
}

type Connected = { accountId: string; connectionId: string; entryOf: ModelEntry };

const getChat = perConnection((client: TextClient, { accountId, connectionId, entryOf }: Connected): Chat => {
  const conversations = createConversationStore(accountId);
  const clientFor = (projectId: string | undefined) => spendingClient(client, { accountId, projectId, entryOf });
  const answers = createAnswers({ clientFor, entryOf, accountId, conversations });
  const stopFollowing = conversations.followOtherTabs();
  const stopWiping = onWipe((wiped) => {
    if (wiped !== accountId) return;
    clearRequestLogs();
    clearPictures();
    clearDrafts();
    // Messages in memory would be stored again with the next one.
    conversations.store.setState({ queue: [] });
  });
  const leave = () => {
    answers.save();
    conversations.flush();
  };
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
    globalThis.removeEventListener?.("pagehide", leave);
  });
  // The last event that a phone's browser is sure to send.
  globalThis.addEventListener?.("pagehide", leave);
  return { conversations, answers, accountId, client, clientFor };
});

/** The chat of the current connection, below a `ConnectionProvider`. */
export function useChat(): Chat {
  const client = useTextClient();
  const { accountId = "", id = "" } = useConnection() ?? {};
  const entryOf = getModelCatalogue(useApi(), useQueryClient());
  return getChat(client, { accountId, connectionId: id, entryOf });
}

/** A part of the chat's state, live. `select` must give the same value for the same state. */
export function useChatState<T>(select: (state: ChatState) => T): T {
  return useStore(useChat().conversations.store, select);
}
