import { NoAnswerError, type RefusedError } from "#api/api-error.ts";
import { readError } from "#api/read-error.ts";
import type { MediaItem } from "#api/types.ts";
import { isNamedService } from "#connection/named-service.ts";
import { isServedByHost, storageFetch } from "#connection/relay.ts";
import { afterSilence } from "#lib/delay.ts";
import { daysLeft } from "./retention.ts";

/** Why a page could not get a file. Each reason has its own text on the screen. */
export type MediaFailure =
  /** 404 or 410, and older than the 60 days of spec 8. */
  | "expired"
  /** Its media were deleted on request (spec 4.1). */
  | "deleted"
  /** The service was asked for that and has not answered yet. */
  | "deleting"
  /** The same, and no answer came. */
  | "unconfirmed"
  /** 404 or 410, and no reason is known. */
  | "gone"
  /** The storage answered 401 or 403. */
  | "refused"
  /** The studio's own host may not go to this storage. */
  | "unlisted"
  /** It cannot be read by this page, though it may open in a tab of its own: no CORS header, or no answer at all. */
  | "unreadable"
  /** The storage answered with an error that says nothing about the file, or broke off in the middle of it. */
  | "failed"
  /** The bytes came and are not of the expected kind. */
  | "broken"
  /** A page may not load its address. */
  | "unsafe"
  /** The build names its service's hosts, and this is none of them: the page's content policy does not let it load. */
  | "unnamed";

/**
 * A file that could not be fetched, with the reason and the status where there was one. `cause` is the `ApiError` of the
 * storage's answer, or of none, for the retry policy.
 */
export class MediaError extends Error {
  readonly failure: MediaFailure;
  readonly status: number | undefined;

  constructor(failure: MediaFailure, status?: number, options?: ErrorOptions) {
    super(`media ${failure}`, options);
    this.name = "MediaError";
    this.failure = failure;
    this.status = status;
  }
}

/** Longest silence of a storage, before the answer and between its bytes. */
export const SILENCE_MS = 30_000;

/**
 * Gets the bytes of a generated file. No key goes with the request: media addresses are public (spec 2).
 * @throws MediaError, or the signal's own reason where it was cancelled.
 */
export async function fetchMedia(url: string, signal?: AbortSignal): Promise<Response> {
  const safe = safeMediaUrl(url);
  if (!safe) throw new MediaError("unsafe");
  if (isOutOfReach(safe)) throw new MediaError("unnamed");
  if (safe.startsWith("data:")) {
    const bytes = inlineBytes(safe);
    if (!bytes) throw new MediaError("broken");
    return new Response(bytes);
  }
  const silence = new AbortController();
  const ended = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  const stopTimer = afterSilence(SILENCE_MS, () => silence.abort());
  let response: Response;
  try {
    response = await storageFetch("media", safe, { signal: ended });
  } catch (cause) {
    signal?.throwIfAborted();
    const timedOut = silence.signal.aborted;
    throw new MediaError("unreadable", undefined, { cause: new NoAnswerError({ cause, timedOut }) });
  } finally {
    stopTimer();
  }
  if (response.ok) return response;
  const cause = readError(response.status, "", response.headers);
  throw new MediaError(failureOf(cause), response.status, { cause });
}

/** Whether the content policy of a page without a host keeps it from this address. Never throws. */
export function isOutOfReach(url: string): boolean {
  return !isServedByHost() && /^https?:/.test(url) && !isNamedService(url);
}

function failureOf({ status, hostReason }: RefusedError): MediaFailure {
  if (hostReason === "not_allowed" || hostReason === "private_address") return "unlisted";
  // Any other word of the host: it could not get the file from the storage.
  if (hostReason !== undefined) return "unreadable";
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || status === 403) return "refused";
  return "failed";
}

interface FailureContext {
  item: MediaItem;
  createdAtSeconds: number | undefined;
  isDeleted: boolean;
  nowMs: number;
}

/**
 * Why a file that an element could not show is not there: asks the storage once, and takes the age of the job into
 * account. Rejects only with the signal's reason.
 */
export async function findMediaFailure(context: FailureContext, signal?: AbortSignal): Promise<MediaFailure> {
  if (context.isDeleted) return "deleted";
  return failureWithAge(await probe(context.item.url, signal), context);
}

/**
 * The failure of a file by the storage's answer, or "expired" where the job is so old that this explains it. Never
 * throws.
 */
export function failureWithAge(
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

/** What is shown in place of a file that is not there: a few words, and a sentence with what can be done. */
export const FAILURE_WORDS: Record<MediaFailure, { title: string; body: string }> = {
  expired: { title: "Expired", body: "The service keeps generated files for 60 days. The job record stays." },
  deleted: { title: "Media deleted", body: "Deleted on request. The job record and the charge stay." },
  deleting: { title: "Being deleted", body: "The service was asked to delete this file." },
  unconfirmed: {
    title: "Deletion not confirmed",
    body: "It is not known whether the service deleted this file. Delete the media again to be sure.",
  },
  gone: { title: "No longer there", body: "The storage has no such file. It may have been deleted elsewhere." },
  refused: { title: "Storage refused", body: "The storage did not let this page have the file." },
  unlisted: {
    title: "Storage not listed",
    body: "This studio's host may not fetch from this storage. Whoever runs it can add it to SAFELIGHT_UPSTREAMS.",
  },
  unreadable: { title: "Could not be loaded", body: "The storage gave no answer that this page may read." },
  failed: {
    title: "The storage failed",
    body: "It answered with an error, or broke off before the whole file had come. Try again in a moment.",
  },
  broken: {
    title: "Cannot be shown",
    body: "The file arrived and this browser cannot show it. Downloading may still work.",
  },
  unsafe: { title: "Not loaded", body: "Its address is not one that a page may load safely." },
  unnamed: {
    title: "Storage not named",
    body: "This studio was built without the file’s host among those of SAFELIGHT_SERVICE, so its page may not load it.",
  },
};

/** Whether asking again may help. Never throws. */
export function canRetry(failure: MediaFailure): boolean {
  return ["unreadable", "unlisted", "refused", "failed", "broken", "gone"].includes(failure);
}

// The inline kinds that cannot carry a script. SVG and HTML are not among them.
const INLINE = /^data:(image\/(png|jpeg|jpg|webp|gif|avif)|video\/(mp4|webm)|audio\/[\w.+-]+)[;,]/i;

/**
 * The address if a page may load it as media, otherwise undefined: then it is text, never a link. `https:`, the page's
 * own origin, this machine, and the page's own `blob:` or inline media are let through. Never throws.
 */
export function safeMediaUrl(url: string, origin = globalThis.location?.origin ?? ""): string | undefined {
  if (INLINE.test(url)) return url;
  let parsed: URL;
  try {
    parsed = new URL(url, origin || undefined);
  } catch {
    return undefined;
  }
  if (parsed.username || parsed.password) return undefined;
  if (parsed.protocol === "https:") return parsed.href;
  if (parsed.protocol === "blob:") return origin && parsed.origin === origin ? url : undefined;
  if (parsed.protocol !== "http:") return undefined;
  const isOwn = parsed.origin === origin;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(parsed.hostname);
  return isOwn || isLoopback ? parsed.href : undefined;
}

// The bytes of a `data:` address, or undefined where it is not base64. The page's own policy does not let it fetch such
// an address.
function inlineBytes(url: string): Uint8Array<ArrayBuffer> | undefined {
  const comma = url.indexOf(",");
  if (!url.startsWith("data:") || comma < 0 || !url.slice(0, comma).endsWith(";base64")) return undefined;
  try {
    return Uint8Array.from(atob(url.slice(comma + 1)), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
