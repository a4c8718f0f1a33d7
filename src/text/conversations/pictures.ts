import { asNumber, asText, isRecord, type JsonRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { type RowKind, readAll, readOne, saveOne } from "#storage/typed-rows.ts";

/** A picture in a question, without its bytes. These have a row of their own, so that a conversation stays small. */
export interface Picture {
  id: string;
  /** For the person; never sent. */
  name: string;
  mimeType: string;
  /** A public address (https) that is sent instead of bytes. */
  url?: string;
  /** The size of the file in bytes. */
  bytes?: number;
  width?: number;
  height?: number;
}

/** The MIME types that the three text formats accept. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/** Pictures in one question. No format is sure to accept more. */
export const MAX_PICTURES = 10;

/**
 * Base64 of the pictures that this page attached, received or read, by id. Not in a store, because a component reads
 * them only once. If there are many, the oldest of those that can be read again (`isStored`) are dropped.
 */
const inMemory = new Map<string, { base64: string; isStored: boolean }>();
const MAX_IN_MEMORY = 40;

function trimMemory(): void {
  for (const [id, { isStored }] of inMemory) {
    if (inMemory.size <= MAX_IN_MEMORY) return;
    if (isStored) inMemory.delete(id);
  }
}

interface StoredBytes {
  id: string;
  base64: string;
  updatedAtMs: number;
}

const byteRows: RowKind<StoredBytes> = {
  store: "chats",
  version: 1,
  read: (body) => {
    const { id, base64, updatedAtMs } = isRecord(body) ? body : ({} as JsonRecord);
    if (typeof id !== "string" || typeof base64 !== "string" || !/^[\w+/=]*$/.test(base64.slice(0, 1000))) return;
    return { id, base64, updatedAtMs: asNumber(updatedAtMs) ?? 0 };
  },
};

// A scope for each conversation, so that deleting one does not read the pictures of all.
const pictureScope = (accountId: string, conversationId: string) => `${accountId}|pictures|${conversationId}`;
const pictureKey = (accountId: string, conversationId: string, id: string) =>
  `${pictureScope(accountId, conversationId)}|${id}`;

/** Adds a picture's bytes to memory, where they stay as long as the page unless they are stored. */
export function holdPicture(id: string, base64: string): void {
  inMemory.set(id, { base64, isStored: false });
}

/** Drops every picture in memory: another connection must not see them. */
export function clearPictures(): void {
  inMemory.clear();
}

/** The Base64 of a picture in memory; undefined for one that has to be read first. */
export function pictureInMemory(id: string): string | undefined {
  return inMemory.get(id)?.base64;
}

/** Stores those of these pictures that are in memory. One that cannot be stored is lost with the page. */
export async function storePictures(accountId: string, conversationId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const picture = inMemory.get(id);
    if (picture === undefined) continue;
    const body = { id, base64: picture.base64, updatedAtMs: Date.now() };
    const saved = saveOne(
      byteRows,
      pictureScope(accountId, conversationId),
      pictureKey(accountId, conversationId, id),
      body,
    );
    await saved.then(
      () => {
        picture.isStored = true;
      },
      () => {},
    );
  }
  trimMemory();
}

/** Reads pictures into memory and returns their Base64 by id. A picture that cannot be read is left out. */
export async function loadPictures(
  accountId: string,
  conversationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const id of ids) {
    const base64 = pictureInMemory(id) ?? (await read(accountId, conversationId, id));
    if (base64 === undefined) continue;
    if (!inMemory.has(id)) inMemory.set(id, { base64, isStored: true });
    found.set(id, base64);
  }
  trimMemory();
  return found;
}

async function read(accountId: string, conversationId: string, id: string): Promise<string | undefined> {
  const rows = await openRows();
  return (await readOne(rows, byteRows, pictureKey(accountId, conversationId, id)).catch(() => undefined))?.base64;
}

/** Deletes the pictures of a conversation, or only those for which `isGone` is true. */
export async function removePictures(
  accountId: string,
  conversationId: string,
  isGone: (id: string) => boolean = () => true,
): Promise<void> {
  const rows = await openRows();
  const stored = await readAll(rows, byteRows, pictureScope(accountId, conversationId)).catch(() => []);
  const gone = stored.map(({ id }) => id).filter(isGone);
  const [first] = gone;
  for (const id of gone) inMemory.delete(id);
  if (first === undefined) return;
  const changes = gone.map((id) => ({
    kind: "remove" as const,
    store: "chats" as const,
    key: pictureKey(accountId, conversationId, id),
    // Also a row of a newer version of the studio: its conversation is deleted.
    evenNewer: true as const,
  }));
  const key = pictureKey(accountId, conversationId, first);
  await rows.edit({ store: "chats", key }, () => ({ changes, result: undefined })).catch(() => {});
}

/** Pictures from the database or from a file, read as untrusted data. */
export function readPictures(raw: unknown): Picture[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_PICTURES).flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.id !== "string" || item.id === "") return [];
    const mimeType = PICTURE_TYPES.find((type) => type === item.mimeType);
    if (mimeType === undefined) return [];
    const url = asText(item.url);
    const counts = (["bytes", "width", "height"] as const).flatMap((name) => {
      const count = asNumber(item[name]);
      return count === undefined || count < 0 ? [] : [[name, count]];
    });
    const picture = { id: item.id, name: (asText(item.name) ?? "").slice(0, 200), mimeType };
    return [{ ...picture, ...Object.fromEntries(counts), ...(url && isPublicAddress(url) ? { url } : {}) }];
  });
}

/** Whether a service can fetch an address: https, a host name, and none of a local network. */
export function isPublicAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username } = new URL(url);
  return (
    protocol === "https:" && username === "" && hostname.includes(".") && !/^[\d.]+$|\.(local|internal)$/.test(hostname)
  );
}

/** Estimated tokens of a picture: one for 750 pixels, from 80 to 1600. An unknown size counts as 1024 × 1024. */
export function pictureTokens({ width = 1024, height = 1024 }: Picture): number {
  return Math.min(1600, Math.max(80, Math.ceil((width * height) / 750)));
}
