import { create } from "zustand";
import { findKey } from "#connection/find-key.ts";
import { asList, asRecord, asTexts, isRecord } from "#lib/read.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";
import { type Picture, readPictures } from "./pictures.ts";

// What was written and not sent: drafts, and messages that wait for an answer to end. Both live in session storage, so
// that neither a reload nor another screen loses them, and both go when the key is forgotten.

/** The text in the composer, by conversation. */
const useDrafts = create<Readonly<Record<string, string>>>(readStoredDrafts);

export function useDraft(conversationId: string): string {
  return useDrafts((drafts) => drafts[conversationId] ?? "");
}

/** A picture in the composer, and what was done to it, as a sentence. */
export interface DraftPicture extends Picture {
  note?: string;
}

/** The pictures in the composer, by conversation. Their bytes live as long as the page, so they do too. */
const useDraftPicturesStore = create<Readonly<Record<string, readonly DraftPicture[]>>>(() => ({}));
const NO_PICTURES: readonly DraftPicture[] = [];

export function useDraftPictures(conversationId: string): readonly DraftPicture[] {
  return useDraftPicturesStore((all) => all[conversationId] ?? NO_PICTURES);
}

export function changeDraftPictures(
  conversationId: string,
  change: (pictures: readonly DraftPicture[]) => readonly DraftPicture[],
): void {
  useDraftPicturesStore.setState((all) => ({ [conversationId]: change(all[conversationId] ?? NO_PICTURES) }));
}

/** Temporary conversations: their drafts live as long as the page. */
const temporary = new Set<string>();

export function setDraft(conversationId: string, text: string, { isTemporary = false } = {}): void {
  if (isTemporary) temporary.add(conversationId);
  const { [conversationId]: _, ...others } = useDrafts.getState();
  const drafts = text === "" ? others : { ...others, [conversationId]: text };
  useDrafts.setState(drafts, true);
  // A key that was typed into the composer must not be on the disk.
  const stored = Object.entries(drafts).filter(([id, draft]) => !temporary.has(id) && findKey(draft)?.kind !== "own");
  // Full or refused: the text lives as long as the page.
  writeJson(KEYS.messageDrafts, Object.fromEntries(stored));
}

/** Deletes the drafts of these conversations, or every draft: another connection must not read them. */
export function clearDrafts(conversationIds?: readonly string[]): void {
  const drafts = Object.entries(useDrafts.getState());
  useDraftPicturesStore.setState({}, true);
  useDrafts.setState(Object.fromEntries(drafts.filter(([id]) => conversationIds?.includes(id) === false)), true);
  const stored = Object.entries(readStoredDrafts()).filter(([id]) => conversationIds?.includes(id) === false);
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

export function storeQueue(accountId: string, queue: readonly QueuedMessage[]): void {
  if (queue.length === 0) removeStored(keyOf(accountId));
  // Full or refused: it waits as long as the page lives.
  else writeJson(keyOf(accountId), queue);
}

/** What waited when the page went away. It waits for a click: no answer is coming any more, and sending it would cost. */
export function readStoredQueue(accountId: string): QueuedMessage[] {
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
