import type { MediaItem } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";

const DEFAULT_ASPECT: Record<MediaItem["kind"], number> = { image: 1, video: 16 / 9, audio: 16 / 5, other: 16 / 9 };
const SIZE_KEYS = ["size", "image_size", "video_size", "resolution"];
const RATIO_KEYS = ["aspect_ratio", "aspectRatio", "ratio"];

/**
 * Width over height of the box that a file is shown in, known before the file has loaded, so that nothing moves when it
 * does: from the record, else from the parameters it was asked for with, else what is usual for its kind.
 */
export function mediaAspect(item: Pick<MediaItem, "kind" | "width" | "height">, payload?: unknown): number {
  if (item.kind === "audio") return DEFAULT_ASPECT.audio;
  return ratio(item.width, item.height) ?? askedAspect(payload) ?? DEFAULT_ASPECT[item.kind];
}

function askedAspect(payload: unknown): number | undefined {
  if (!isRecord(payload)) return undefined;
  const bySides = ratio(payload.width, payload.height);
  if (bySides) return bySides;
  for (const key of [...RATIO_KEYS, ...SIZE_KEYS]) {
    const value = payload[key];
    const match =
      typeof value === "string" ? /^(\d{1,5}(?:\.\d+)?)\s*[x*×:/]\s*(\d{1,5}(?:\.\d+)?)$/i.exec(value.trim()) : null;
    const found = match && ratio(Number(match[1]), Number(match[2]));
    if (found) return found;
  }
  return undefined;
}

// A box wider than 5:1 or taller than 1:5 would leave nothing to see.
function ratio(width: unknown, height: unknown): number | undefined {
  if (typeof width !== "number" || typeof height !== "number" || !(width > 0) || !(height > 0)) return undefined;
  return Math.min(5, Math.max(0.2, width / height));
}
