import { create } from "zustand";
import { createStore } from "zustand/vanilla";
import { findKey } from "#connection/find-key.ts";
import { asList, asRecord, asTexts, isRecord, sameJson } from "#lib/read.ts";
import { readJson, readText, removeStored, writeJson, writeText } from "#storage/browser-store.ts";
import { onChange } from "#storage/changes.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import type { AnswerRun } from "../answer.ts";
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
  run: AnswerRun;
}

export interface ChatState {
  /** Undefined until they were read. */
  summaries: readonly ConversationSummary[] | undefined;
  current: Conversation | undefined;
  /** Answers that are coming, by their message's id. */
  runs: Readonly<Record<string, ActiveRun>>;
  queue: readonly QueuedMessage[];
  /** The message that had the focus last: the commands are for it, else for the newest. */
  chosenTurnId: string | undefined;
}

export type ConversationStore = ReturnType<typeof createConversationStore>;

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
      store.setState({ summaries: newestFirst([summarizeConversation(conversation), ...others]) });
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
      return open.has(summary.id) && !(known && sameJson(summary, summarizeConversation(known)));
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
    if (asked) start(asked);
  };
  const readList = async () => {
    const listed = await loadSummaries(accountId);
    // What this tab began or another one wrote meanwhile is newer than what was read.
    const newer = store.getState().summaries ?? [];
    const others = listed.filter(({ id }) => !newer.some((summary) => summary.id === id));
    store.setState({ summaries: newestFirst([...newer, ...others]) });
  };
  const dispatch = (id: string, action: ConversationAction) => {
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
  };
  const start = (asked: EndpointModel, options?: { isTemporary?: boolean }): Conversation => {
    const conversation = createConversation(asked, options);
    show(conversation);
    return conversation;
  };
  const openById = async (id: string): Promise<boolean> => {
    const conversation = open.get(id) ?? (await read(id).catch(() => undefined));
    if (conversation !== undefined) show(conversation);
    return conversation !== undefined;
  };
  return {
    store,
    get: (id: string): Conversation | undefined => open.get(id),
    /** One column of a conversation that is in memory. */
    column: (id: string, columnId: string): Column | undefined =>
      open.get(id)?.columns.find((column) => column.id === columnId),
    /** Changes a conversation that is in memory; another id changes nothing. */
    dispatch,
    /** Does what `dispatch` does, for a conversation that may have to be read first. */
    async loadAndDispatch(id: string, action: ConversationAction): Promise<void> {
      if (!open.has(id)) await read(id);
      dispatch(id, action);
    },
    start,
    /** Opens a conversation. Resolves with false where none has this id. */
    open: openById,
    /** A conversation without opening it: from memory, else from the database. */
    load: async (id: string): Promise<Conversation | undefined> =>
      open.get(id) ?? (await loadConversation(accountId, id).catch(() => undefined)),
    async remove(id: string): Promise<void> {
      forget(id);
      const { summaries = [], current, queue } = store.getState();
      store.setState({
        summaries: summaries.filter((summary) => summary.id !== id),
        queue: queue.filter(({ conversationId }) => conversationId !== id),
      });
      // The screen always shows one: after its own is gone, a new one that asks the same model.
      const asked = current?.id === id ? current.columns[0] : undefined;
      if (asked) start(asked);
      writing += 1;
      await removeConversation(accountId, id)
        .catch(() => {})
        .finally(() => {
          writing -= 1;
        });
    },
    /** Takes in a conversation from a file and opens it. */
    add(conversation: Conversation): void {
      store.setState({ current: conversation });
      put(conversation);
      show(conversation);
    },
    /** Takes a conversation back that was deleted. It is not opened. */
    putBack: put,
    /**
     * Reads the list and opens the conversation of the id, or without one that which was open last. Starts a new
     * one where that is not there any more, or none was open. Resolves with false, and opens nothing, where none has the id.
     */
    async restore(asked: () => EndpointModel, id?: string): Promise<boolean> {
      reading ??= readList();
      await reading;
      if (id !== undefined) return openById(id);
      if (store.getState().current !== undefined) return true;
      const last = readText(lastKey);
      const wanted = store.getState().summaries?.find((one) => one.id === last);
      if (wanted !== undefined) await openById(wanted.id);
      if (store.getState().current === undefined) start(asked());
      return true;
    },
    /** Writes down at once what is not saved yet. */
    flush,
    /** Takes over what other tabs write, from now until the returned call. */
    followOtherTabs: () =>
      onChange("chats", (keys) => {
        // What this tab writes itself is no news, and neither are request logs and pictures.
        const isNews = keys === "all" || keys.some((key) => isSummaryKey(accountId, key));
        if (isNews && writing === 0) void takeOver();
      }),
  };
}

/** A picture in the composer, and what was done to it, as a sentence. */
interface DraftPicture extends Picture {
  note?: string;
}

/**
 * What was written and not sent, by conversation. The texts are in session storage as well, so that a reload does not lose
 * them; the bytes of the pictures live as long as the page, so they do too. All of it goes when the key is forgotten.
 */
const useUnsent = create<{
  texts: Readonly<Record<string, string>>;
  pictures: Readonly<Record<string, readonly DraftPicture[]>>;
  /** Temporary conversations: their texts live as long as the page. */
  temporaryIds: readonly string[];
}>(() => ({ texts: readStoredDrafts(), pictures: {}, temporaryIds: [] }));

const NO_PICTURES: readonly DraftPicture[] = [];

/** The text in the composer. */
export function useDraft(conversationId: string): string {
  return useUnsent(({ texts }) => texts[conversationId] ?? "");
}

/** The pictures in the composer. */
export function useDraftPictures(conversationId: string): readonly DraftPicture[] {
  return useUnsent(({ pictures }) => pictures[conversationId] ?? NO_PICTURES);
}

export function changeDraftPictures(
  conversationId: string,
  change: (pictures: readonly DraftPicture[]) => readonly DraftPicture[],
): void {
  useUnsent.setState(({ pictures }) => ({
    pictures: { ...pictures, [conversationId]: change(pictures[conversationId] ?? NO_PICTURES) },
  }));
}

export function setDraft(conversationId: string, text: string, { isTemporary = false } = {}): void {
  const { texts, temporaryIds: before } = useUnsent.getState();
  const temporaryIds = isTemporary && !before.includes(conversationId) ? [...before, conversationId] : before;
  const { [conversationId]: _, ...others } = texts;
  const drafts = text === "" ? others : { ...others, [conversationId]: text };
  useUnsent.setState({ texts: drafts, temporaryIds });
  // A key that was typed into the composer must not be on the disk.
  const stored = Object.entries(drafts).filter(
    ([id, draft]) => !temporaryIds.includes(id) && findKey(draft)?.kind !== "own",
  );
  // Full or refused: the text lives as long as the page.
  writeJson(KEYS.messageDrafts, Object.fromEntries(stored));
}

/** Deletes the drafts of these conversations, or every draft: another connection must not read them. */
export function clearDrafts(conversationIds?: readonly string[]): void {
  const isOther = ([id]: [string, string]) => conversationIds?.includes(id) === false;
  useUnsent.setState(({ texts }) => ({
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

/** A message that was sent while its columns were still answering: it waits for them. */
export interface QueuedMessage {
  id: string;
  conversationId: string;
  columnIds: readonly string[];
  text: string;
  pictures: readonly Picture[];
  /** The answer before it was stopped or failed: it is sent only when the person sends it. */
  isHeld: boolean;
}

const keyOf = (accountId: string) => keyOfAccount(KEYS.messageQueue, accountId);

/** Stores the queue in session storage: no reload and no other screen loses it. It goes when the key is forgotten. */
export function storeQueue(accountId: string, queue: readonly QueuedMessage[]): void {
  if (queue.length === 0) removeStored(keyOf(accountId));
  // Full or refused: it waits as long as the page lives.
  else writeJson(keyOf(accountId), queue);
}

/** What waited when the page went away. It waits for a click: no answer is coming any more, and sending it would cost. */
function readStoredQueue(accountId: string): QueuedMessage[] {
  return asList(readJson(keyOf(accountId))).flatMap((raw) => readQueued(raw) ?? []);
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
