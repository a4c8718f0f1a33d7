import { abortableDelay } from "#lib/delay.ts";
import { asNumber, asText, isRecord } from "#lib/read.ts";
import { isMediaDeleted } from "#media/deleted-media.ts";
import type { BulkJob } from "#media/download/bulk-entries.ts";
import { daysLeft } from "#media/retention.ts";
import { onChange } from "#storage/changes.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import { readStoredMedia } from "#storage/tracked-jobs.ts";

/** The page stays usable while a hundred chunks are parsed. */
const CHUNKS_AT_ONCE = 2;

interface Seen {
  accountId: string;
  jobs: Promise<BulkJob[]>;
}

let seen: Seen | undefined;
let isWatched = false;

function forget() {
  seen = undefined;
}

/**
 * The finished jobs that the index of the history holds, whoever sent them, as far as the service still has their files and
 * `isWanted` says so. Those of which the list told no files have none here. Empty where the index cannot be read.
 */
export async function seenFinished(accountId: string, isWanted: (job: BulkJob) => boolean): Promise<BulkJob[]> {
  if (!isWatched) onChange("seen", forget);
  isWatched = true;
  const known = seen?.accountId === accountId ? seen : { accountId, jobs: readFinished(accountId) };
  // What changes while it is read is read the next time.
  seen = known;
  return (await known.jobs).filter(isWanted);
}

async function readFinished(accountId: string): Promise<BulkJob[]> {
  const found: BulkJob[] = [];
  const { chunks } = await readIndex(accountId).catch(() => ({ chunks: [] }));
  for (const [place, read] of chunks.entries()) {
    for (const raw of read()) {
      const job = finishedJob(raw);
      if (job) found.push(job);
    }
    if (place % CHUNKS_AT_ONCE === CHUNKS_AT_ONCE - 1) await abortableDelay(0);
  }
  return found;
}

/** A stored job of the index: untrusted, undefined where it has no files to save. */
function finishedJob(raw: unknown): BulkJob | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || raw.status !== "success") return undefined;
  const createdAtSeconds = asNumber(raw.createdAtSeconds);
  const media = Array.isArray(raw.media) ? raw.media.flatMap((item: unknown) => readStoredMedia(item) ?? []) : [];
  // Without a word of an outcome the files are in the job's own record; otherwise there are none.
  if (media.length === 0 && raw.lacksOutcome !== true) return undefined;
  if (isMediaDeleted(raw.requestId) || (daysLeft(createdAtSeconds, Date.now()) ?? 1) <= 0) return undefined;
  return {
    requestId: raw.requestId,
    model: asText(raw.model),
    status: raw.status,
    media,
    payload: isRecord(raw.payload) ? raw.payload : undefined,
    createdAtSeconds,
    priceMicroUsd: undefined,
  };
}
