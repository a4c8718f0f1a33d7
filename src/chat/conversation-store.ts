import { createStore, type StoreApi } from "zustand/vanilla";
import { readText, writeText } from "#storage/browser-store.ts";
import { onChange } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import type { AnswerRun } from "./answer-runner.ts";
import {
  type Conversation,
  type ConversationAction,
  createConversation,
  isBlank,
  reduceConversation,
} from "./conversation.ts";
import { mergeConversation } from "./merge-conversation.ts";
import { removeRequestLogs } from "./request-log.ts";
import {
  type ConversationSummary,
  loadConversation,
  loadSummaries,
  removeConversation,
  saveConversation,
  summaryOf,
} from "./stored-conversations.ts";
import type { EndpointModel } from "./thread.ts";
import { type QueuedMessage, readStoredQueue, storeQueue } from "./unsent-messages.ts";

interface ActiveRun {
  conversationId: string;
  columnId: string;
  turnId: string;
  run: AnswerRun;
}

export interface ChatState {
  /** Undefined until they were read. */
  summaries: readonly ConversationSummary[] | undefined;
  current: Conversation | undefined;
  /** Answers that are coming, by their message's id. */
  runs: Readonly<Record<string, ActiveRun>>;
  queue: readonly QueuedMessage[];
}

export interface ConversationStore {
  store: StoreApi<ChatState>;
  get(conversationId: string): Conversation | undefined;
  /** Changes a conversation that is in memory; another id changes nothing. */
  dispatch(conversationId: string, action: ConversationAction): void;
  /** As `dispatch`, for a conversation that may have to be read first. */
  loadAndDispatch(conversationId: string, action: ConversationAction): Promise<void>;
  start(asked: EndpointModel, options?: { isTemporary?: boolean }): Conversation;
  open(id: string): Promise<void>;
  /** A conversation without opening it: from memory, else from the database. */
  load(id: string): Promise<Conversation | undefined>;
  remove(id: string): Promise<void>;
  /** Takes in a conversation from a file and opens it. */
  add(conversation: Conversation): void;
  /** Reads the list and opens the conversation that was open last; starts a new one where there is none. */
  restore(asked: () => EndpointModel): Promise<void>;
  /** Writes down at once what is not saved yet. */
  flush(): void;
  /** Takes over what other tabs write, from now until the returned call. */
  followOtherTabs(): () => void;
}

const SAVE_AFTER_MS = 300;

const newestFirst = (summaries: readonly ConversationSummary[]) =>
  [...summaries].sort((a, b) => b.updatedAtMs - a.updatedAtMs);

const idsIn = ({ columns }: Conversation): string[] =>
  columns.flatMap((column) => [column.id, ...column.thread.turns.map((turn) => turn.id)]);

/** The conversations of one connection: those in memory, and their copies in the database. */
export function createConversationStore(accountId: string): ConversationStore {
  const store = createStore<ChatState>(() => ({
    summaries: undefined,
    current: undefined,
    runs: {},
    queue: readStoredQueue(accountId),
  }));
  /** Every conversation that was opened, changed or started since the page was loaded. */
  const open = new Map<string, Conversation>();
  store.subscribe(({ queue }, before) => {
    if (queue === before.queue) return;
    storeQueue(
      accountId,
      queue.filter(({ conversationId }) => !open.get(conversationId)?.isTemporary),
    );
  });
  const unsaved = new Set<string>();
  /** Ids of messages and columns that were removed here: another tab that still has them does not restore them. */
  const removed = new Set<string>();
  const lastKey = keyOfAccount(KEYS.lastConversation, accountId);
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
        .then(mergeSaved)
        .finally(() => {
          writing -= 1;
        });
    }
    unsaved.clear();
  };
  /** Shows what another tab wrote into a conversation while this one saved it: both are in the database already. */
  const mergeSaved = (saved: Conversation) => {
    const mine = open.get(saved.id);
    const merged = mine && mergeConversation(mine, saved, removed);
    if (merged === undefined || merged === mine) return;
    open.set(merged.id, merged);
    if (store.getState().current?.id === merged.id) store.setState({ current: merged });
  };
  const put = (conversation: Conversation) => {
    open.set(conversation.id, conversation);
    const { summaries = [], current } = store.getState();
    const isListed = summaries.some(({ id }) => id === conversation.id);
    if (isListed || !isBlank(conversation)) {
      if (!conversation.isTemporary) {
        unsaved.add(conversation.id);
        timer ??= setTimeout(flush, SAVE_AFTER_MS);
      }
      const others = summaries.filter(({ id }) => id !== conversation.id);
      store.setState({ summaries: newestFirst([summaryOf(conversation), ...others]) });
    }
    if (current?.id === conversation.id) store.setState({ current: conversation });
  };
  const show = (conversation: Conversation) => {
    open.set(conversation.id, conversation);
    if (!conversation.isTemporary) writeText(lastKey, conversation.id);
    store.setState({ current: conversation });
  };
  const isAnswering = (conversationId: string) =>
    Object.values(store.getState().runs).some((run) => run.conversationId === conversationId);
  /** Takes over what another tab wrote: the list, and those of the conversations in memory that are newer there. */
  const takeOver = async () => {
    const stored = await loadSummaries(accountId);
    const isNewer = ({ id, updatedAtMs }: Conversation) =>
      stored.some((summary) => summary.id === id && summary.updatedAtMs > updatedAtMs);
    const isIdle = ({ id, isTemporary }: Conversation) => !isTemporary && !unsaved.has(id) && !isAnswering(id);
    const loaded = await Promise.all(
      [...open.values()]
        .filter((conversation) => isIdle(conversation) && isNewer(conversation))
        .map(({ id }) => loadConversation(accountId, id)),
    );
    const newer = loaded.filter((conversation) => conversation !== undefined);
    for (const conversation of newer) open.set(conversation.id, conversation);
    const { summaries = [], current } = store.getState();
    const mine = summaries.filter(({ id, isTemporary }) => isTemporary || unsaved.has(id) || isAnswering(id));
    const others = stored.filter(({ id }) => !mine.some((summary) => summary.id === id));
    const fresh = newer.find(({ id }) => id === current?.id);
    // Deleted in another tab, or with everything that this browser stores: saving it again would restore it.
    const isKnown = ({ id }: { id: string }) => [...mine, ...others].some((summary) => summary.id === id);
    const gone = writing > 0 ? [] : summaries.filter((summary) => !isKnown(summary));
    for (const { id } of gone) open.delete(id);
    const asked = gone.some(({ id }) => id === current?.id) ? current?.columns[0] : undefined;
    store.setState({ summaries: newestFirst([...mine, ...others]), ...(fresh ? { current: fresh } : {}) });
    if (asked) conversations.start(asked);
  };
  const conversations: ConversationStore = {
    store,
    get: (id) => open.get(id),
    dispatch(id, action) {
      const conversation = open.get(id);
      if (conversation === undefined) return;
      const changed = reduceConversation(conversation, action);
      if (changed !== conversation) put(changed);
      if (action.kind === "turn-removed" || action.kind === "column-removed") {
        const remaining = new Set(idsIn(changed));
        for (const known of idsIn(conversation)) if (!remaining.has(known)) removed.add(known);
        void removeRequestLogs(accountId, id, (turnId) => !remaining.has(turnId));
      }
    },
    async loadAndDispatch(id, action) {
      if (!open.has(id)) {
        const conversation = await loadConversation(accountId, id);
        if (conversation !== undefined) open.set(id, conversation);
      }
      conversations.dispatch(id, action);
    },
    start(asked, options) {
      const conversation = createConversation(asked, options);
      show(conversation);
      return conversation;
    },
    async open(id) {
      const conversation = await conversations.load(id);
      if (conversation !== undefined) show(conversation);
    },
    load: async (id) => open.get(id) ?? (await loadConversation(accountId, id)),
    async remove(id) {
      unsaved.delete(id);
      open.delete(id);
      const { summaries = [], current, queue } = store.getState();
      store.setState({
        summaries: summaries.filter((summary) => summary.id !== id),
        queue: queue.filter(({ conversationId }) => conversationId !== id),
      });
      // The screen always shows one: after its own is gone, a new one that asks the same model.
      const asked = current?.id === id ? current.columns[0] : undefined;
      if (asked) conversations.start(asked);
      writing += 1;
      await removeConversation(accountId, id)
        .catch(() => {})
        .finally(() => {
          writing -= 1;
        });
    },
    add(conversation) {
      store.setState({ current: conversation });
      put(conversation);
      show(conversation);
    },
    async restore(asked) {
      if (isRestored) return;
      isRestored = true;
      const stored = await loadSummaries(accountId);
      // What this tab began or another one wrote meanwhile is newer than what was read.
      const newer = store.getState().summaries ?? [];
      const others = stored.filter(({ id }) => !newer.some((summary) => summary.id === id));
      store.setState({ summaries: newestFirst([...newer, ...others]) });
      if (store.getState().current !== undefined) return;
      const last = readText(lastKey);
      const wanted = stored.find(({ id }) => id === last);
      if (wanted !== undefined) await conversations.open(wanted.id);
      if (store.getState().current === undefined) conversations.start(asked());
    },
    flush,
    followOtherTabs: () =>
      onChange("chats", () => {
        // What this tab writes itself is no news.
        if (writing === 0) void takeOver();
      }),
  };
  return conversations;
}
