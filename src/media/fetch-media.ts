import { fetchStored } from "#connection/fetch-stored.ts";
import { inlineBytes } from "./inline-bytes.ts";
import { safeMediaUrl } from "./safe-media-url.ts";

/** Why a page could not get a file: each is told apart on the screen. */
export type MediaFailure =
  /** 404 or 410, and older than the 60 days of spec 8. */
  | "expired"
  /** Its media were deleted on request (spec 4.1). */
  | "deleted"
  /** 404 or 410, and no reason is known. */
  | "gone"
  /** The storage answered 401 or 403. */
  | "refused"
  /** It cannot be read by this page, though it may open in a tab of its own: no CORS header, or no answer at all. */
  | "unreadable"
  /** It arrived and is not what it should be. */
  | "broken"
  /** Its address is not one that a page may load. */
  | "unsafe";

/** A file that could not be fetched, with the reason and the status where there was one. */
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

/**
 * Gets the bytes of a generated file. No key goes with the request: media addresses are public (spec 2).
 * @throws MediaError, or the signal's own reason where it was cancelled.
 */
export async function fetchMedia(url: string, signal?: AbortSignal): Promise<Response> {
  const safe = safeMediaUrl(url);
  if (!safe) throw new MediaError("unsafe");
  if (safe.startsWith("data:")) {
    const bytes = inlineBytes(safe);
    if (!bytes) throw new MediaError("broken");
    return new Response(bytes);
  }
  let response: Response;
  try {
    response = await fetchStored(safe, signal ? { signal } : {});
  } catch (cause) {
    signal?.throwIfAborted();
    throw new MediaError("unreadable", undefined, { cause });
  }
  if (response.ok) return response;
  throw new MediaError(failureOf(response.status), response.status);
}

/** What a status says about a file. */
export function failureOf(status: number): MediaFailure {
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || status === 403) return "refused";
  return "broken";
}
