import type { MediaItem } from "#api/types.ts";
import { isRecord } from "#lib/json.ts";
import { isMicroUsd } from "#lib/money.ts";
import type { HistoryEntry } from "../history-entry.ts";

const LONGEST_ADDRESS = 4096;
const LARGEST_PAYLOAD = 8000;
const KINDS = ["image", "video", "audio", "other"];

/** A job as it is kept: without files that came inline, and without a payload too large to keep a hundred thousand of. */
export function keptEntry(entry: HistoryEntry): HistoryEntry {
  const media = entry.media.filter((item) => item.url.length <= LONGEST_ADDRESS);
  const isLarge = entry.payload !== undefined && JSON.stringify(entry.payload).length > LARGEST_PAYLOAD;
  return { ...entry, media, payload: isLarge ? undefined : entry.payload };
}

/** A job read back from the database: untrusted, undefined where it is none. */
export function readEntry(raw: unknown): HistoryEntry | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  const aspect = typeof raw.aspect === "number" && raw.aspect > 0 ? raw.aspect : 1;
  return {
    requestId: raw.requestId,
    model: text(raw.model),
    status: raw.status,
    prompt: text(raw.prompt) ?? "",
    media: Array.isArray(raw.media) ? raw.media.filter(isMediaItem) : [],
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    aspect,
    createdAtSeconds: number(raw.createdAtSeconds),
    updatedAtSeconds: number(raw.updatedAtSeconds),
    failureReason: text(raw.failureReason),
    priceMicroUsd: isMicroUsd(raw.priceMicroUsd) ? raw.priceMicroUsd : undefined,
  };
}

function isMediaItem(raw: unknown): raw is MediaItem {
  if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.url !== "string") return false;
  const isSize = (value: unknown) => value === undefined || typeof value === "number";
  return KINDS.includes(String(raw.kind)) && isSize(raw.width) && isSize(raw.height);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
