import { isRecord, type JsonRecord } from "#lib/json.ts";
import { inlineMedia } from "./inline-media.ts";
import { kindOfUrl, kindOfWord } from "./media-kind.ts";
import type { MediaItem } from "./types.ts";

const MOST_ITEMS = 200;
const DEEPEST = 8;
const THUMBNAIL_KEY = /thumb|poster|cover|preview/i;

interface Found {
  url: string;
  key: string;
  record: JsonRecord;
}

/**
 * Every generated file that an outcome names. Spec 2 shows `media_urls[]` with id, type and url; real outcomes also hold
 * bare strings, `video_url`, `audio_url`, `image_url`, `url`, and whole files inline as base64. `media_urls` come first,
 * each address once. A success without any file is legal.
 */
export function readMedia(outcome: unknown): MediaItem[] {
  const found: Found[] = [];
  if (isRecord(outcome)) {
    collect(outcome.media_urls, "media_urls", outcome, found, 0);
    for (const key of ["video_url", "image_url", "audio_url", "url"]) collect(outcome[key], key, outcome, found, 0);
  }
  collect(outcome, "", {}, found, 0);
  const unique = found.filter((item, index) => found.findIndex((other) => other.url === item.url) === index);
  const thumbnails = unique.filter((item) => THUMBNAIL_KEY.test(item.key));
  const files = unique.filter((item) => !thumbnails.includes(item));
  const shown = files.length > 0 ? files : thumbnails;
  const poster = thumbnails.find((item) => kindOfUrl(item.url) !== "video")?.url;
  return shown.slice(0, MOST_ITEMS).map((item, index) => toMediaItem(item, index, poster));
}

function collect(value: unknown, key: string, parent: JsonRecord, found: Found[], depth: number): void {
  if (depth > DEEPEST || found.length > MOST_ITEMS * 2) return;
  if (typeof value === "string") {
    if (isFileAddress(value)) found.push({ url: value, key, record: parent });
  } else if (Array.isArray(value)) {
    for (const entry of value) collect(entry, key, {}, found, depth + 1);
  } else if (isRecord(value)) {
    const inline = inlineMedia(value);
    if (inline !== undefined) found.push({ url: inline, key, record: value });
    for (const [name, entry] of Object.entries(value)) collect(entry, name, value, found, depth + 1);
  }
}

/** Whole addresses only. A prompt that mentions a link has spaces around it, and `javascript:` is no file. */
function isFileAddress(text: string): boolean {
  if (/^data:(image|video|audio)\/(?!svg)[a-z0-9.+-]+;base64,/i.test(text)) return true;
  return /^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text);
}

function toMediaItem({ url, key, record }: Found, index: number, poster: string | undefined): MediaItem {
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
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(kind === "video" && poster !== undefined ? { posterUrl: poster } : {}),
  };
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 && value <= 100_000 ? value : undefined;
}
