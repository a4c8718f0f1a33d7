import type { MediaKind } from "#api/types.ts";
import type { FileKind } from "../file-kind.ts";

/** What a file of a kind that the service does not store is made into: a png or jpeg, an mp4, a wav. */
export type ConversionTarget = "picture" | "clip" | "sound";

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

/** What a file has to be made into before the service stores it (spec 8); undefined where it is stored as it is. */
export function conversionTarget(found: FileKind): ConversionTarget | undefined {
  return found.fileType ? undefined : TARGETS[found.extension];
}

/** The kind of a file as an input: HEIC and TIFF are pictures, though most browsers cannot show them. */
export function inputKind(found: FileKind): MediaKind {
  const target = conversionTarget(found);
  return target ? KINDS[target] : found.kind;
}
