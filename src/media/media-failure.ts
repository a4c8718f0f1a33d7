import type { MediaItem } from "#api/types.ts";
import { fetchMedia, MediaError, type MediaFailure } from "./fetch-media.ts";
import { daysLeft } from "./retention.ts";

export interface FailureContext {
  item: MediaItem;
  createdAtSeconds: number | undefined;
  isDeleted: boolean;
  nowMs: number;
}

/** Why a file that an element could not show is not there: asks the storage once and weighs what is known. */
export async function findMediaFailure(context: FailureContext, signal?: AbortSignal): Promise<MediaFailure> {
  if (context.isDeleted) return "deleted";
  return weigh(await probe(context.item.url, signal), context);
}

/** Puts what the storage said together with the age of the job. */
export function weigh(
  found: MediaFailure,
  { createdAtSeconds, nowMs }: Omit<FailureContext, "item" | "isDeleted">,
): MediaFailure {
  const isOver = (daysLeft(createdAtSeconds, nowMs) ?? 1) <= 0;
  return isOver && (found === "gone" || found === "refused") ? "expired" : found;
}

async function probe(url: string, signal?: AbortSignal): Promise<MediaFailure> {
  try {
    const response = await fetchMedia(url, signal);
    // Only the status was of interest; how the rest ends does not matter.
    response.body?.cancel().catch(() => undefined);
    return "broken";
  } catch (error) {
    if (error instanceof MediaError) return error.failure;
    throw error;
  }
}

/** What is said of a file that is not there: a few words, and a sentence with what can be done. */
export const FAILURE_WORDS: Record<MediaFailure, { title: string; body: string }> = {
  expired: { title: "Expired", body: "The service keeps generated files for 60 days. The job record stays." },
  deleted: { title: "Media deleted", body: "Deleted on request. The job record and the charge stay." },
  gone: { title: "No longer there", body: "The storage has no such file. It may have been deleted elsewhere." },
  refused: { title: "Storage refused", body: "The storage did not let this page have the file." },
  unreadable: { title: "Could not be loaded", body: "The storage gave no answer that this page may read." },
  broken: {
    title: "Cannot be shown",
    body: "The file arrived and this browser cannot show it. Downloading may still work.",
  },
  unsafe: { title: "Not loaded", body: "Its address is not one that a page may load safely." },
};

/** Whether asking again may help. */
export function canRetry(failure: MediaFailure): boolean {
  return failure === "unreadable" || failure === "refused" || failure === "broken" || failure === "gone";
}
