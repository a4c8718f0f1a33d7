import { useMemo } from "react";
import { useStore } from "zustand";
import { type TextClient, useTextClient } from "#connection/connection-provider.tsx";
import { onConnectionChange, useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { type Answers, createAnswers } from "./chat-answers.ts";
import { type ChatState, type ConversationStore, createConversationStore } from "./chat-shelf.ts";
import { clearDrafts } from "./drafts.ts";
import { storeQueue } from "./kept-queue.ts";
import { clearRequestLogs } from "./wire-log.ts";

/** The conversations of one connection and the answers that are coming. It outlives the screen, not the connection. */
export interface Chat {
  shelf: ConversationStore;
  answers: Answers;
  /** The connection's key fingerprint. */
  accountId: string;
  client: TextClient;
}

const chatOf = perConnection((client: TextClient, accountId: string): Chat => {
  const shelf = createConversationStore(accountId);
  const answers = createAnswers(client, accountId, shelf);
  const desk = { shelf, answers, accountId, client };
  const stopFollowing = shelf.follow();
  const stopListening = onConnectionChange((connection) => {
    stopListening();
    stopFollowing();
    answers.stop();
    shelf.flush();
    // The same key given once more, after a refusal, finds what was written as it was.
    if (connection?.accountId !== accountId) {
      clearRequestLogs();
      clearDrafts();
      storeQueue(accountId, []);
    }
    globalThis.removeEventListener?.("pagehide", shelf.flush);
  });
  // The last event that a phone's browser is sure to send.
  globalThis.addEventListener?.("pagehide", shelf.flush);
  return desk;
});

/** The desk of the current connection, below a `ConnectionProvider`. */
export function useChatDesk(): Chat {
  const client = useTextClient();
  const accountId = useConnection()?.accountId ?? "";
  return useMemo(() => chatOf(client, accountId), [client, accountId]);
}

/** A part of the chat's state, live. `select` must give the same value for the same state. */
export function useChatState<T>(desk: Chat, select: (state: ChatState) => T): T {
  return useStore(desk.shelf.store, select);
}
