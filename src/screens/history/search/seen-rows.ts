import type { MediaItem } from "#api/types.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asNumber, asText, isRecord } from "#lib/read.ts";
import { readIndex, writeIndex } from "#storage/seen-jobs.ts";
import type { HistoryEntry } from "../history-entry.ts";
import { NOTHING_READ, type ReadPlan, readPlan } from "./read-all.ts";

interface StoredJobs {
  chunks: HistoryEntry[][];
  plan: ReadPlan;
}

/** What this browser has stored of a key's jobs. Rejects where the database cannot be read. */
export async function loadSeen(accountId: string): Promise<StoredJobs> {
  const { chunks, plan } = await readIndex(accountId);
  return {
    chunks: chunks.map((read) => read().flatMap((raw) => readEntry(raw) ?? [])),
    plan: readPlan(plan) ?? NOTHING_READ,
  };
}

/** Stores some chunks and the plan, all or none. Rejects with `StorageError` where nothing was written. */
export async function saveSeen(
  accountId: string,
  chunks: ReadonlyMap<number, readonly HistoryEntry[]>,
  plan: ReadPlan,
): Promise<void> {
  await writeIndex(accountId, chunks, plan);
}

const LONGEST_ADDRESS = 4096;
const LARGEST_PAYLOAD = 8000;
const KINDS = ["image", "video", "audio", "other"];

/**
 * A job as it is stored: without files that came inline, and without a payload too large to store a hundred thousand
 * of.
 */
export function storedEntry(entry: HistoryEntry): HistoryEntry {
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
    model: asText(raw.model),
    status: raw.status,
    prompt: asText(raw.prompt) ?? "",
    media: Array.isArray(raw.media) ? raw.media.filter(isMediaItem) : [],
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    aspect,
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
    failureReason: asText(raw.failureReason),
    priceMicroUsd: isMicroUsd(raw.priceMicroUsd) ? raw.priceMicroUsd : undefined,
  };
}

function isMediaItem(raw: unknown): raw is MediaItem {
  if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.url !== "string") return false;
  const isSize = (value: unknown) => value === undefined || typeof value === "number";
  return KINDS.includes(String(raw.kind)) && isSize(raw.width) && isSize(raw.height);
}
