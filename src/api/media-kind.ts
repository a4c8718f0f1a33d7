import type { MediaKind } from "./types.ts";

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
export function kindOfWord(word: unknown): MediaKind | undefined {
  if (typeof word !== "string") return undefined;
  const lower = word.toLowerCase();
  if (/image|photo|picture/.test(lower)) return "image";
  if (/video/.test(lower)) return "video";
  if (/audio|music|speech|sound/.test(lower)) return "audio";
  return KIND_OF_EXTENSION[lower];
}

/** The kind that a URL's file extension tells, or undefined. */
export function kindOfUrl(url: string): MediaKind | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const extension = /\.([a-z0-9]{2,5})$/i.exec(path)?.[1];
  return extension === undefined ? undefined : KIND_OF_EXTENSION[extension.toLowerCase()];
}
