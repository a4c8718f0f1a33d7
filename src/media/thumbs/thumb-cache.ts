/*
 * Small pictures of files, and the bars of sounds, for lists: made once, stored per account in this browser, and in memory
 * while the page is open. The worker that makes them is a chunk of its own, loaded with the first picture.
 */

import { getConnection } from "#connection/connection-store.ts";
import { findKey } from "#connection/find-key.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { onWipe } from "#storage/changes.ts";
import { readThumb, removeFiles, type StoredThumb, writeThumbs } from "#storage/stored-files.ts";
import { getDeletedMedia, onDeletedMedia } from "../deleted-media.ts";
import { readMedia } from "../fetch-media.ts";
import { fileKey } from "../file-address.ts";
import { measure, noteFacts } from "../file-facts.ts";
import { MediaError } from "../media-failure.ts";
import type { DrawnThumb, ThumbAnswer, ThumbQuestion } from "./thumb-worker.ts";
import thumbWorker from "./thumb-worker.ts?worker&url";

/** Pictures in memory: more than any window shows at once. */
const MAX_IN_MEMORY = 400;
const WRITE_AFTER_MS = 400;

/** The `blob:` addresses of pictures in memory, by `nameOf`. The oldest are evicted. */
const inMemory = new Map<string, string>();
/** Files of which no small picture can be made, or whose storage the page may not read. */
const refused = new Set<string>();
/** Pictures, and uses of stored pictures, that are still to be written: by account and file. */
const unwritten = new Map<string, Map<string, StoredThumb>>();
const unwrittenUses = new Map<string, Set<string>>();
let writing: ReturnType<typeof setTimeout> | undefined;
let isListening = false;

const account = () => getConnection()?.accountId ?? "";
const nameOf = (accountId: string, file: string) => `${accountId}|${file}`;

/** The address of the picture of a file, where it is in memory already. */
export function thumbInMemory(url: string): string | undefined {
  const file = fileKey(url);
  return file === undefined ? undefined : inMemory.get(nameOf(account(), file));
}

/** Whether a small picture of the file may be looked for or made. */
export function mayKeepThumb(url: string): boolean {
  const file = fileKey(url);
  return file !== undefined && account() !== "" && canMakeSmall() && !refused.has(nameOf(account(), file));
}

/**
 * The address of the picture of a file, as this page or the browser has it; undefined where there is none. Never
 * rejects.
 */
export async function findThumb(url: string): Promise<string | undefined> {
  const file = fileKey(url);
  const accountId = account();
  if (file === undefined) return undefined;
  const known = inMemory.get(nameOf(accountId, file));
  if (known) return known;
  const stored = await readThumb(accountId, file).catch(() => undefined);
  // A row with an empty type has the bars of a sound.
  if (!stored || stored.type === "") return undefined;
  noteUse(accountId, file);
  noteFacts(url, stored.facts);
  return putInMemory(accountId, file, stored);
}

interface MakeOptions {
  signal: AbortSignal;
  /** Whether it is on the screen now: what is goes first. */
  isVisible: () => boolean;
}

/**
 * Reads a picture once, makes it small and keeps it, whatever its owner's screen does meanwhile.
 * @throws MediaError where the file cannot be read, or read and not drawn; the signal's reason where it was cancelled.
 */
export async function makeThumb(url: string, { signal, isVisible }: MakeOptions): Promise<string> {
  const file = fileKey(url);
  const accountId = account();
  const known = thumbInMemory(url);
  if (known) return known;
  if (file === undefined) throw new MediaError("unsafe");
  try {
    const drawn = await inTurn(async () => makeSmall(await readMedia(url, { kind: "media", signal, isVisible })), {
      signal,
      isVisible,
    });
    if (!drawn) throw new MediaError("broken");
    const { type, bytes, width, height } = drawn;
    return storeThumb(accountId, url, file, { type, bytes, facts: { width, height } });
  } catch (error) {
    if (!signal.aborted && error instanceof MediaError) refused.add(nameOf(accountId, file));
    throw error;
  }
}

/** Keeps the frame that a clip shows. Nothing where the browser does not let the page read it. Never rejects. */
export async function keepFrame(url: string, clip: HTMLVideoElement): Promise<void> {
  const file = fileKey(url);
  if (file === undefined || !mayKeepThumb(url) || thumbInMemory(url) || clip.videoWidth === 0) return;
  const accountId = account();
  const facts = measure(clip) ?? {};
  try {
    const drawn = await makeSmall(await createImageBitmap(clip));
    if (drawn) storeThumb(accountId, url, file, { type: drawn.type, bytes: drawn.bytes, facts });
  } catch {
    // The storage lets no page read its files. The clip then shows its own frame.
  }
}

/** The bars of a sound, each from 0 to 1, as they were stored; undefined where there are none. */
export async function findBars(url: string): Promise<number[] | undefined> {
  const file = fileKey(url);
  if (file === undefined) return undefined;
  const stored = await readThumb(account(), file).catch(() => undefined);
  if (stored?.type !== "") return undefined;
  noteUse(account(), file);
  return Array.from(new Uint8Array(stored.bytes), (level) => level / 255);
}

/** Keeps the bars of a sound. */
export function keepBars(url: string, bars: readonly number[]): void {
  const file = fileKey(url);
  if (file === undefined || account() === "") return;
  const bytes = Uint8Array.from(bars, (bar) => Math.round(Math.min(1, Math.max(0, bar)) * 255)).buffer;
  write(account(), file, { type: "", bytes, facts: {} });
}

function storeThumb(accountId: string, url: string, file: string, thumb: StoredThumb): string {
  noteFacts(url, thumb.facts);
  write(accountId, file, thumb);
  return putInMemory(accountId, file, thumb);
}

function putInMemory(accountId: string, file: string, { type, bytes }: StoredThumb): string {
  listen();
  const name = nameOf(accountId, file);
  const before = inMemory.get(name);
  if (before) return before;
  // One of these types, never what a storage claims, so that the blob cannot be opened as a page.
  const blob = new Blob([bytes], { type: /^image\/(webp|jpeg|png)$/.test(type) ? type : "image/webp" });
  const src = URL.createObjectURL(blob);
  inMemory.set(name, src);
  const [oldest] = inMemory.keys();
  if (inMemory.size > MAX_IN_MEMORY && oldest !== undefined) evict(oldest);
  return src;
}

function evict(name: string): void {
  const src = inMemory.get(name);
  inMemory.delete(name);
  if (src) URL.revokeObjectURL(src);
}

function noteUse(accountId: string, file: string): void {
  unwrittenUses.set(accountId, (unwrittenUses.get(accountId) ?? new Set()).add(file));
  writing ??= setTimeout(() => void writeAll(), WRITE_AFTER_MS * 10);
}

function write(accountId: string, file: string, thumb: StoredThumb): void {
  listen();
  // The name of a file is a part of its address: a key in it must not be on the disk.
  if (findKey(file)) return;
  unwritten.set(accountId, (unwritten.get(accountId) ?? new Map()).set(file, thumb));
  clearTimeout(writing);
  writing = setTimeout(() => void writeAll(), WRITE_AFTER_MS);
}

async function writeAll(): Promise<void> {
  writing = undefined;
  for (const accountId of new Set([...unwritten.keys(), ...unwrittenUses.keys()])) {
    const thumbs = unwritten.get(accountId) ?? new Map<string, StoredThumb>();
    const seen = unwrittenUses.get(accountId) ?? [];
    unwritten.delete(accountId);
    unwrittenUses.delete(accountId);
    // A picture of what was deleted meanwhile is not written.
    for (const file of getDeletedMedia(accountId).files.keys()) thumbs.delete(file);
    await writeThumbs(accountId, thumbs, seen, Date.now()).catch(() => undefined);
  }
}

/** Writes what waits to be written, such as before the page is left. */
function flushThumbs(): Promise<void> {
  clearTimeout(writing);
  return writeAll();
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  onWipe((accountId) => {
    unwritten.delete(accountId);
    unwrittenUses.delete(accountId);
    for (const name of [...inMemory.keys()]) if (name.startsWith(`${accountId}|`)) evict(name);
  });
  onDeletedMedia(() => {
    const accountId = account();
    const files = [...getDeletedMedia(accountId).files.keys()];
    const gone = files.filter((file) => inMemory.has(nameOf(accountId, file)) || unwritten.get(accountId)?.has(file));
    for (const file of gone) {
      evict(nameOf(accountId, file));
      unwritten.get(accountId)?.delete(file);
    }
    if (gone.length > 0) void removeFiles(accountId, gone).catch(() => undefined);
  });
  addEventListener("pagehide", () => void flushThumbs());
}

/** A picture that takes longer is shown as it is. */
const LONGEST_MS = 30_000;

interface ThumbWorker {
  worker: Worker;
  /** Called with the worker's answer, by the id of the question. */
  asked: Map<number, (thumb: DrawnThumb | undefined) => void>;
}

let startedWorker: ThumbWorker | undefined;
let isBroken = false;
let questions = 0;

/** Whether this browser can make small pictures at all. */
function canMakeSmall(): boolean {
  return !isBroken && typeof Worker !== "undefined" && typeof OffscreenCanvas !== "undefined";
}

/** Makes a picture small in the worker; undefined where it cannot be read, or not in time. Never rejects. */
export async function makeSmall(picture: Blob | ImageBitmap): Promise<DrawnThumb | undefined> {
  if (!canMakeSmall()) return undefined;
  try {
    startedWorker ??= startWorker();
  } catch {
    isBroken = true;
    return undefined;
  }
  const { worker, asked: waiting } = startedWorker;
  const question: ThumbQuestion = { id: questions++, picture };
  return new Promise((resolve) => {
    const timer = setTimeout(() => waiting.get(question.id)?.(undefined), LONGEST_MS);
    waiting.set(question.id, (thumb) => {
      clearTimeout(timer);
      waiting.delete(question.id);
      resolve(thumb);
    });
    worker.postMessage(question, picture instanceof Blob ? [] : [picture]);
  });
}

function startWorker(): ThumbWorker {
  const worker = new Worker(trustWorker(thumbWorker), { type: "module" });
  const waiting: ThumbWorker["asked"] = new Map();
  worker.onmessage = ({ data }: MessageEvent<ThumbAnswer>) => waiting.get(data.id)?.(data.thumb);
  // The file of the worker could not be loaded: without it the list shows the files themselves.
  worker.onerror = () => {
    isBroken = true;
    for (const give of [...waiting.values()]) give(undefined);
  };
  return { worker, asked: waiting };
}

interface Turn {
  isVisible: () => boolean;
  give: () => void;
}

/** More at once would only share the same bandwidth. */
const MAX_AT_ONCE = 6;

const waitingTurns: Turn[] = [];
let running = 0;

/**
 * Runs `work` when it has its turn, a few at a time: what is on the screen goes first, then who asked first.
 * @throws what `work` throws, or the signal's reason where it was cancelled while it waited.
 */
async function inTurn<T>(
  work: () => Promise<T>,
  { signal, isVisible }: { signal: AbortSignal; isVisible: () => boolean },
): Promise<T> {
  signal.throwIfAborted();
  if (running >= MAX_AT_ONCE) await waitForTurn(signal, isVisible);
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waitingTurns.find((one) => one.isVisible()) ?? waitingTurns[0];
    if (next) next.give();
    else running -= 1;
  }
}

function waitForTurn(signal: AbortSignal, isVisible: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waitingTurns.splice(waitingTurns.indexOf(one), 1);
      signal.removeEventListener("abort", stop);
    };
    const stop = () => {
      leave();
      reject(signal.reason);
    };
    const one: Turn = {
      isVisible,
      give: () => {
        leave();
        resolve();
      },
    };
    waitingTurns.push(one);
    signal.addEventListener("abort", stop, { once: true });
  });
}
