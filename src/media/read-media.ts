import { NoAnswerError } from "#api/api-error.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { afterSilence } from "#lib/delay.ts";
import { fetchMedia, SILENCE_MS } from "./fetch-media.ts";
import { fileSize } from "./file-kind.ts";
import { MediaError } from "./media-failure.ts";

interface ReadOptions {
  /** `media` for what is only shown: everything else goes before it. */
  kind?: "download" | "media";
  signal?: AbortSignal | undefined;
  /** Whether it waits for a free connection, whenever that changes. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
  /** Of what waits for a connection, that which is on the screen goes first. */
  isVisible?: (() => boolean) | undefined;
}

/** What a browser can put together, into its disk where it must. */
const LARGEST_BYTES = 4e9;

/** The length that an answer says it has; undefined where it is not that of the bytes that a page sees. */
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
  const end = await openTransfer(kind, { signal, onWait, isVisible });
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
    end();
  }

  /** The same answer, which is broken off once its bytes stop coming. */
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
