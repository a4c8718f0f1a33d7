import { useMemo } from "react";
import { useStore } from "zustand";
import { type TextClient, useTextClient } from "#connection/connection-provider.tsx";
import { onConnectionChange, useConnection } from "#connection/connection-store.ts";
import { type ChatAnswers, createChatAnswers } from "./chat-answers.ts";
import { type ChatShelf, type ChatState, createChatShelf } from "./chat-shelf.ts";
import { clearDrafts } from "./drafts.ts";
import { keepQueue } from "./kept-queue.ts";
import { clearWire } from "./wire-log.ts";

/** The conversations of one connection and the answers that are coming. It outlives the screen, not the connection. */
export interface ChatDesk {
  shelf: ChatShelf;
  answers: ChatAnswers;
  /** The connection's key fingerprint. */
  accountId: string;
  client: TextClient;
}

const desks = new WeakMap<TextClient, ChatDesk>();

function deskOf(client: TextClient, accountId: string): ChatDesk {
  const known = desks.get(client);
  if (known !== undefined) return known;
  const shelf = createChatShelf(accountId);
  const answers = createChatAnswers(client, accountId, shelf);
  const desk = { shelf, answers, accountId, client };
  desks.set(client, desk);
  const stopFollowing = shelf.follow();
  const stopListening = onConnectionChange((connection) => {
    stopListening();
    stopFollowing();
    answers.stop();
    shelf.flush();
    // The same key given once more, after a refusal, finds what was written as it was.
    if (connection?.accountId !== accountId) {
      clearWire();
      clearDrafts();
      keepQueue(accountId, []);
    }
    globalThis.removeEventListener?.("pagehide", shelf.flush);
  });
  // The last event that a phone's browser is sure to send.
  globalThis.addEventListener?.("pagehide", shelf.flush);
  return desk;
}

/** The desk of the current connection, below a `ConnectionProvider`. */
export function useChatDesk(): ChatDesk {
  const client = useTextClient();
  const accountId = useConnection()?.accountId ?? "";
  return useMemo(() => deskOf(client, accountId), [client, accountId]);
}

/** A part of the chat's state, live. `select` must give the same value for the same state. */
export function useChat<T>(desk: ChatDesk, select: (state: ChatState) => T): T {
  return useStore(desk.shelf.store, select);
}
