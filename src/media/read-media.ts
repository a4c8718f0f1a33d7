import { NoAnswerError } from "#api/api-error.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { fetchMedia, MediaError } from "./fetch-media.ts";

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
  try {
    const response = await fetchMedia(url, signal);
    return await response.blob().catch((cause) => {
      signal?.throwIfAborted();
      throw new MediaError("broken", response.status, { cause: new NoAnswerError({ cause }) });
    });
  } finally {
    end();
  }
}
