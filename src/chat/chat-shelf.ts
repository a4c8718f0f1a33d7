import { createStore, type StoreApi } from "zustand/vanilla";
import { safeLocalStorage } from "#lib/safe-storage.ts";
import type { AnswerRun } from "./answer-run.ts";
import { type Asked, type Conversation, createConversation, isBlank } from "./conversation.ts";
import { type ConversationAct, reduceConversation } from "./conversation-reducer.ts";
import {
  type ConversationHead,
  headOf,
  loadConversation,
  loadHeads,
  removeConversation,
  saveConversation,
} from "./conversation-rows.ts";
import { followTabs } from "./follow-tabs.ts";
import { keepQueue, readQueue } from "./kept-queue.ts";
import { mergeConversation } from "./merge-conversation.ts";
import { removeWires } from "./wire-rows.ts";

export interface ActiveRun {
  conversationId: string;
  columnId: string;
  turnId: string;
  run: AnswerRun;
}

export interface QueuedAsk {
  id: string;
  conversationId: string;
  columnIds: readonly string[];
  text: string;
  /** The answer before it was stopped or failed: it waits for a word. */
  isHeld: boolean;
}

export interface ChatState {
  /** Undefined until they were read. */
  heads: readonly ConversationHead[] | undefined;
  current: Conversation | undefined;
  /** Answers that are coming, by their message's id. */
  runs: Readonly<Record<string, ActiveRun>>;
  queue: readonly QueuedAsk[];
}

export interface ChatShelf {
  store: StoreApi<ChatState>;
  get(conversationId: string): Conversation | undefined;
  act(conversationId: string, act: ConversationAct): void;
  /** As `act`, for a conversation that may have to be read first. */
  change(conversationId: string, act: ConversationAct): Promise<void>;
  start(asked: Asked, options?: { isTemporary?: boolean }): Conversation;
  open(id: string): Promise<void>;
  /** A conversation without opening it: from memory, else from the database. */
  peek(id: string): Promise<Conversation | undefined>;
  remove(id: string): Promise<void>;
  bringIn(conversation: Conversation): void;
  /** Reads the list and opens the conversation that was open last; starts a new one where there is none. */
  restore(asked: () => Asked): Promise<void>;
  flush(): void;
  /** Takes over what other tabs write, from now until the returned call. */
  follow(): () => void;
}

const SAVE_AFTER_MS = 300;

const idsIn = ({ columns }: Conversation): string[] =>
  columns.flatMap((column) => [column.id, ...column.thread.turns.map((turn) => turn.id)]);

/** The conversations of one connection: those in memory, and their copies in the database. */
export function createChatShelf(accountId: string): ChatShelf {
  const store = createStore<ChatState>(() => ({
    heads: undefined,
    current: undefined,
    runs: {},
    queue: readQueue(accountId),
  }));
  const open = new Map<string, Conversation>();
  store.subscribe(({ queue }, before) => {
    if (queue === before.queue) return;
    keepQueue(
      accountId,
      queue.filter(({ conversationId }) => !open.get(conversationId)?.isTemporary),
    );
  });
  const unsaved = new Set<string>();
  /** Messages and columns that were taken away here: what another tab still has of them does not bring them back. */
  const removed = new Set<string>();
  const lastKey = `safelight:last-chat|${accountId}`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = 0;
  let isRestored = false;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const id of unsaved) {
      const conversation = open.get(id);
      if (conversation === undefined) continue;
      writing += 1;
      void saveConversation(accountId, conversation, removed)
        .then(takeIn)
        .finally(() => {
          writing -= 1;
        });
    }
    unsaved.clear();
  };
  /** What another tab said in a conversation while this one wrote it: it is in the database already. */
  const takeIn = (saved: Conversation) => {
    const mine = open.get(saved.id);
    const whole = mine && mergeConversation(mine, saved, removed);
    if (whole === undefined || whole === mine) return;
    open.set(whole.id, whole);
    if (store.getState().current?.id === whole.id) store.setState({ current: whole });
  };
  const put = (conversation: Conversation) => {
    open.set(conversation.id, conversation);
    const { heads = [], current } = store.getState();
    const isListed = heads.some(({ id }) => id === conversation.id);
    if (isListed || !isBlank(conversation)) {
      if (!conversation.isTemporary) {
        unsaved.add(conversation.id);
        timer ??= setTimeout(flush, SAVE_AFTER_MS);
      }
      const others = heads.filter(({ id }) => id !== conversation.id);
      store.setState({ heads: [headOf(conversation), ...others].sort((a, b) => b.updatedAtMs - a.updatedAtMs) });
    }
    if (current?.id === conversation.id) store.setState({ current: conversation });
  };
  const show = (conversation: Conversation) => {
    open.set(conversation.id, conversation);
    if (!conversation.isTemporary) safeLocalStorage.setItem(lastKey, conversation.id);
    store.setState({ current: conversation });
  };
  const shelf: ChatShelf = {
    store,
    get: (id) => open.get(id),
    act(id, act) {
      const conversation = open.get(id);
      if (conversation === undefined) return;
      const changed = reduceConversation(conversation, act);
      if (changed !== conversation) put(changed);
      if (act.kind === "turn-removed" || act.kind === "column-removed") {
        const kept = new Set(idsIn(changed));
        for (const known of idsIn(conversation)) if (!kept.has(known)) removed.add(known);
        void removeWires(accountId, id, (turnId) => !kept.has(turnId));
      }
    },
    async change(id, act) {
      if (!open.has(id)) {
        const conversation = await loadConversation(accountId, id);
        if (conversation !== undefined) open.set(id, conversation);
      }
      shelf.act(id, act);
    },
    start(asked, options) {
      const conversation = createConversation(asked, options);
      show(conversation);
      return conversation;
    },
    async open(id) {
      const conversation = await shelf.peek(id);
      if (conversation !== undefined) show(conversation);
    },
    peek: async (id) => open.get(id) ?? (await loadConversation(accountId, id)),
    async remove(id) {
      unsaved.delete(id);
      open.delete(id);
      const { heads = [], current } = store.getState();
      const { queue } = store.getState();
      store.setState({
        heads: heads.filter((head) => head.id !== id),
        queue: queue.filter(({ conversationId }) => conversationId !== id),
      });
      // The screen always shows one: after its own is gone, a new one that asks the same model.
      const asked = current?.id === id ? current.columns[0] : undefined;
      if (asked) shelf.start(asked);
      writing += 1;
      await removeConversation(accountId, id)
        .catch(() => {})
        .finally(() => {
          writing -= 1;
        });
    },
    bringIn(conversation) {
      store.setState({ current: conversation });
      put(conversation);
      show(conversation);
    },
    async restore(asked) {
      if (isRestored) return;
      isRestored = true;
      const heads = await loadHeads(accountId);
      // What was begun here or told by another tab meanwhile is newer than what was read.
      const newer = store.getState().heads ?? [];
      const others = heads.filter(({ id }) => !newer.some((head) => head.id === id));
      store.setState({ heads: [...newer, ...others].sort((a, b) => b.updatedAtMs - a.updatedAtMs) });
      if (store.getState().current !== undefined) return;
      const last = safeLocalStorage.getItem(lastKey);
      const wanted = heads.find(({ id }) => id === last);
      if (wanted !== undefined) await shelf.open(wanted.id);
      if (store.getState().current === undefined) shelf.start(asked());
    },
    flush,
    follow: () =>
      followTabs({
        accountId,
        isWriting: () => writing > 0,
        openIds: () =>
          [...open.values()].filter(({ id, isTemporary }) => !isTemporary && !unsaved.has(id) && !isRunning(id)),
        onNews(stored, newer) {
          for (const conversation of newer) open.set(conversation.id, conversation);
          const { heads = [], current } = store.getState();
          const mine = heads.filter(({ id, isTemporary }) => isTemporary || unsaved.has(id) || isRunning(id));
          const others = stored.filter(({ id }) => !mine.some((head) => head.id === id));
          const fresh = newer.find(({ id }) => id === current?.id);
          // Deleted in another tab, or with everything that this browser keeps: writing it again would bring it back.
          const isKnown = ({ id }: { id: string }) => [...mine, ...others].some((head) => head.id === id);
          const gone = writing > 0 ? [] : heads.filter((head) => !isKnown(head));
          for (const { id } of gone) open.delete(id);
          const asked = gone.some(({ id }) => id === current?.id) ? current?.columns[0] : undefined;
          store.setState({
            heads: [...mine, ...others].sort((a, b) => b.updatedAtMs - a.updatedAtMs),
            ...(fresh ? { current: fresh } : {}),
          });
          if (asked) shelf.start(asked);
        },
      }),
  };
  const isRunning = (conversationId: string) =>
    Object.values(store.getState().runs).some((run) => run.conversationId === conversationId);
  return shelf;
}
