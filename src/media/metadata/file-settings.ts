import { asRecord, asText, isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { fileKind } from "../file-kind.ts";
import { jpegSettings, withJpegXmp } from "./jpeg-xmp.ts";
import { pngText, withPngTexts } from "./png-text.ts";

/** What is written into a file, or beside it, so that its settings can be used again. */
export interface FileSettings {
  model: string;
  payload: JsonRecord;
  requestId?: string | undefined;
}

/** The keyword of the PNG text and the name of the XMP property. */
export const SETTINGS_KEYWORD = "Safelight";

/** The settings as JSON. Throws only for a payload that JSON cannot hold, which none from the service is. */
export function settingsText({ model, payload, requestId }: FileSettings): string {
  return JSON.stringify({ model, payload, ...(requestId ? { request_id: requestId } : {}) });
}

/** Settings read back from any file: untrusted, so undefined for whatever is not of their shape. */
function readSettingsText(text: string): FileSettings | undefined {
  const { model, payload, request_id: requestId } = asRecord(tryParseJson(text));
  if (typeof model !== "string" || model === "" || !isRecord(payload)) return undefined;
  return { model, payload, requestId: asText(requestId) };
}

/** Larger files are neither written into nor read: they would have to be in memory twice. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * A picture with its prompt and settings written into it: PNG (iTXt) or JPEG (XMP). Any other file, and one that cannot
 * be understood, comes back as it is. Rejects only where the browser can no longer read the blob.
 */
export async function embedSettings(blob: Blob, extension: string, settings: FileSettings): Promise<Blob> {
  if ((extension !== "png" && extension !== "jpg") || blob.size > LARGEST_BYTES) return blob;
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const description = promptIn(settings);
  const text = settingsText(settings);
  const embedded =
    extension === "png"
      ? withPngTexts(bytes, { ...(description ? { Description: description } : {}), [SETTINGS_KEYWORD]: text })
      : withJpegXmp(bytes, { description, settings: text });
  return embedded ?? blob;
}

function promptIn({ payload }: FileSettings): string {
  for (const name of ["prompt", "text"]) {
    const value = payload[name];
    if (typeof value === "string") return value;
  }
  return "";
}

/**
 * The settings that a file was made with, where they were written into it: a PNG or JPEG downloaded here, or the JSON
 * beside a clip. Undefined for any other file. What comes back is untrusted. Rejects where the file cannot be read.
 */
export async function readSettings(file: Blob): Promise<FileSettings | undefined> {
  if (file.size === 0 || file.size > LARGEST_BYTES) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = fileKind(bytes);
  if (kind?.extension === "png") return fromText(pngText(bytes, SETTINGS_KEYWORD));
  if (kind?.extension === "jpg") return fromText(jpegSettings(bytes));
  return kind ? undefined : fromText(new TextDecoder().decode(bytes));
}

function fromText(text: string | undefined): FileSettings | undefined {
  return text === undefined ? undefined : readSettingsText(text);
}

/** Kinds of files that settings cannot be written into: they get a JSON file beside them. */
const WITHOUT_ROOM = ["mp4", "mov", "webm", "mp3", "wav", "ogg", "flac", "m4a", "webp", "gif", "avif"];

/**
 * The JSON to be put beside a file, under the file's own name; undefined where the settings are in the file itself.
 * Throws as `settingsText`.
 */
export function createSidecar(name: string, settings: FileSettings): { name: string; text: string } | undefined {
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (!WITHOUT_ROOM.includes(extension)) return undefined;
  // The file's extension stays in it, so that two files which differ in it alone have a JSON each.
  return { name: `${name}.json`, text: `${settingsText(settings)}\n` };
}
