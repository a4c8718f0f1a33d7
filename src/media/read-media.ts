import { NoAnswerError } from "#api/api-error.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { afterSilence } from "#lib/delay.ts";
import { fetchMedia, MediaError, SILENCE_MS } from "./fetch-media.ts";

interface ReadOptions {
  /** `media` for what is only shown: everything else goes before it. */
  kind?: "download" | "media";
  signal?: AbortSignal | undefined;
  /** Whether it waits for a free connection, whenever that changes. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/**
 * Reads a whole file, once a connection is free for it.
 * @throws MediaError, or the signal's own reason where it was cancelled.
 */
export async function readMedia(url: string, { kind = "download", signal, onWait }: ReadOptions = {}): Promise<Blob> {
  const end = await openTransfer(kind, { signal, onWait });
  const silence = new AbortController();
  let stopTimer = () => {};
  try {
    const response = await fetchMedia(url, signal ? AbortSignal.any([signal, silence.signal]) : silence.signal);
    return await withoutSilence(response)
      .blob()
      .catch((cause) => {
        signal?.throwIfAborted();
        const timedOut = silence.signal.aborted;
        throw new MediaError("failed", response.status, { cause: new NoAnswerError({ cause, timedOut }) });
      });
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
