import { createStore, type StoreApi } from "zustand/vanilla";
import { sameJson } from "#lib/read.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { onChange } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import type { AnswerRun } from "../answer.ts";
import { removeRequestLogs } from "../request-log.ts";
import {
  type Conversation,
  type ConversationAction,
  createConversation,
  isBlank,
  reduceConversation,
} from "./conversation.ts";
import { mergeConversation } from "./merge-conversation.ts";
import {
  type ConversationSummary,
  isSummaryKey,
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
  /** Opens a conversation. Resolves with false where there is none of this id. */
  open(id: string): Promise<boolean>;
  /** A conversation without opening it: from memory, else from the database. */
  load(id: string): Promise<Conversation | undefined>;
  remove(id: string): Promise<void>;
  /** Takes in a conversation from a file and opens it. */
  add(conversation: Conversation): void;
  /** Takes a conversation back that was deleted. It is not opened. */
  putBack(conversation: Conversation): void;
  /**
   * Reads the list and opens the conversation of the id, or without one that which was open last; starts a new one where
   * there is none. Resolves with false, and opens nothing, where there is none of the id.
   */
  restore(asked: () => EndpointModel, id?: string): Promise<boolean>;
  /** Writes down at once what is not saved yet. */
  flush(): void;
  /** Takes over what other tabs write, from now until the returned call. */
  followOtherTabs(): () => void;
}

const SAVE_AFTER_MS = 300;

const newestFirst = (summaries: readonly ConversationSummary[]) =>
  [...summaries].sort((a, b) => b.updatedAtMs - a.updatedAtMs);

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
  /** Each as it stood in the database when this tab last read or wrote it: what differs from it was changed since. */
  const stored = new Map<string, Conversation>();
  const lastKey = keyOfAccount(KEYS.lastConversation, accountId);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = 0;
  let saving = Promise.resolve();
  let reading: Promise<void> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const id of unsaved) {
      const conversation = open.get(id);
      unsaved.delete(id);
      if (conversation === undefined) continue;
      writing += 1;
      // One after the other: each has to know what the one before it wrote.
      saving = saving.then(() => save(conversation));
    }
  };
  const save = async (conversation: Conversation) => {
    const { id } = conversation;
    try {
      const saved = await saveConversation(accountId, conversation, stored.get(id));
      if (open.has(id) && saved.stored) stored.set(id, saved.stored);
      takeIn(id, saved.merged, conversation);
    } catch {
      // The next save tries it again; until then no other tab's list says that it is gone.
      if (open.has(id)) unsaved.add(id);
    } finally {
      writing -= 1;
    }
  };
  /** Shows what another tab wrote into a conversation in memory. It is in the database already. */
  const takeIn = (id: string, theirs: Conversation, base: Conversation | undefined) => {
    const mine = open.get(id);
    if (mine === undefined) return;
    const merged = mergeConversation({ mine, theirs, base });
    if (merged === mine) return;
    open.set(id, merged);
    if (store.getState().current?.id === id) store.setState({ current: merged });
  };
  const read = async (id: string) => {
    const conversation = await loadConversation(accountId, id);
    // What was opened or changed meanwhile is newer.
    const known = open.get(id);
    if (known || conversation === undefined) return known;
    stored.set(id, conversation);
    open.set(id, conversation);
    return conversation;
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
  const forget = (id: string) => {
    unsaved.delete(id);
    open.delete(id);
    stored.delete(id);
  };
  const isAnswering = (conversationId: string) =>
    Object.values(store.getState().runs).some((run) => run.conversationId === conversationId);
  /** What this tab itself is about to write, or never writes. */
  const isBusy = ({ id, isTemporary }: ConversationSummary) => isTemporary || unsaved.has(id) || isAnswering(id);
  /** Takes over what another tab wrote: the list, and those of the conversations in memory that were changed there. */
  const takeOver = async () => {
    const listed = await loadSummaries(accountId);
    const isChanged = (summary: ConversationSummary) => {
      const known = stored.get(summary.id);
      return open.has(summary.id) && !(known && sameJson(summary, summaryOf(known)));
    };
    const changed = listed.filter((summary) => isChanged(summary) && !isBusy(summary));
    const loaded = await Promise.all(changed.map(({ id }) => loadConversation(accountId, id)));
    for (const theirs of loaded) {
      if (theirs === undefined || !open.has(theirs.id)) continue;
      const base = stored.get(theirs.id);
      stored.set(theirs.id, theirs);
      takeIn(theirs.id, theirs, base);
    }
    const { summaries = [], current } = store.getState();
    const mine = summaries.filter(isBusy);
    const others = listed.filter(({ id }) => !mine.some((summary) => summary.id === id));
    // Deleted in another tab, or with everything that this browser stores: saving it again would restore it.
    const isKnown = ({ id }: { id: string }) => [...mine, ...others].some((summary) => summary.id === id);
    const gone = writing > 0 ? [] : summaries.filter((summary) => !isKnown(summary));
    for (const { id } of gone) forget(id);
    const asked = gone.some(({ id }) => id === current?.id) ? current?.columns[0] : undefined;
    store.setState({ summaries: newestFirst([...mine, ...others]) });
    if (asked) conversations.start(asked);
  };
  const readList = async () => {
    const listed = await loadSummaries(accountId);
    // What this tab began or another one wrote meanwhile is newer than what was read.
    const newer = store.getState().summaries ?? [];
    const others = listed.filter(({ id }) => !newer.some((summary) => summary.id === id));
    store.setState({ summaries: newestFirst([...newer, ...others]) });
  };
  const conversations: ConversationStore = {
    store,
    get: (id) => open.get(id),
    dispatch(id, action) {
      const conversation = open.get(id);
      if (conversation === undefined) return;
      const changed = reduceConversation(conversation, action);
      if (changed !== conversation) put(changed);
      // A reload right after it must not show the names.
      if (action.kind === "blind-changed") flush();
      if (action.kind === "turn-removed" || action.kind === "column-removed") {
        const { columns } = changed;
        const remaining = new Set(columns.flatMap((one) => [one.id, ...one.thread.turns.map((turn) => turn.id)]));
        void removeRequestLogs(accountId, id, (turnId) => !remaining.has(turnId));
      }
    },
    async loadAndDispatch(id, action) {
      if (!open.has(id)) await read(id);
      conversations.dispatch(id, action);
    },
    start(asked, options) {
      const conversation = createConversation(asked, options);
      show(conversation);
      return conversation;
    },
    async open(id) {
      const conversation = open.get(id) ?? (await read(id).catch(() => undefined));
      if (conversation !== undefined) show(conversation);
      return conversation !== undefined;
    },
    load: async (id) => open.get(id) ?? (await loadConversation(accountId, id).catch(() => undefined)),
    async remove(id) {
      forget(id);
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
    putBack: put,
    async restore(asked, id) {
      reading ??= readList();
      await reading;
      if (id !== undefined) return conversations.open(id);
      if (store.getState().current !== undefined) return true;
      const last = readText(lastKey);
      const wanted = store.getState().summaries?.find((one) => one.id === last);
      if (wanted !== undefined) await conversations.open(wanted.id);
      if (store.getState().current === undefined) conversations.start(asked());
      return true;
    },
    flush,
    followOtherTabs: () =>
      onChange("chats", (keys) => {
        // What this tab writes itself is no news, and neither are request logs and pictures.
        const isNews = keys === "all" || keys.some((key) => isSummaryKey(accountId, key));
        if (isNews && writing === 0) void takeOver();
      }),
  };
  return conversations;
}
