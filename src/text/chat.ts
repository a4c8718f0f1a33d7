import { useQueryClient } from "@tanstack/react-query";
import { useStore } from "zustand";
import { useApi } from "#connection/client.ts";
import { onConnectionEnd, useConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import { randomId } from "#lib/random-id.ts";
import { onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { joinFacts, runResponse, type StoredError } from "./answer.ts";
import {
  contextOfPath,
  explainWithPictures,
  streamResponse,
  type TextClient,
  useTextClient,
  withQuestion,
} from "./answer-request.ts";
import {
  findBrokenLimit,
  getModelCatalogue,
  inTime,
  limitWords,
  type ModelEntry,
  maxResponseMicroUsd,
  spendingClient,
} from "./answer-spend.ts";
import { type Column, findTurn, pathTo, type Turn, visiblePath } from "./conversations/conversation.ts";
import {
  type ChatState,
  type ConversationStore,
  clearDrafts,
  createConversationStore,
  storeQueue,
} from "./conversations/conversation-store.ts";
import { clearPictures, type Picture, storePictures } from "./conversations/pictures.ts";
import { addRequestLog, clearRequestLogs, type RequestLog, recordEvent, saveRequestLog } from "./request-log.ts";

type Connected = { accountId: string; connectionId: string; entryOf: ModelEntry };

/** The conversations of one connection and the responses that are coming. It ends with the connection. */
export type Chat = ReturnType<typeof createChat>;

function createChat(client: TextClient, { accountId, connectionId, entryOf }: Connected) {
  const conversations = createConversationStore(accountId);
  const clientFor = (projectId: string | undefined) => spendingClient(client, { accountId, projectId, entryOf });
  const responses = createResponses({ clientFor, entryOf, accountId, conversations });
  const stopFollowing = conversations.followOtherTabs();
  const stopWiping = onWipe((wiped) => {
    if (wiped !== accountId) return;
    clearRequestLogs();
    clearPictures();
    clearDrafts();
    // Queued messages in memory would be stored again with the next one.
    conversations.store.setState({ queue: [] });
  });
  const leave = () => {
    responses.save();
    conversations.flush();
  };
  const stopListening = onConnectionEnd(connectionId, ({ isForgotten, isLast }) => {
    stopListening();
    stopWiping();
    stopFollowing();
    responses.stop();
    conversations.flush();
    // After a session that only expired, the same key finds its drafts and its queue again.
    if (isForgotten) {
      const { summaries = [], current } = conversations.store.getState();
      clearRequestLogs();
      clearPictures();
      clearDrafts(isLast ? undefined : [current, ...summaries].flatMap((conversation) => conversation?.id ?? []));
      storeQueue(accountId, []);
    }
    globalThis.removeEventListener?.("pagehide", leave);
  });
  // `pagehide` is the last event that a phone's browser is sure to send.
  globalThis.addEventListener?.("pagehide", leave);
  return {
    conversations,
    responses,
    /** The connection's key fingerprint. */
    accountId,
    /** A client that enters each request in the ledger under the project. */
    clientFor,
  };
}

const getChat = perConnection(createChat);

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

/** Sends messages to the service and writes the responses into the conversations as they arrive. */
function createResponses({
  clientFor,
  entryOf,
  accountId,
  conversations,
}: {
  clientFor: (projectId: string | undefined) => TextClient;
  entryOf: ModelEntry;
  accountId: string;
  conversations: ConversationStore;
}) {
  const { store, column: columnOf } = conversations;
  const addTurn = (conversationId: string, columnId: string, turn: Omit<Turn, "id" | "createdAtMs">): string => {
    const id = randomId();
    conversations.dispatch(conversationId, {
      kind: "turn-added",
      columnId,
      turn: { ...turn, id, createdAtMs: Date.now() },
    });
    return id;
  };

  const run = (conversationId: string, column: Column, turnId: string, path: readonly Turn[], continued?: Turn) => {
    const columnId = column.id;
    const log: RequestLog = { endpoint: column.endpoint, exchanges: [] };
    addRequestLog(turnId, log);
    const client = clientFor(conversations.get(conversationId)?.projectId);
    const response = runResponse({
      open: (signal) => streamResponse({ client, accountId, conversationId, column, path, signal }),
      explain: (error) => explainWithPictures(error, column, path),
      startText: continued?.text ?? "",
      startParts: continued?.parts,
      onEvent: (event) => recordEvent(log, event),
      commit(patch) {
        const facts = continued?.facts ? joinFacts(continued.facts, patch.facts) : patch.facts;
        conversations.dispatch(conversationId, { kind: "turn-changed", columnId, turnId, patch: { ...patch, facts } });
      },
      // Every commit saves the whole conversation: a very long one is saved less often, so that typing stays smooth.
      commitEveryMs: Math.max(1000, column.thread.turns.length * 5),
    });
    const active = { conversationId, columnId, run: response };
    store.setState(({ runs }) => ({ runs: { ...runs, [turnId]: active } }));
    return response.done.then(() => {
      store.setState(({ runs: { [turnId]: _, ...others } }) => ({ runs: others }));
      conversations.flush();
      const thread = columnOf(conversationId, columnId)?.thread;
      const turn = thread && findTurn(thread, turnId);
      if (turn && !conversations.get(conversationId)?.isTemporary) {
        void saveRequestLog(accountId, conversationId, turnId, log);
        const pictureIds = (turn.parts ?? []).flatMap((part) =>
          part.kind === "picture" ? (part.pictureId ?? []) : [],
        );
        void storePictures(accountId, conversationId, pictureIds);
      }
      if (turn?.outcome?.how !== "complete") holdQueued(conversationId, columnId);
      sendNext();
    });
  };

  const responseTo = (conversationId: string, columnId: string, parentId: string): Promise<void> => {
    const column = columnOf(conversationId, columnId);
    if (column === undefined) return Promise.resolve();
    const asked = { endpoint: column.endpoint, model: column.model };
    const path = pathTo(column.thread, parentId);
    const turnId = addTurn(conversationId, columnId, { parentId, role: "assistant", text: "", asked });
    return run(conversationId, column, turnId, path);
  };

  const send = (
    conversationId: string,
    columnIds: readonly string[],
    text: string,
    pictures: readonly Picture[] = [],
  ) => {
    for (const columnId of columnIds) {
      const column = columnOf(conversationId, columnId);
      if (column === undefined) continue;
      const parentId = visiblePath(column.thread).at(-1)?.turn.id ?? null;
      const sentPictures = pictures.length === 0 ? {} : { pictures };
      const questionId = addTurn(conversationId, columnId, { parentId, role: "user", text, ...sentPictures });
      void responseTo(conversationId, columnId, questionId);
    }
  };

  const isBusy = (conversationId: string, columnId: string) =>
    Object.values(store.getState().runs).some(
      (active) => active.conversationId === conversationId && active.columnId === columnId,
    );

  /** After a stop or an error, queued messages wait for a click: they would cost, or be refused as well. */
  const holdQueued = (conversationId: string, columnId: string) =>
    store.setState(({ queue }) => ({
      queue: queue.map((ask) =>
        ask.conversationId === conversationId && ask.columnIds.includes(columnId) ? { ...ask, isHeld: true } : ask,
      ),
    }));

  const sendNext = () => {
    const { queue } = store.getState();
    const next = queue.find(
      ({ conversationId, columnIds, isHeld }) =>
        !isHeld && !columnIds.some((columnId) => isBusy(conversationId, columnId)),
    );
    if (next === undefined) return;
    store.setState({ queue: queue.filter(({ id }) => id !== next.id) });
    send(next.conversationId, next.columnIds, next.text, next.pictures);
  };

  return {
    /** Sends a message to columns. While one of them is still answering, the message waits in the queue. */
    ask(conversationId: string, columnIds: readonly string[], text: string, pictures: readonly Picture[] = []): void {
      const unstored = pictures.flatMap(({ id, url }) => (url === undefined ? [id] : []));
      if (!conversations.get(conversationId)?.isTemporary) void storePictures(accountId, conversationId, unstored);
      const mustWait = columnIds.some((columnId) => isBusy(conversationId, columnId));
      if (!mustWait) send(conversationId, columnIds, text, pictures);
      else
        store.setState(({ queue }) => ({
          queue: [...queue, { id: randomId(), conversationId, columnIds, text, pictures, isHeld: false }],
        }));
    },
    /** Asks for another version of a response. */
    regenerate(conversationId: string, columnId: string, turnId: string): Promise<void> {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn || turn.parentId === null || isBusy(conversationId, columnId)) return Promise.resolve();
      // A failed response without text is replaced; it does not stay as a version.
      if (turn.text === "" && !turn.parts && turn.outcome?.how !== "complete") {
        conversations.dispatch(conversationId, { kind: "turn-removed", columnId, turnId });
      }
      return responseTo(conversationId, columnId, turn.parentId);
    },
    /** Several versions of a response one after the other, to see how much they differ. */
    async repeat(conversationId: string, columnId: string, turnId: string, times: number): Promise<void> {
      const column = columnOf(conversationId, columnId);
      const parentId = column && findTurn(column.thread, turnId)?.parentId;
      if (!parentId) return;
      for (let count = 0; count < times; count++) {
        if (isBusy(conversationId, columnId)) return;
        await responseTo(conversationId, columnId, parentId);
        const path = visiblePath(columnOf(conversationId, columnId)?.thread ?? { turns: [], chosen: {} });
        // A stop or a failure ends the series: the other versions would only cost.
        if (path.at(-1)?.turn.outcome?.how !== "complete") return;
      }
    },
    /** Adds another version of a message. A question is sent again; an edited response is only stored. */
    edit(conversationId: string, columnId: string, turnId: string, text: string): void {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn) return;
      const { parentId, role, asked, pictures } = turn;
      if (role === "user") {
        // A second response in one column would hide the one that is still coming.
        if (isBusy(conversationId, columnId)) return;
        const samePictures = pictures === undefined ? {} : { pictures };
        void responseTo(
          conversationId,
          columnId,
          addTurn(conversationId, columnId, { parentId, role, text, ...samePictures }),
        );
        return;
      }
      const outcome = { how: "complete" as const };
      addTurn(conversationId, columnId, { parentId, role, text, outcome, ...(asked ? { asked } : {}) });
    },
    /** Has a response continued from where it stopped. */
    continue(conversationId: string, columnId: string, turnId: string): void {
      const column = columnOf(conversationId, columnId);
      const turn = column && findTurn(column.thread, turnId);
      if (!turn || isBusy(conversationId, columnId)) return;
      void run(conversationId, column, turnId, pathTo(column.thread, turnId), turn);
    },
    /**
     * The limit that the responses of these columns could break together, in words. Undefined where the message may be
     * sent. When a response is sent, its limits are checked once more, over all tabs.
     */
    async objection(
      conversationId: string,
      columnIds: readonly string[],
      text: string,
      pictures: readonly Picture[] = [],
    ): Promise<StoredError | undefined> {
      const columns = columnIds.flatMap((id) => columnOf(conversationId, id) ?? []);
      const check = async () => {
        const sizes = columns.map((column) => {
          const path = visiblePath(column.thread).map(({ turn }) => turn);
          const size = withQuestion(contextOfPath(column, path), text, pictures);
          return { model: column.model, input: size.tokens, output: size.responseTokens };
        });
        const most = await Promise.all(sizes.map(async (size) => maxResponseMicroUsd(await entryOf(size.model), size)));
        const projectId = conversations.get(conversationId)?.projectId;
        const broken = await findBrokenLimit(await openRows(), accountId, { most, projectId, nowMs: Date.now() });
        return broken && limitWords(broken);
      };
      // Limits that cannot be read are no objection here. They are checked again when a response is sent.
      return inTime(check()).catch(() => undefined);
    },
    /** Removes a message from the queue. */
    unqueue(id: string): void {
      store.setState(({ queue }) => ({ queue: queue.filter((waiting) => waiting.id !== id) }));
    },
    /** Sends the messages that a stop or an error left waiting, as soon as their columns are free. */
    sendWaiting(conversationId: string): void {
      store.setState(({ queue }) => ({
        queue: queue.map((ask) => (ask.conversationId === conversationId ? { ...ask, isHeld: false } : ask)),
      }));
      sendNext();
    },
    /** Writes what has arrived of each response into its conversation, before the page goes away. */
    save(): void {
      for (const active of Object.values(store.getState().runs)) active.run.save();
    },
    /** Stops every response of a conversation, or of all. Queued messages then wait for a click: they would cost. */
    stop(conversationId?: string): void {
      const isMeant = (run: { conversationId: string }) =>
        conversationId === undefined || run.conversationId === conversationId;
      for (const active of Object.values(store.getState().runs)) if (isMeant(active)) active.run.stop();
    },
  };
}
