import { create } from "zustand";
import { createStore } from "zustand/vanilla";
import { findKey } from "#connection/find-key.ts";
import { asList, asRecord, asTexts, isRecord, sameJson } from "#lib/read.ts";
import { readJson, readText, removeStored, writeJson, writeText } from "#storage/browser-store.ts";
import { onChange } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import type { ResponseRun } from "../answer.ts";
import { removeRequestLogs } from "../request-log.ts";
import {
  type Column,
  type Conversation,
  type ConversationAction,
  createConversation,
  type EndpointModel,
  isBlank,
  reduceConversation,
} from "./conversation.ts";
import { type Picture, readPictures } from "./pictures.ts";
import {
  type ConversationSummary,
  isSummaryKey,
  loadConversation,
  loadSummaries,
  mergeConversation,
  removeConversation,
  saveConversation,
  summarizeConversation,
} from "./stored-conversations.ts";

interface ActiveRun {
  conversationId: string;
  columnId: string;
  run: ResponseRun;
}

export interface ChatState {
  /** The list of conversations, latest first. Undefined until it was read. */
  summaries: readonly ConversationSummary[] | undefined;
  current: Conversation | undefined;
  /** Responses that are coming, by their message's id. */
  runs: Readonly<Record<string, ActiveRun>>;
  queue: readonly QueuedMessage[];
  /** The message that had the focus last. Commands act on it, or on the latest where there is none. */
  chosenTurnId: string | undefined;
}

export type ConversationStore = ReturnType<typeof createConversationStore>;

/** Changes within this time are saved together. */
const SAVE_AFTER_MS = 300;

const newestFirst = (summaries: readonly ConversationSummary[]) =>
  [...summaries].sort((a, b) => b.updatedAtMs - a.updatedAtMs);

/** The conversations of one connection: those in memory, and their copies in the database. */
export function createConversationStore(accountId: string) {
  const store = createStore<ChatState>(() => ({
    summaries: undefined,
    current: undefined,
    runs: {},
    queue: readStoredQueue(accountId),
    chosenTurnId: undefined,
  }));
  /** Every conversation that was opened, changed or started since the page was loaded. */
  const inMemory = new Map<string, Conversation>();
  store.subscribe(({ queue }, previous) => {
    if (queue === previous.queue) return;
    storeQueue(
      accountId,
      queue.filter(({ conversationId }) => !inMemory.get(conversationId)?.isTemporary),
    );
  });
  const unsaved = new Set<string>();
  /** Each conversation as this tab last read it from the database or wrote it there: the base of a merge. */
  const stored = new Map<string, Conversation>();
  const lastKey = keyOfAccount(KEYS.lastConversation, accountId);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pendingWrites = 0;
  let lastSave = Promise.resolve();
  let listRead: Promise<void> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const id of unsaved) {
      const conversation = inMemory.get(id);
      unsaved.delete(id);
      if (conversation === undefined) continue;
      pendingWrites += 1;
      // One after the other: a save merges with what the save before it wrote.
      lastSave = lastSave.then(() => save(conversation));
    }
  };
  const save = async (conversation: Conversation) => {
    const { id } = conversation;
    try {
      const saved = await saveConversation(accountId, conversation, stored.get(id));
      if (inMemory.has(id) && saved.stored) stored.set(id, saved.stored);
      mergeIntoMemory(id, saved.merged, conversation);
    } catch {
      // The next save tries again. Until then `followDatabase` must not take the conversation for deleted.
      if (inMemory.has(id)) unsaved.add(id);
    } finally {
      pendingWrites -= 1;
    }
  };
  /** Merges what another tab wrote into a conversation in memory, and shows it. It is in the database already. */
  const mergeIntoMemory = (id: string, theirs: Conversation, base: Conversation | undefined) => {
    const mine = inMemory.get(id);
    if (mine === undefined) return;
    const merged = mergeConversation({ mine, theirs, base });
    if (merged === mine) return;
    inMemory.set(id, merged);
    if (store.getState().current?.id === id) store.setState({ current: merged });
  };
  const read = async (id: string) => {
    const conversation = await loadConversation(accountId, id);
    // A conversation that was opened or changed during the read is newer.
    const known = inMemory.get(id);
    if (known || conversation === undefined) return known;
    stored.set(id, conversation);
    inMemory.set(id, conversation);
    return conversation;
  };
  const put = (conversation: Conversation) => {
    inMemory.set(conversation.id, conversation);
    const { summaries = [], current } = store.getState();
    const isListed = summaries.some(({ id }) => id === conversation.id);
    if (isListed || !isBlank(conversation)) {
      if (!conversation.isTemporary) {
        unsaved.add(conversation.id);
        timer ??= setTimeout(flush, SAVE_AFTER_MS);
      }
      const others = summaries.filter(({ id }) => id !== conversation.id);
      store.setState({ summaries: newestFirst([summarizeConversation(conversation), ...others]) });
    }
    if (current?.id === conversation.id) store.setState({ current: conversation });
  };
  const show = (conversation: Conversation) => {
    inMemory.set(conversation.id, conversation);
    if (!conversation.isTemporary) writeText(lastKey, conversation.id);
    store.setState({ current: conversation });
  };
  const forget = (id: string) => {
    unsaved.delete(id);
    inMemory.delete(id);
    stored.delete(id);
  };
  const isResponding = (conversationId: string) =>
    Object.values(store.getState().runs).some((run) => run.conversationId === conversationId);
  /** Whether this tab's version counts: it is about to be written, or is never written. */
  const isOwnVersion = ({ id, isTemporary }: ConversationSummary) => isTemporary || unsaved.has(id) || isResponding(id);
  /** Reads what other tabs wrote: the list, and the conversations in memory that were changed there. */
  const followDatabase = async () => {
    const listed = await loadSummaries(accountId);
    const isChanged = (summary: ConversationSummary) => {
      const known = stored.get(summary.id);
      return inMemory.has(summary.id) && !(known && sameJson(summary, summarizeConversation(known)));
    };
    const changed = listed.filter((summary) => isChanged(summary) && !isOwnVersion(summary));
    const loaded = await Promise.all(changed.map(({ id }) => loadConversation(accountId, id)));
    for (const theirs of loaded) {
      if (theirs === undefined || !inMemory.has(theirs.id)) continue;
      const base = stored.get(theirs.id);
      stored.set(theirs.id, theirs);
      mergeIntoMemory(theirs.id, theirs, base);
    }
    const { summaries = [], current } = store.getState();
    const mine = summaries.filter(isOwnVersion);
    const others = listed.filter(({ id }) => !mine.some((summary) => summary.id === id));
    // What is missing was deleted, in another tab or with all local data. Saving it again would restore it.
    const isKnown = ({ id }: { id: string }) => [...mine, ...others].some((summary) => summary.id === id);
    const gone = pendingWrites > 0 ? [] : summaries.filter((summary) => !isKnown(summary));
    for (const { id } of gone) forget(id);
    const asked = gone.some(({ id }) => id === current?.id) ? current?.columns[0] : undefined;
    store.setState({ summaries: newestFirst([...mine, ...others]) });
    if (asked) start(asked);
  };
  const readList = async () => {
    const listed = await loadSummaries(accountId);
    // A conversation that this tab began, or another one wrote, during the read is newer.
    const newer = store.getState().summaries ?? [];
    const others = listed.filter(({ id }) => !newer.some((summary) => summary.id === id));
    store.setState({ summaries: newestFirst([...newer, ...others]) });
  };
  const dispatch = (id: string, action: ConversationAction) => {
    const conversation = inMemory.get(id);
    if (conversation === undefined) return;
    const changed = reduceConversation(conversation, action);
    if (changed !== conversation) put(changed);
    // Saved at once: a reload right after the change must not show the names.
    if (action.kind === "blind-changed") flush();
    if (action.kind === "turn-removed" || action.kind === "column-removed") {
      const { columns } = changed;
      const remaining = new Set(
        columns.flatMap((column) => [column.id, ...column.thread.turns.map((turn) => turn.id)]),
      );
      void removeRequestLogs(accountId, id, (turnId) => !remaining.has(turnId));
    }
  };
  const start = (asked: EndpointModel, options?: { isTemporary?: boolean }): Conversation => {
    const conversation = createConversation(asked, options);
    show(conversation);
    return conversation;
  };
  const openById = async (id: string): Promise<boolean> => {
    const conversation = inMemory.get(id) ?? (await read(id).catch(() => undefined));
    if (conversation !== undefined) show(conversation);
    return conversation !== undefined;
  };
  return {
    store,
    get: (id: string): Conversation | undefined => inMemory.get(id),
    /** One column of a conversation that is in memory. */
    column: (id: string, columnId: string): Column | undefined =>
      inMemory.get(id)?.columns.find((column) => column.id === columnId),
    /** Changes a conversation that is in memory; another id changes nothing. */
    dispatch,
    /** Changes a conversation that may have to be read from the database first. */
    async loadAndDispatch(id: string, action: ConversationAction): Promise<void> {
      if (!inMemory.has(id)) await read(id);
      dispatch(id, action);
    },
    start,
    /** Opens a conversation. Resolves with false where none has this id. */
    open: openById,
    /** A conversation without opening it: from memory, else from the database. */
    load: async (id: string): Promise<Conversation | undefined> =>
      inMemory.get(id) ?? (await loadConversation(accountId, id).catch(() => undefined)),
    async remove(id: string): Promise<void> {
      forget(id);
      const { summaries = [], current, queue } = store.getState();
      store.setState({
        summaries: summaries.filter((summary) => summary.id !== id),
        queue: queue.filter(({ conversationId }) => conversationId !== id),
      });
      // The screen always shows a conversation: in place of the removed one, a new one that asks the same model.
      const asked = current?.id === id ? current.columns[0] : undefined;
      if (asked) start(asked);
      pendingWrites += 1;
      await removeConversation(accountId, id)
        .catch(() => {})
        .finally(() => {
          pendingWrites -= 1;
        });
    },
    /** Adds a conversation from a file and opens it. */
    add(conversation: Conversation): void {
      store.setState({ current: conversation });
      put(conversation);
      show(conversation);
    },
    /** Restores a deleted conversation without opening it. */
    putBack: put,
    /**
     * Reads the list and opens a conversation. With an id: that one; resolves with false, and opens nothing, where
     * there is none. Without an id: the one that was open last, or a new one that asks `asked()`.
     */
    async restore(asked: () => EndpointModel, id?: string): Promise<boolean> {
      listRead ??= readList();
      await listRead;
      if (id !== undefined) return openById(id);
      if (store.getState().current !== undefined) return true;
      const last = readText(lastKey);
      const wanted = store.getState().summaries?.find((summary) => summary.id === last);
      if (wanted !== undefined) await openById(wanted.id);
      if (store.getState().current === undefined) start(asked());
      return true;
    },
    /** Saves at once what is not saved yet. */
    flush,
    /** Shows what other tabs write. Returns the way to stop. */
    followOtherTabs: () =>
      onChange("chats", (keys) => {
        // Not for this tab's own writes, and not for request logs and pictures.
        const isNews = keys === "all" || keys.some((key) => isSummaryKey(accountId, key));
        if (isNews && pendingWrites === 0) void followDatabase();
      }),
  };
}

/** A picture in the composer, and what was done to it, as a sentence. */
interface DraftPicture extends Picture {
  note?: string;
}

/**
 * Unsent texts and pictures, by conversation. The texts are in session storage as well, so that a reload does not lose
 * them. The pictures are lost with the page, as their bytes are. All are deleted when the key is forgotten.
 */
const useDraftStore = create<{
  texts: Readonly<Record<string, string>>;
  pictures: Readonly<Record<string, readonly DraftPicture[]>>;
  /** Temporary conversations. Their texts are not stored. */
  temporaryIds: readonly string[];
}>(() => ({ texts: readStoredDrafts(), pictures: {}, temporaryIds: [] }));

const NO_PICTURES: readonly DraftPicture[] = [];

/** The text in the composer. */
export function useDraft(conversationId: string): string {
  return useDraftStore(({ texts }) => texts[conversationId] ?? "");
}

/** The pictures in the composer. */
export function useDraftPictures(conversationId: string): readonly DraftPicture[] {
  return useDraftStore(({ pictures }) => pictures[conversationId] ?? NO_PICTURES);
}

export function changeDraftPictures(
  conversationId: string,
  change: (pictures: readonly DraftPicture[]) => readonly DraftPicture[],
): void {
  useDraftStore.setState(({ pictures }) => ({
    pictures: { ...pictures, [conversationId]: change(pictures[conversationId] ?? NO_PICTURES) },
  }));
}

export function setDraft(conversationId: string, text: string, { isTemporary = false } = {}): void {
  const { texts, temporaryIds: knownIds } = useDraftStore.getState();
  const temporaryIds = isTemporary && !knownIds.includes(conversationId) ? [...knownIds, conversationId] : knownIds;
  const { [conversationId]: _, ...others } = texts;
  const drafts = text === "" ? others : { ...others, [conversationId]: text };
  useDraftStore.setState({ texts: drafts, temporaryIds });
  // A key that was typed into the composer must not be on the disk.
  const stored = Object.entries(drafts).filter(
    ([id, draft]) => !temporaryIds.includes(id) && findKey(draft)?.kind !== "own",
  );
  // Where the storage is full or refuses, a reload loses the text.
  writeJson(KEYS.messageDrafts, Object.fromEntries(stored));
}

/** Deletes the drafts of these conversations, or every draft: another connection must not read them. */
export function clearDrafts(conversationIds?: readonly string[]): void {
  const isOther = ([id]: [string, string]) => conversationIds?.includes(id) === false;
  useDraftStore.setState(({ texts }) => ({
    texts: Object.fromEntries(Object.entries(texts).filter(isOther)),
    pictures: {},
  }));
  const stored = Object.entries(readStoredDrafts()).filter(isOther);
  if (stored.length > 0) writeJson(KEYS.messageDrafts, Object.fromEntries(stored));
  else removeStored(KEYS.messageDrafts);
}

function readStoredDrafts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(asRecord(readJson(KEYS.messageDrafts))).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** A message that waits until its columns have responded to the one before it. */
export interface QueuedMessage {
  id: string;
  conversationId: string;
  columnIds: readonly string[];
  text: string;
  pictures: readonly Picture[];
  /** The response before it was stopped or failed, so it waits for a click. */
  isHeld: boolean;
}

const queueKey = (accountId: string) => keyOfAccount(KEYS.messageQueue, accountId);

/** Stores the queue in session storage, so that a reload does not lose it. Deleted when the key is forgotten. */
export function storeQueue(accountId: string, queue: readonly QueuedMessage[]): void {
  if (queue.length === 0) removeStored(queueKey(accountId));
  // Where the storage is full or refuses, a reload loses the queue.
  else writeJson(queueKey(accountId), queue);
}

/** The queue of the page before the reload. Each message waits for a click, because sending it would cost. */
function readStoredQueue(accountId: string): QueuedMessage[] {
  return asList(readJson(queueKey(accountId))).flatMap((raw) => readQueued(raw) ?? []);
}

function readQueued(raw: unknown): QueuedMessage | undefined {
  if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.text !== "string") return undefined;
  if (typeof raw.conversationId !== "string" || !Array.isArray(raw.columnIds)) return undefined;
  const { id, conversationId, text } = raw;
  return {
    id,
    conversationId,
    columnIds: asTexts(raw.columnIds),
    text,
    pictures: readPictures(raw.pictures),
    isHeld: true,
  };
}
