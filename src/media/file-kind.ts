import type { FileType, MediaKind } from "#api/types.ts";
import { readSignature, SIGNATURE_BYTES } from "#lib/file-signature.ts";
import { counted, formatDecimals } from "#lib/numbers.ts";

/** What a file is by its first bytes: never by its name or by the type it was sent with. */
export interface FileKind {
  kind: MediaKind;
  extension: string;
  mimeType: string;
  /** The service's word for it, where the service stores such files as inputs (spec 8). */
  fileType?: FileType;
}

/** Those that the service stores as inputs (spec 8), by their extension. */
const FILE_TYPES: Readonly<Record<string, FileType>> = { png: "png", jpg: "jpg", mp4: "mp4", mp3: "mp3", wav: "wav" };

/** The kind of a file from its first bytes, or undefined where they match none that is listed. */
export function fileKind(bytes: Uint8Array): FileKind | undefined {
  const found = readSignature(bytes);
  const fileType = found && FILE_TYPES[found.extension];
  return fileType ? { ...found, fileType } : found;
}

/** The kind of a blob, from its first bytes. Rejects where the browser can no longer read the file. */
export async function blobKind(blob: Blob): Promise<FileKind | undefined> {
  return fileKind(new Uint8Array(await blob.slice(0, SIGNATURE_BYTES).arrayBuffer()));
}

/** What a file of a kind that the service does not store is made into: a png or jpeg, an mp4, a wav. */
type ConversionTarget = "picture" | "clip" | "sound";

const TARGETS: Readonly<Record<string, ConversionTarget>> = {
  gif: "picture",
  webp: "picture",
  avif: "picture",
  bmp: "picture",
  heic: "picture",
  tiff: "picture",
  mov: "clip",
  webm: "clip",
  mkv: "clip",
  ogv: "clip",
  ogg: "sound",
  aac: "sound",
  flac: "sound",
  m4a: "sound",
};

const KINDS = { picture: "image", clip: "video", sound: "audio" } as const;

/**
 * What a file has to be made into before the service stores it (spec 8); undefined where it is stored as it is.
 */
export function conversionTarget(found: FileKind): ConversionTarget | undefined {
  return found.fileType ? undefined : TARGETS[found.extension];
}

/** The kind of a file as an input: HEIC and TIFF are pictures, though most browsers cannot show them. */
export function inputKind(found: FileKind): MediaKind {
  const target = conversionTarget(found);
  return target ? KINDS[target] : found.kind;
}

/** A file that the service does not store and this browser cannot make into one. `message` is for the screen. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

/**
 * A file's size in words, in decimal units as the platforms' own file lists use: "512 bytes", "48 kB", "1.2 MB".
 */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${amount < 10 ? formatDecimals(amount, 1) : Math.round(amount)} ${unit}`;
}

/** The name of a converted file: the old one with another extension. */
export function convertedName(name: string, extension: string): string {
  const dot = name.lastIndexOf(".");
  return `${dot > 0 ? name.slice(0, dot) : name}.${extension}`;
}
