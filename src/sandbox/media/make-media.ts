import { composeMusic } from "./compose-music.ts";
import type { MediaEncoders } from "./media-encoders.ts";
import { clipFrames, clipShape, paintStill } from "./paint-picture.ts";
import { composeScene } from "./scene.ts";

/** One file to make. Sizes are in pixels; a clip may come out smaller, a picture never does. */
export interface MediaSpec {
  kind: "image" | "video" | "audio";
  format: "png" | "jpeg" | "mp4" | "wav";
  prompt: string;
  seed: number;
  width: number;
  height: number;
  durationSeconds: number;
  /** Position among the files of its job: each is another variation. */
  index: number;
}

export interface MadeMedia {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Bounds, so that a mistaken request cannot occupy the machine. */
const LARGEST_SIDE = 4096;
const LONGEST_SECONDS = 600;

/**
 * Makes a file of the asked kind: the same specification gives the same bytes, another seed another picture.
 * Takes up to about a second for a large picture and three for a clip.
 */
export async function makeMedia(spec: MediaSpec, encoders: MediaEncoders): Promise<MadeMedia> {
  const seconds = bound(spec.durationSeconds, 0.5, LONGEST_SECONDS);
  if (spec.kind === "audio") {
    const { samples, rate } = composeMusic(spec.prompt, spec.seed + spec.index * 7919, seconds);
    return { bytes: await encoders.wav(samples, rate), contentType: "audio/wav" };
  }
  const scene = composeScene(spec.prompt, spec.seed, spec.index);
  const width = Math.round(bound(spec.width, 16, LARGEST_SIDE));
  const height = Math.round(bound(spec.height, 16, LARGEST_SIDE));
  if (spec.kind === "video") {
    const shape = clipShape(width, height, seconds);
    const bytes = await encoders.mp4(clipFrames(scene, shape), shape);
    clearClipTimes(bytes);
    return { bytes, contentType: "video/mp4" };
  }
  const isLarge = width * height > 2_500_000;
  const pixels = await paintStill(scene, width, height, isLarge ? 1.2 : 2);
  return spec.format === "jpeg"
    ? { bytes: await encoders.jpeg(pixels, 88), contentType: "image/jpeg" }
    : { bytes: await encoders.png(pixels), contentType: "image/png" };
}

function bound(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low;
}

const PARENTS = new Set(["moov", "trak", "mdia"]);
const DATED = new Set(["mvhd", "tkhd", "mdhd"]);

/** Sets the dates inside an MP4 to zero, in place: encoders write the clock, and the same request gives the same bytes. */
function clearClipTimes(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      // 0 and 1 stand for "to the end" and for a 64-bit size; neither is written for the boxes sought here.
      if (size < 8 || at + size > to) return;
      const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      if (PARENTS.has(name)) walk(at + 8, at + size);
      // After one version byte and three flag bytes: two dates of 4 bytes, or of 8 in version 1.
      if (DATED.has(name)) bytes.fill(0, at + 12, at + 12 + (bytes[at + 8] === 1 ? 16 : 8));
      at += size;
    }
  };
  walk(0, bytes.byteLength);
}
