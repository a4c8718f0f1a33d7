import type { JsonRecord } from "#lib/read.ts";
import { clipShape } from "../media/paint-picture.ts";
import type { PlannedFile } from "./model-definition.ts";

interface Size {
  width: number;
  height: number;
}

/** Reads `1024x768`, and `1920*1080` as some models write it. */
export function readSize(value: unknown, fallback: Size = { width: 1024, height: 1024 }): Size {
  const parts = /^(\d+)[x*](\d+)$/.exec(String(value));
  return parts === null ? fallback : { width: Number(parts[1]), height: Number(parts[2]) };
}

/** Longest side of a picture, in pixels. */
const LONGEST_SIDE = 4096;

/** A size of the given aspect ratio (`16:9`) and about as many pixels as a square of `edge`; both sides are even. */
export function sizeForRatio(ratio: unknown, edge: number): Size {
  const parts = /^(\d+):(\d+)$/.exec(String(ratio));
  const aspect = parts === null ? 1 : Number(parts[1]) / Number(parts[2]);
  const width = edge * Math.sqrt(aspect);
  const height = edge / Math.sqrt(aspect);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

/** Clips are made small whatever resolution is paid for; the record holds the true size of the file. */
export function clip(ratio: unknown, resolution: unknown, durationSeconds: unknown): PlannedFile[] {
  const seconds = Number(durationSeconds);
  const asked = sizeForRatio(ratio, 1080);
  const largest = clipShape(asked.width, asked.height, seconds);
  // The better resolution is painted as large as clips get, the other at three quarters of that.
  const scale = /1080|2K/i.test(String(resolution)) ? 1 : 0.75;
  const { width, height } = clipShape(largest.width * scale, largest.height * scale, seconds);
  return [{ kind: "video", format: "mp4", width, height, durationSeconds: seconds }];
}

/** `n` pictures of one size, one when the model has no `n`. */
export function pictures(size: Size, payload: JsonRecord): PlannedFile[] {
  const format = payload.output_format === "jpeg" ? "jpeg" : "png";
  const length = typeof payload.n === "number" ? payload.n : 1;
  return Array.from({ length }, () => ({ kind: "image" as const, format, ...size }));
}

export function recording(durationSeconds: number): PlannedFile[] {
  return [{ kind: "audio", format: "wav", durationSeconds }];
}

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}
