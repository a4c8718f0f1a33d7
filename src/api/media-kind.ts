import { readSignature } from "#lib/file-signature.ts";
import { asLooseNumber, isRecord, type JsonRecord, ownString } from "#lib/read.ts";
import type { MediaKind } from "./types.ts";

const KIND_OF_EXTENSION: Record<string, MediaKind> = Object.fromEntries([
  ...["png", "jpg", "jpeg", "jfif", "webp", "gif", "avif", "bmp"].map((extension) => [extension, "image"]),
  ...["mp4", "webm", "mov", "m4v", "mkv", "ogv"].map((extension) => [extension, "video"]),
  ...["mp3", "wav", "flac", "ogg", "oga", "m4a", "aac", "opus", "pcm"].map((extension) => [extension, "audio"]),
  ...["pdf", "glb", "gltf", "obj", "stl", "usdz", "ply", "zip", "json", "txt", "srt", "vtt", "csv", "svg", "html"].map(
    (extension) => [extension, "other"],
  ),
]);

const KIND_OF_WORD: Readonly<Record<string, MediaKind>> = {
  image: "image",
  photo: "image",
  picture: "image",
  video: "video",
  movie: "video",
  audio: "audio",
  clip: "video",
  still: "image",
  track: "audio",
  music: "audio",
  speech: "audio",
  sound: "audio",
  voice: "audio",
};

/**
 * The kind in a word such as `image`, `video/mp4` or `audio_url`, or undefined where it names none. Of several the last
 * counts, as in `image_to_video`.
 */
function kindOfWord(word: unknown): MediaKind | undefined {
  if (typeof word !== "string" || word.length > 200) return undefined;
  const lower = word.toLowerCase();
  const named = lower.match(/image|photo|picture|video|movie|audio|music|speech|sound|voice/g)?.at(-1);
  if (named !== undefined) return KIND_OF_WORD[named];
  if (Object.hasOwn(KIND_OF_WORD, lower)) return KIND_OF_WORD[lower];
  const extension = lower.replace(/^\./, "");
  return Object.hasOwn(KIND_OF_EXTENSION, extension) ? KIND_OF_EXTENSION[extension] : undefined;
}

/** The kind that a URL's file extension means, or undefined. */
export function kindOfUrl(url: string): MediaKind | undefined {
  return kindOfName(url.split(/[?#]/, 1)[0] ?? "");
}

function kindOfName(name: string): MediaKind | undefined {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(name.slice(-20))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(KIND_OF_EXTENSION, extension) ? KIND_OF_EXTENSION[extension] : undefined;
}

/** A name or format in the query, as storages write it: `?filename=fox.png`, `?response-content-disposition=…`. */
function kindOfQuery(url: string): MediaKind | undefined {
  const [, query = ""] = url.split(/[?#]/, 2);
  if (query === "" || query.length > 4000) return undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (/^(file_?name|name|file|rscd|response-content-disposition)$/i.test(name)) {
      const found = kindOfName(value.replace(/["';\s]+$/, ""));
      if (found) return found;
    }
    if (/^(format|fm|ext|rsct|response-content-type)$/i.test(name)) {
      const found = kindOfWord(value);
      if (found) return found;
    }
  }
  return undefined;
}

const TYPE_KEYS = [
  "type",
  "content_type",
  "contentType",
  "content-type",
  "mime_type",
  "mimeType",
  "mime",
  "media_type",
  "mediaType",
  "kind",
];
const NAME_KEYS = ["file_name", "fileName", "filename", "name", "title"];

/**
 * The kind of a file by what is said of it: its type, its name, its address, the keys that lead to it (outermost first),
 * its format. `other` where nothing says it; then the first bytes of the file decide.
 */
export function saidKind(url: string, keys: readonly string[], record: JsonRecord): MediaKind {
  const inlineType = /^data:([^;,]+)/i.exec(url.slice(0, 100))?.[1];
  const found =
    TYPE_KEYS.map((key) => kindOfWord(record[key])).find((kind) => kind !== undefined) ??
    kindOfWord(inlineType) ??
    kindOfName(ownString(record, ...NAME_KEYS) ?? "") ??
    kindOfUrl(url) ??
    (inlineType === undefined ? kindOfQuery(url) : undefined) ??
    keys.map(kindOfWord).findLast((kind) => kind !== undefined) ??
    [record.format, record.extension, record.ext].map(kindOfWord).find((kind) => kind !== undefined);
  return found ?? "other";
}

const MEDIA_TYPE = /^(image|video|audio)\/(?!svg)[a-z0-9.+-]+$/i;
/** Keys that say by their name that a text is a file. */
const INLINE_KEY = /b(ase)?64|^data$|bytes|content$|binary/i;
/** A text under another key is one only where it has the size of a file. */
const SHORTEST_UNNAMED = 200;
/** The digits of Base64 for the 64 bytes that a signature needs. */
const SIGNATURE_DIGITS = 88;

/**
 * The data: address of a file that stands in the answer itself, or undefined: a data: address, or base64 under a key or
 * beside a type that says so. The bytes say of which kind it is; else the type beside it does. SVG and pages are refused,
 * because they can hold script. Nothing but the beginning is decoded.
 */
export function inlineMedia(text: string, key: string, record: JsonRecord): string | undefined {
  const parts = /^data:([^,;]{0,100})[^,]{0,200};base64,/i.exec(text.slice(0, 400));
  const declared = (parts?.[1] ?? typeBeside(record))?.toLowerCase();
  const digits = parts ? text.slice(parts[0].length) : text;
  const start = /^[A-Za-z0-9+/_-]{16,}={0,2}/.exec(digits.slice(0, SIGNATURE_DIGITS))?.[0];
  if (start === undefined) return parts && declared && MEDIA_TYPE.test(declared) ? text : undefined;
  const isFile = parts !== null || declared !== undefined || INLINE_KEY.test(key) || digits.length >= SHORTEST_UNNAMED;
  const type = isFile ? (bytesType(start) ?? (parts || INLINE_KEY.test(key) ? declared : undefined)) : undefined;
  return type !== undefined && MEDIA_TYPE.test(type) ? `data:${type};base64,${plainBase64(digits)}` : undefined;
}

function typeBeside(record: JsonRecord): string | undefined {
  return ownString(record, "mimeType", "mime_type", "contentType", "content_type", "media_type", "mediaType");
}

function bytesType(start: string): string | undefined {
  const whole = plainBase64(start).replace(/=+$/, "");
  try {
    const text = atob(whole.slice(0, whole.length - (whole.length % 4)));
    return readSignature(Uint8Array.from(text, (character) => character.charCodeAt(0)))?.mimeType;
  } catch {
    return undefined;
  }
}

function plainBase64(digits: string): string {
  const oneLine = /\s/.test(digits) ? digits.replace(/\s+/g, "") : digits;
  return /[-_]/.test(oneLine) ? oneLine.replaceAll("-", "+").replaceAll("_", "/") : oneLine;
}

/** Width, height, size and length of a file, where its record contains them. */
export function saidMeasures(record: JsonRecord): {
  width?: number;
  height?: number;
  bytes?: number;
  durationSeconds?: number;
} {
  const words = ownString(record, "dimensions", "size", "resolution") ?? "";
  const [, across, down] = /^(\d{1,6})\s*[x×*]\s*(\d{1,6})(?:\s*px)?$/i.exec(words) ?? [];
  const size = [record.dimensions, record.size, record.metadata, record.meta].find(isRecord) ?? {};
  const [first, second] = Array.isArray(record.dimensions) ? record.dimensions : [];
  const width = measure(record.width ?? size.width ?? first ?? record.w ?? across, 100_000);
  const height = measure(record.height ?? size.height ?? second ?? record.h ?? down, 100_000);
  const bytes = measure(
    record.file_size ?? record.fileSize ?? record.file_size_bytes ?? record.size_bytes ?? record.bytes ?? record.size,
    1e13,
  );
  const ms = measure(record.duration_ms ?? record.durationMs, 1e9);
  const duration =
    ms === undefined ? measure(record.duration ?? record.duration_seconds ?? record.durationSeconds, 1e6) : ms / 1000;
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(duration === undefined ? {} : { durationSeconds: duration }),
  };
}

function measure(value: unknown, max: number): number | undefined {
  const number = asLooseNumber(typeof value === "string" ? value.replace(/\s*(s|sec|seconds|px)$/i, "") : value);
  return number !== undefined && number > 0 && number <= max ? number : undefined;
}
