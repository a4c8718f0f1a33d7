import { isRecord, type JsonRecord } from "#lib/read.ts";
import type { MediaItem, MediaKind } from "./types.ts";

const MOST_ITEMS = 200;
const DEEPEST = 8;
const THUMBNAIL_KEY = /thumb|poster|cover|preview/i;

interface Found {
  /** It stands where no file of an outcome stands, such as in an error or an echoed input. */
  isElsewhere: boolean;
  url: string;
  key: string;
  record: JsonRecord;
}

/**
 * Every generated file that an outcome names. Spec 2 shows `media_urls[]` with id, type and url; real outcomes also hold
 * bare strings, `video_url`, `audio_url`, `image_url`, `url`, and whole files inline as base64. `media_urls` come first,
 * each address once, 200 at most. Never throws: a success without any file is legal.
 */
export function readMedia(outcome: unknown): MediaItem[] {
  const found: Found[] = [];
  if (isRecord(outcome)) {
    collect(outcome.media_urls, "media_urls", outcome, found);
    for (const key of ["video_url", "image_url", "audio_url", "url"]) collect(outcome[key], key, outcome, found);
  }
  collect(outcome, "", {}, found);
  const unique = found.filter((item, index) => found.findIndex((other) => other.url === item.url) === index);
  const thumbnails = unique.filter((item) => THUMBNAIL_KEY.test(item.key));
  const files = unique.filter((item) => !thumbnails.includes(item));
  const shown = files.length > 0 ? files : thumbnails;
  const poster = thumbnails.find((item) => kindOfUrl(item.url) !== "video")?.url;
  return shown.slice(0, MOST_ITEMS).map((item, index) => toMediaItem(item, index, poster));
}

/** Names under which an outcome repeats what it was given, or speaks: an address there is no result. */
const NO_RESULT = /input|payload|request|prompt|param|error|message|reason|detail|\blogs?\b|source|webhook|callback/i;

function collect(
  value: unknown,
  key: string,
  parent: JsonRecord,
  found: Found[],
  depth = 0,
  isOutside = NO_RESULT.test(key),
): void {
  if (depth > DEEPEST || found.length > MOST_ITEMS * 2) return;
  if (typeof value === "string") {
    if (isFileAddress(value)) found.push({ url: value, key, record: parent, isElsewhere: isOutside });
  } else if (Array.isArray(value)) {
    for (const entry of value) collect(entry, key, {}, found, depth + 1, isOutside);
  } else if (isRecord(value)) {
    const inline = inlineMedia(value);
    if (inline !== undefined) found.push({ url: inline, key, record: value, isElsewhere: false });
    for (const [name, entry] of Object.entries(value)) {
      collect(entry, name, value, found, depth + 1, isOutside || NO_RESULT.test(name));
    }
  }
}

/** Whole addresses only. A prompt that mentions a link has spaces around it, and `javascript:` is no file. */
function isFileAddress(text: string): boolean {
  if (/^data:(image|video|audio)\/(?!svg)[a-z0-9.+-]+;base64,/i.test(text)) return true;
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}

function toMediaItem({ url, key, record, isElsewhere }: Found, index: number, poster: string | undefined): MediaItem {
  const inlineType = /^data:([^;,]+)/i.exec(url)?.[1];
  const kind =
    kindOfWord(record.type) ?? kindOfWord(inlineType) ?? kindOfUrl(url) ?? kindOfWord(key) ?? kindOfWord(record.format);
  const id = record.id;
  const width = sizeOf(record.width);
  const height = sizeOf(record.height);
  return {
    id: typeof id === "string" || typeof id === "number" ? String(id) : String(index),
    kind: kind ?? "other",
    url,
    ...(isElsewhere ? { isElsewhere } : {}),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(kind === "video" && poster !== undefined ? { posterUrl: poster } : {}),
  };
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 && value <= 100_000 ? value : undefined;
}

const MEDIA_TYPE = /^(image|video|audio)\/[a-z0-9.+-]+$/i;
const BASE64_START = /^[A-Za-z0-9+/_-]{16,}/;

/**
 * The data: address of a file that a record carries inline (`mimeType` and `data`, or `mime_type` and `data`), or
 * undefined. Nothing is decoded here: the browser does it when the file is shown. SVG is refused because it can hold
 * script.
 */
function inlineMedia(record: JsonRecord): string | undefined {
  const type = record.mimeType ?? record.mime_type;
  const data = record.data;
  if (typeof type !== "string" || typeof data !== "string") return undefined;
  if (!MEDIA_TYPE.test(type) || /svg/i.test(type) || !BASE64_START.test(data)) return undefined;
  return `data:${type.toLowerCase()};base64,${data.includes("-") || data.includes("_") ? plainBase64(data) : data}`;
}

function plainBase64(data: string): string {
  return data.replaceAll("-", "+").replaceAll("_", "/");
}

const KIND_OF_EXTENSION: Record<string, MediaKind> = {
  png: "image",
  jpg: "image",
  jpeg: "image",
  webp: "image",
  gif: "image",
  avif: "image",
  mp4: "video",
  webm: "video",
  mov: "video",
  m4v: "video",
  mp3: "audio",
  wav: "audio",
  flac: "audio",
  ogg: "audio",
  m4a: "audio",
  aac: "audio",
  opus: "audio",
  pcm: "audio",
};

/** The kind in a word such as `image`, `video/mp4` or `audio_url`, or undefined where it names none. */
function kindOfWord(word: unknown): MediaKind | undefined {
  if (typeof word !== "string") return undefined;
  const lower = word.toLowerCase();
  if (/image|photo|picture/.test(lower)) return "image";
  if (/video/.test(lower)) return "video";
  if (/audio|music|speech|sound/.test(lower)) return "audio";
  return KIND_OF_EXTENSION[lower];
}

/** The kind that a URL's file extension means, or undefined. Never throws. */
export function kindOfUrl(url: string): MediaKind | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const extension = /\.([a-z0-9]{2,5})$/i.exec(path)?.[1];
  return extension === undefined ? undefined : KIND_OF_EXTENSION[extension.toLowerCase()];
}
