import type { MediaItem } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { isMicroUsd } from "#lib/money.ts";
import { asNumber, asText, isRecord } from "#lib/read.ts";
import { readIndex, writeIndex } from "#storage/seen-jobs.ts";
import type { HistoryEntry } from "../history-entry.ts";
import { NOTHING_READ, type ReadPlan, readPlan } from "./read-plan.ts";

/** For so long at once, in ms, the page does nothing else while a hundred chunks are parsed. */
const SLICE_MS = 16;

/**
 * Gives what this browser has stored of a key's jobs, chunk by chunk, and resolves to the plan. The page stays usable
 * meanwhile. Rejects where the database cannot be read.
 */
export async function loadSeen(accountId: string, onChunk: (entries: HistoryEntry[]) => void): Promise<ReadPlan> {
  const { chunks, plan } = await readIndex(accountId);
  let sinceMs = performance.now();
  let count = 0;
  for (const read of chunks) {
    if (performance.now() - sinceMs > SLICE_MS) {
      await abortableDelay(0);
      sinceMs = performance.now();
    }
    const entries = read().flatMap((raw) => readEntry(raw) ?? []);
    count += entries.length;
    onChunk(entries);
  }
  // Where the browser ran out of space, chunks are gone that the plan takes for read.
  const isCut = isRecord(plan) && count < (asNumber(plan.count) ?? 0);
  return (isCut ? undefined : readPlan(plan)) ?? NOTHING_READ;
}

/** Stores some chunks and the plan, with how many jobs all chunks hold, all or none. Rejects with `StorageError` where nothing was written. */
export async function saveSeen(
  accountId: string,
  chunks: ReadonlyMap<number, readonly HistoryEntry[]>,
  plan: ReadPlan,
  count = 0,
): Promise<void> {
  await writeIndex(accountId, chunks, { ...plan, count });
}

const LONGEST_ADDRESS = 4096;
const LARGEST_PAYLOAD = 8000;
const KINDS = ["image", "video", "audio", "other"];

/**
 * A job as it is stored: without its files where some came inline, for its own record has them, and without a payload too
 * large to store a hundred thousand of.
 */
export function storedEntry(entry: HistoryEntry): HistoryEntry {
  const isInline = entry.media.some((item) => item.url.length > LONGEST_ADDRESS);
  const files = isInline ? { media: [], lacksOutcome: true as const } : {};
  const isLarge = entry.payload !== undefined && JSON.stringify(entry.payload).length > LARGEST_PAYLOAD;
  return { ...entry, ...files, payload: isLarge ? undefined : entry.payload };
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
    ...(isMicroUsd(raw.estimatedMicroUsd) ? { estimatedMicroUsd: raw.estimatedMicroUsd } : {}),
    ...(raw.lacksOutcome === true ? { lacksOutcome: true } : {}),
  };
}

function isMediaItem(raw: unknown): raw is MediaItem {
  if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.url !== "string") return false;
  const isSize = (value: unknown) => value === undefined || typeof value === "number";
  return KINDS.includes(String(raw.kind)) && isSize(raw.width) && isSize(raw.height);
}
