import type { FileType, MediaKind } from "#api/types.ts";

/** What a file is by its first bytes: never by its name or by the type it was sent with. */
export interface FileKind {
  kind: MediaKind;
  extension: string;
  mimeType: string;
  /** The service's word for it, where the service stores such files as inputs (spec 8). */
  fileType?: FileType;
}

/** How many bytes `fileKind` needs at most. */
const FILE_KIND_BYTES = 32;

const PNG: FileKind = { kind: "image", extension: "png", mimeType: "image/png", fileType: "png" };
const JPEG: FileKind = { kind: "image", extension: "jpg", mimeType: "image/jpeg", fileType: "jpg" };
const GIF: FileKind = { kind: "image", extension: "gif", mimeType: "image/gif" };
const WEBP: FileKind = { kind: "image", extension: "webp", mimeType: "image/webp" };
const AVIF: FileKind = { kind: "image", extension: "avif", mimeType: "image/avif" };
const BMP: FileKind = { kind: "image", extension: "bmp", mimeType: "image/bmp" };
const TIFF: FileKind = { kind: "other", extension: "tiff", mimeType: "image/tiff" };
const HEIC: FileKind = { kind: "other", extension: "heic", mimeType: "image/heic" };
const MP4: FileKind = { kind: "video", extension: "mp4", mimeType: "video/mp4", fileType: "mp4" };
const MOV: FileKind = { kind: "video", extension: "mov", mimeType: "video/quicktime" };
const WEBM: FileKind = { kind: "video", extension: "webm", mimeType: "video/webm" };
const M4A: FileKind = { kind: "audio", extension: "m4a", mimeType: "audio/mp4" };
const MP3: FileKind = { kind: "audio", extension: "mp3", mimeType: "audio/mpeg", fileType: "mp3" };
const WAV: FileKind = { kind: "audio", extension: "wav", mimeType: "audio/wav", fileType: "wav" };
const OGG: FileKind = { kind: "audio", extension: "ogg", mimeType: "audio/ogg" };
const FLAC: FileKind = { kind: "audio", extension: "flac", mimeType: "audio/flac" };

/** The kind of a file from its first bytes, or undefined where they match none that is listed. Never throws. */
export function fileKind(bytes: Uint8Array): FileKind | undefined {
  const text = (start: number, end: number) => String.fromCharCode(...bytes.subarray(start, end));
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return PNG;
  if (text(0, 3) === "\xff\xd8\xff") return JPEG;
  if (text(0, 4) === "GIF8") return GIF;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return WEBP;
  if (text(0, 4) === "RIFF" && text(8, 12) === "WAVE") return WAV;
  if (text(4, 8) === "ftyp") return isoBrand(text(8, 12));
  if (text(0, 4) === "\x1a\x45\xdf\xa3") return WEBM;
  if (text(0, 3) === "ID3" || isMpegAudioFrame(bytes)) return MP3;
  if (text(0, 4) === "OggS") return OGG;
  if (text(0, 4) === "fLaC") return FLAC;
  if (text(0, 4) === "II*\0" || text(0, 4) === "MM\0*") return TIFF;
  // Two letters alone would also begin a text: the four reserved bytes are zero.
  if (text(0, 2) === "BM" && text(6, 10) === "\0\0\0\0") return BMP;
  return undefined;
}

/** The kind of a blob, from its first 32 bytes. Rejects where the browser can no longer read the file. */
export async function blobKind(blob: Blob): Promise<FileKind | undefined> {
  return fileKind(new Uint8Array(await blob.slice(0, FILE_KIND_BYTES).arrayBuffer()));
}

function isoBrand(brand: string): FileKind {
  if (brand === "avif" || brand === "avis") return AVIF;
  if (["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].includes(brand)) return HEIC;
  if (brand === "qt  ") return MOV;
  if (brand === "M4A " || brand === "M4B ") return M4A;
  return MP4;
}

// A frame header without an ID3 tag: eleven set bits, and neither a reserved version, layer, bit rate nor sample rate.
function isMpegAudioFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const isVersionKnown = (second & 0x18) !== 0x08;
  const isLayerThree = (second & 0x06) === 0x02;
  const isRateKnown = (third & 0xf0) !== 0xf0 && (third & 0xf0) !== 0 && (third & 0x0c) !== 0x0c;
  return isVersionKnown && isLayerThree && isRateKnown;
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
  ogg: "sound",
  flac: "sound",
  m4a: "sound",
};

const KINDS = { picture: "image", clip: "video", sound: "audio" } as const;

/**
 * What a file has to be made into before the service stores it (spec 8); undefined where it is stored as it is.
 * Never throws.
 */
export function conversionTarget(found: FileKind): ConversionTarget | undefined {
  return found.fileType ? undefined : TARGETS[found.extension];
}

/** The kind of a file as an input: HEIC and TIFF are pictures, though most browsers cannot show them. Never throws. */
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
 * Never throws.
 */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1e6, "MB"] : [bytes / 1e9, "GB"];
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`;
}

/** The name of a converted file: the old one with another extension. Never throws. */
export function convertedName(name: string, extension: string): string {
  const dot = name.lastIndexOf(".");
  return `${dot > 0 ? name.slice(0, dot) : name}.${extension}`;
}
