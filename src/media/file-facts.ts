import { queryOptions } from "@tanstack/react-query";
import { useMemo } from "react";
import { createStore, useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { NoAnswerError } from "#api/api-error.ts";
import type { FileFacts, MediaKind } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { findKey } from "#connection/find-key.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { afterSilence } from "#lib/delay.ts";
import { sameJson } from "#lib/read.ts";
import { onWipe } from "#storage/changes.ts";
import { readFileFacts, readStoredFacts, writeFacts } from "#storage/stored-files.ts";
import { getDeletedMedia } from "./deleted-media.ts";
import { fetchMedia, SILENCE_MS } from "./fetch-media.ts";
import { fileKey } from "./file-address.ts";
import { fileKind, inputKind } from "./file-kind.ts";
import { MediaError } from "./media-failure.ts";
import { readStart } from "./storage-answer.ts";

/** As many bytes as are read of a file to know what it is. */
export const FACTS_BYTES = 1024;
const UNKNOWN = "application/octet-stream";
const KIND_WORDS: Record<MediaKind, string> = { image: "image", video: "video", audio: "audio", other: "file" };

/** What the first bytes of a file always show. */
type FactsOfBytes = FileFacts & Required<Pick<FileFacts, "kind" | "extension" | "mimeType">>;

/**
 * What a file is by its first kilobyte, whatever its address, its record and its storage call it. Pictures that most
 * browsers cannot show are pictures all the same. Without a `label` the bytes match nothing.
 */
export function readFacts(start: Uint8Array): FactsOfBytes {
  const found = fileKind(start);
  if (found) {
    const { extension, mimeType } = found;
    const kind = inputKind(found);
    return { kind, extension, mimeType, label: `${extension.toUpperCase()} ${KIND_WORDS[kind]}` };
  }
  const other = (extension: string, label?: string): FactsOfBytes => ({
    kind: "other",
    extension,
    mimeType: UNKNOWN,
    ...(label === undefined ? {} : { label }),
  });
  const head = String.fromCharCode(...start.subarray(0, 5));
  if (head === "%PDF-") return other("pdf", "PDF document");
  if (head.startsWith("glTF")) return other("glb", "3D model (GLB)");
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06")) return other("zip", "Zip archive");
  const text = textOf(start);
  if (text === undefined) return other("bin");
  const begin = text.trimStart().slice(0, 600).toLowerCase();
  if (/^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*(<!doctype svg[^>]*>\s*)?<svg[\s/>]/.test(begin)) {
    return other("svg", "SVG drawing");
  }
  if (/^(<!--[\s\S]*?-->|\s)*<(!doctype html|html|head|body|script|iframe|meta|title|h1|div|p)[\s/>]/.test(begin)) {
    return other("bin", "Web page");
  }
  if (/^[{[]/.test(begin)) {
    return /"asset"\s*:\s*\{[^}]*"version"/.test(begin)
      ? other("gltf", "3D model (glTF)")
      : { ...other("json", "JSON"), text };
  }
  return { ...other("txt", "Text"), text };
}

/** Whether a page came where a file was expected. */
export function isPage({ label }: FileFacts): boolean {
  return label === "Web page";
}

/**
 * The bytes as a text; undefined where they are not text. A last character that the end of the bytes cuts is left out.
 */
function textOf(start: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(start);
  const wholeCharacters = start.length === FACTS_BYTES ? text.replace(/\ufffd+$/, "") : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text holds.
  return text === "" || /[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(wholeCharacters) ? undefined : wholeCharacters;
}

/** Higher than the storage limit per account, so that loading the stored facts evicts nothing. */
const MAX_KNOWN = 10_000;

/**
 * What is known of files since the page was opened, and what an earlier page stored of them, by their key. The map is
 * changed in place: a copy of thousands for each picture that loads takes milliseconds (3.5 ms of 10,000, measured).
 * Whoever subscribes selects the facts of a file, which are replaced and never changed.
 */
const factsStore = createStore<{ files: Map<string, FileFacts> }>(() => ({ files: new Map() }));
const asking = new Map<string, Promise<FileFacts>>();

/** Learned files that are not stored yet, by account. */
const unwritten = new Map<string, Map<string, FileFacts>>();
let isWriting = false;
const WRITE_AFTER_MS = 1000;

/** What a file is known by: its address without what changes between two reads of it, else the whole address. */
const factsKey = (url: string) => fileKey(url) ?? url;

/** What is known of a file; undefined where nothing is. */
export function knownFacts(url: string): FileFacts | undefined {
  return factsStore.getState().files.get(factsKey(url));
}

/** The same, live. */
export function useFileFacts(url: string): FileFacts | undefined {
  const name = useMemo(() => factsKey(url), [url]);
  return useStore(factsStore, ({ files }) => files.get(name));
}

/** What is known of some files, in their order, live. */
export function useFilesFacts(urls: readonly string[]): readonly (FileFacts | undefined)[] {
  return useStore(
    factsStore,
    useShallow(({ files }) => urls.map((url) => files.get(factsKey(url)))),
  );
}

/**
 * Adds what was learned of a file. Its shape and its length are stored with the account, for the next page.
 */
export function noteFacts(url: string, facts: FileFacts): void {
  const { files } = factsStore.getState();
  const name = factsKey(url);
  const known = files.get(name) ?? {};
  const next = { ...known, ...facts };
  if (sameJson(known, next)) return;
  files.delete(name);
  files.set(name, next);
  trimAndNotify(files);
  const isNews = !sameJson(shapeOf(known), shapeOf(next));
  if (isNews && name === fileKey(url)) store(name, shapeOf(next));
}

/** What is stored of a file. */
function shapeOf({ width, height, durationSeconds }: FileFacts): FileFacts {
  return readFileFacts({ width, height, durationSeconds });
}

function store(file: string, facts: FileFacts): void {
  const accountId = getConnection()?.accountId;
  // An input's address is whatever somebody typed: a key in it must not be on the disk.
  if (accountId === undefined || findKey(file)) return;
  unwritten.set(accountId, (unwritten.get(accountId) ?? new Map()).set(file, facts));
  if (!isWriting) setTimeout(() => void writeAll(), WRITE_AFTER_MS);
  isWriting = true;
}

async function writeAll(): Promise<void> {
  isWriting = false;
  for (const accountId of [...unwritten.keys()]) {
    const files = unwritten.get(accountId) ?? new Map<string, FileFacts>();
    unwritten.delete(accountId);
    for (const file of getDeletedMedia(accountId).files.keys()) files.delete(file);
    // Without room on the disk they live as long as the page.
    await writeFacts(accountId, files).catch(() => undefined);
  }
}

/** Evicts the oldest facts above `MAX_KNOWN`, then tells those who subscribe. */
function trimAndNotify(files: Map<string, FileFacts>): void {
  for (const oldest of files.keys()) {
    if (files.size <= MAX_KNOWN) break;
    files.delete(oldest);
  }
  factsStore.setState({});
}

/** Notes what an element that has loaded a file shows. Elements that report nothing are left out. */
export function noteLoaded(url: string, element: EventTarget): void {
  const measured = measure(element);
  if (measured !== undefined) noteFacts(url, { ...measured, isLoaded: true });
}

/** The pixels and the length of what an element has loaded; undefined where it reports nothing. */
export function measure(element: EventTarget): FileFacts | undefined {
  if (element instanceof HTMLImageElement) return pixels(element.naturalWidth, element.naturalHeight);
  if (!(element instanceof HTMLMediaElement)) return undefined;
  const sides = element instanceof HTMLVideoElement ? pixels(element.videoWidth, element.videoHeight) : undefined;
  // A stream without a known length reports an infinite one.
  const seconds = Number.isFinite(element.duration) && element.duration > 0 ? element.duration : undefined;
  if (!sides && seconds === undefined) return undefined;
  return { ...sides, ...(seconds === undefined ? {} : { durationSeconds: seconds }) };
}

function pixels(width: number, height: number): FileFacts | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Forgets what the bytes of a file showed and that it was loaded, so that it is looked at again. Its shape stays. */
export function forgetFacts(url: string): void {
  const { files } = factsStore.getState();
  const name = factsKey(url);
  const known = files.get(name);
  if (!known) return;
  files.set(name, shapeOf(known));
  trimAndNotify(files);
}

/**
 * Reads what earlier pages stored of the files of an account, once; `data` is true once that is done, also where
 * nothing could be read.
 */
export function storedFactsQuery(accountId: string) {
  return queryOptions({
    queryKey: ["stored-facts", accountId],
    queryFn: async () => {
      const stored = await readStoredFacts(accountId).catch(() => new Map<string, FileFacts>());
      const { files } = factsStore.getState();
      // What was learned meanwhile is newer.
      for (const [name, facts] of stored) files.set(name, { ...facts, ...files.get(name) });
      trimAndNotify(files);
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

// The key of a file does not name an account: what is in memory goes in the tabs that are connected to it.
onWipe((accountId) => {
  unwritten.delete(accountId);
  if (getConnection()?.accountId === accountId) factsStore.setState({ files: new Map() });
});

/**
 * Looks at the first kilobyte of a file, once for all who ask, and remembers what it is. `isAnew`: ignores what is
 * known; the caller already holds a transfer slot. `signal` only rejects this caller: the look goes on for the others.
 * @throws MediaError, also for a file of no bytes, or the signal's reason where it was cancelled.
 */
export async function askFacts(url: string, signal?: AbortSignal, isAnew = false): Promise<FileFacts> {
  const name = factsKey(url);
  const before = isAnew ? undefined : knownFacts(url);
  if (before?.kind) return before;
  const question = asking.get(name) ?? look(url, isAnew).finally(() => asking.delete(name));
  asking.set(name, question);
  const facts = await question;
  signal?.throwIfAborted();
  // What it was before says nothing of what it is now.
  if (isAnew) forgetFacts(url);
  noteFacts(url, facts);
  return facts;
}

async function look(url: string, hasTransfer: boolean): Promise<FileFacts> {
  const releaseTransfer = hasTransfer ? undefined : await openTransfer("media");
  const abortController = new AbortController();
  let stopTimer = () => {};
  try {
    const response = await fetchMedia(url, abortController.signal, FACTS_BYTES).catch((error) => {
      // This storage refuses range requests: ask for the whole file.
      if (error instanceof MediaError && error.status === 416 && error.failure === "failed") {
        return fetchMedia(url, abortController.signal);
      }
      throw error;
    });
    const bytes = sizeOf(response);
    stopTimer = afterSilence(SILENCE_MS, () => abortController.abort());
    const start = await readStart(response, FACTS_BYTES).catch((cause) => {
      throw new MediaError("failed", response.status, {
        cause: new NoAnswerError({ cause, timedOut: abortController.signal.aborted }),
      });
    });
    if (start.length === 0) throw new MediaError("empty", response.status);
    return { ...readFacts(start), ...(bytes === undefined ? {} : { bytes }) };
  } finally {
    stopTimer();
    // Stops the rest of the download.
    abortController.abort();
    releaseTransfer?.();
  }
}

/** The length of the whole file: the total after the slash of Content-Range, or the length of a whole answer. */
function sizeOf({ status, headers }: Response): number | undefined {
  const place = /\/(\d{1,15})$/.exec(headers.get("content-range") ?? "")?.[1];
  const length = status === 206 ? place : headers.get("content-length");
  return length && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
