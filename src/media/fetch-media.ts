import { NoAnswerError } from "#api/api-error.ts";
import { isNamedService } from "#connection/check-connection.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { isHostAddress, isServedByHost, LocalHoldError, storageFetch } from "#connection/relay.ts";
import { afterSilence } from "#lib/delay.ts";
import { fileSize } from "./file-kind.ts";
import { MediaError } from "./media-failure.ts";
import { storageRefusal } from "./storage-answer.ts";

/** Longest silence of a storage, before the answer and between its bytes. */
export const SILENCE_MS = 30_000;

/**
 * Gets the bytes of a generated file. `first`: only so many from its start, where the storage supports ranges. No key
 * goes with the request: media addresses are public (spec 2).
 * @throws MediaError, or the signal's own reason where it was cancelled.
 */
export async function fetchMedia(url: string, signal?: AbortSignal, first?: number): Promise<Response> {
  const safe = safeMediaUrl(url);
  if (!safe) throw new MediaError(isInternal(url) ? "internal" : "unsafe");
  if (isOutOfReach(safe)) throw new MediaError("unnamed");
  if (safe.startsWith("data:")) {
    const bytes = inlineBytes(safe);
    if (!bytes) throw new MediaError("broken");
    return new Response(bytes);
  }
  const silence = new AbortController();
  const anyAbort = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
  const stopTimer = afterSilence(SILENCE_MS, () => silence.abort());
  const headers = first === undefined ? {} : { Range: `bytes=0-${first - 1}` };
  let refusal: MediaError;
  try {
    const response = await storageFetch(safe, { headers, signal: anyAbort });
    if (response.ok) return response;
    refusal = await storageRefusal(safe, response);
    signal?.throwIfAborted();
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof LocalHoldError) throw new MediaError("unsafe", undefined, { cause, said: cause.message });
    const timedOut = silence.signal.aborted;
    throw new MediaError("unreadable", undefined, { cause: new NoAnswerError({ cause, timedOut }) });
  } finally {
    stopTimer();
  }
  throw refusal;
}

/** Whether the content policy of a page without a host keeps it from this address. */
export function isOutOfReach(url: string): boolean {
  return !isServedByHost() && /^https?:/.test(url) && !isNamedService(url);
}

/** Whether an address is one inside a storage, which no browser knows. */
export function isInternal(url: string): boolean {
  return /^(s3|gs|gcs|r2|az|abfss?|wasbs?|oss|cos|ipfs|hf):\/\//i.test(url);
}

// The inline kinds that cannot carry a script. SVG and HTML are not among them.
const INLINE = /^data:(image\/(png|jpeg|jpg|webp|gif|avif)|video\/(mp4|webm)|audio\/[\w.+-]+)[;,]/i;

/**
 * The address if a page may load it as media, otherwise undefined: then it is text, never a link. `https:`, the page's
 * own origin, this machine, and the page's own `blob:` or inline media are let through. Of a Safelight server that is the
 * sandbox alone.
 */
export function safeMediaUrl(url: string, origin = globalThis.location?.origin ?? ""): string | undefined {
  if (INLINE.test(url)) return url;
  let parsed: URL;
  try {
    parsed = new URL(url, origin || undefined);
  } catch {
    return undefined;
  }
  if (parsed.username || parsed.password || isHostAddress(parsed.href)) return undefined;
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

interface ReadOptions {
  /** `media` for what is only shown: everything else goes before it. */
  kind?: "download" | "media";
  signal?: AbortSignal | undefined;
  /** Called whenever the transfer begins or stops waiting for a free connection. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
  /** Whether it is on the screen: then it goes first among what waits for a connection. */
  isVisible?: (() => boolean) | undefined;
}

/** About the largest file that a browser can assemble, even on its disk. */
const LARGEST_BYTES = 4e9;

/** The length that a response declares; undefined for an encoded one, whose bytes a page sees decoded. */
function declaredLength({ headers }: Response): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) && !headers.has("content-encoding") ? Number(length) : undefined;
}

/**
 * Reads a whole file, once a connection is free for it.
 * @throws MediaError, or the signal's own reason where it was cancelled.
 */
export async function readMedia(
  url: string,
  { kind = "download", signal, onWait, isVisible }: ReadOptions = {},
): Promise<Blob> {
  const releaseTransfer = await openTransfer(kind, { signal, onWait, isVisible });
  const silence = new AbortController();
  let stopTimer = () => {};
  try {
    const response = await fetchMedia(url, signal ? AbortSignal.any([signal, silence.signal]) : silence.signal);
    const length = declaredLength(response);
    if (length !== undefined && length > LARGEST_BYTES) {
      response.body?.cancel().catch(() => undefined);
      throw new MediaError("large", response.status);
    }
    const blob = await withoutSilence(response)
      .blob()
      .catch((cause) => {
        signal?.throwIfAborted();
        const timedOut = silence.signal.aborted;
        throw new MediaError("failed", response.status, { cause: new NoAnswerError({ cause, timedOut }) });
      });
    if (blob.size === 0) throw new MediaError("empty", response.status);
    if (length !== undefined && blob.size < length) {
      const said = `${fileSize(blob.size)} of ${fileSize(length)} arrived.`;
      throw new MediaError("failed", response.status, { said });
    }
    return blob;
  } finally {
    stopTimer();
    releaseTransfer();
  }

  /** The same response, aborted after `SILENCE_MS` without new bytes. */
  function withoutSilence(response: Response): Response {
    const restart = () => {
      stopTimer();
      stopTimer = afterSilence(SILENCE_MS, () => silence.abort());
    };
    restart();
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        restart();
        controller.enqueue(chunk);
      },
    });
    const { body, headers } = response;
    return new Response(body?.pipeThrough(watch) ?? null, { headers });
  }
}
