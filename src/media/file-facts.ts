import { NoAnswerError } from "#api/api-error.ts";
import type { MediaKind } from "#api/types.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { afterSilence } from "#lib/delay.ts";
import { fetchMedia, SILENCE_MS } from "./fetch-media.ts";
import { fileKey } from "./file-address.ts";
import { fileKind, inputKind } from "./file-kind.ts";
import { MediaError } from "./media-failure.ts";
import { readStart } from "./storage-answer.ts";

/** What a stored file is by its first bytes, whatever its address, its record and its storage call it. */
export interface FileFacts {
  /** How it is shown. Pictures that most browsers cannot show are pictures all the same. */
  kind: MediaKind;
  /** "PNG picture", "PDF document"; undefined where the bytes match nothing. */
  label: string | undefined;
  /** The ending of its name; `bin` for what is unknown, and for pages, which must not run from the disk either. */
  extension: string;
  mimeType: string;
  /** Of the whole file, where the storage tells it. */
  bytes?: number;
  /** The beginning of a text. */
  text?: string;
}

/** As many bytes as are read of a file to know what it is. */
export const FACTS_BYTES = 1024;
const UNKNOWN = "application/octet-stream";
const KIND_WORDS: Record<MediaKind, string> = { image: "picture", video: "clip", audio: "sound", other: "file" };

/** What a file is by its first kilobyte. Never throws. */
export function readFacts(start: Uint8Array): FileFacts {
  const found = fileKind(start);
  if (found) {
    const { extension, mimeType } = found;
    const kind = inputKind(found);
    return { kind, extension, mimeType, label: `${extension.toUpperCase()} ${KIND_WORDS[kind]}` };
  }
  const other = (extension: string, label: string | undefined) =>
    ({ kind: "other", extension, mimeType: UNKNOWN, label }) as const;
  const head = String.fromCharCode(...start.subarray(0, 5));
  if (head === "%PDF-") return other("pdf", "PDF document");
  if (head.startsWith("glTF")) return other("glb", "3D model (GLB)");
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06")) return other("zip", "Zip archive");
  const text = textOf(start);
  if (text === undefined) return other("bin", undefined);
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

/** The bytes as a text, or undefined where they are none. The last character may be cut. */
function textOf(start: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(start);
  const isCut = start.length === FACTS_BYTES ? text.replace(/\ufffd+$/, "") : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text holds.
  return text === "" || /[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(isCut) ? undefined : isCut;
}

/** What is known of files that were looked at since the page was opened; the oldest go. */
const MOST_KNOWN = 1000;
const known = new Map<string, FileFacts>();
const asking = new Map<string, Promise<FileFacts>>();
const listeners = new Set<() => void>();

const nameOf = (url: string) => fileKey(url) ?? url;

/** What is known of a file; undefined before it was looked at. Never throws. */
export function knownFacts(url: string): FileFacts | undefined {
  return known.get(nameOf(url));
}

/** Forgets what is known of a file, so that it is looked at again. */
export function forgetFacts(url: string): void {
  if (known.delete(nameOf(url))) tell();
}

/** Calls back whenever more is known. Returns the way to stop. */
export function onFacts(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/**
 * Looks at the first kilobyte of a file, once for all who ask, and remembers what it is. `isAnew` looks again, in the
 * turn of the element that could not show it.
 * @throws MediaError, also for a file of no bytes, or the signal's reason where it was cancelled.
 */
export async function askFacts(url: string, signal?: AbortSignal, isAnew = false): Promise<FileFacts> {
  const name = nameOf(url);
  const before = isAnew ? undefined : known.get(name);
  if (before) return before;
  const question = asking.get(name) ?? look(url, isAnew).finally(() => asking.delete(name));
  asking.set(name, question);
  const facts = await question;
  signal?.throwIfAborted();
  known.delete(name);
  known.set(name, facts);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  tell();
  return facts;
}

function tell(): void {
  for (const listener of listeners) listener();
}

async function look(url: string, hasTurn: boolean): Promise<FileFacts> {
  const end = hasTurn ? undefined : await openTransfer("media");
  const over = new AbortController();
  let stopTimer = () => {};
  try {
    const response = await fetchMedia(url, over.signal, FACTS_BYTES).catch((error) => {
      // A storage that gives no parts.
      if (error instanceof MediaError && error.status === 416 && error.failure === "failed") {
        return fetchMedia(url, over.signal);
      }
      throw error;
    });
    const bytes = sizeOf(response);
    stopTimer = afterSilence(SILENCE_MS, () => over.abort());
    const start = await readStart(response, FACTS_BYTES).catch((cause) => {
      throw new MediaError("failed", response.status, {
        cause: new NoAnswerError({ cause, timedOut: over.signal.aborted }),
      });
    });
    if (start.length === 0) throw new MediaError("empty", response.status);
    return { ...readFacts(start), ...(bytes === undefined ? {} : { bytes }) };
  } finally {
    stopTimer();
    over.abort();
    end?.();
  }
}

/** Of the whole file: behind the slash of a part's place, or the length of a whole answer. */
function sizeOf({ status, headers }: Response): number | undefined {
  const place = /\/(\d{1,15})$/.exec(headers.get("content-range") ?? "")?.[1];
  const length = status === 206 ? place : headers.get("content-length");
  return length && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
