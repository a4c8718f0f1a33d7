import { afterSilence } from "#lib/delay.ts";
import { asRecord } from "#lib/read.ts";
import { NoAnswerError, UnreadableAnswerError } from "./api-error.ts";
import { readError } from "./read-error.ts";
import type { FileType, UploadTarget } from "./types.ts";

/**
 * Reads the two addresses of an upload (spec 2), relative ones resolved against the queue's address. Both must be https,
 * or plain http where the queue itself is. Throws `UnreadableAnswerError`, whose excerpt never holds the signed address.
 */
export function readUploadTarget(raw: unknown, queueBaseUrl: string): UploadTarget {
  const record = asRecord(raw);
  const uploadUrl = addressOf(record.upload_url, queueBaseUrl);
  const publicUrl = addressOf(record.public_url, queueBaseUrl);
  if (uploadUrl === undefined || publicUrl === undefined) {
    const excerpt = `Keys: ${Object.keys(record).join(", ")}`;
    throw new UnreadableAnswerError({
      status: 200,
      excerpt,
      reason: "The response contains no usable upload URL.",
    });
  }
  return { uploadUrl, publicUrl };
}

function addressOf(value: unknown, base: string): string | undefined {
  if (typeof value !== "string" || value === "" || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  const allowed = url.protocol === "https:" || (url.protocol === "http:" && new URL(base).protocol === "http:");
  return allowed ? url.href : undefined;
}

const MEDIA_OF_FILE_TYPE: Record<FileType, string> = {
  jpeg: "image",
  jpg: "image",
  png: "image",
  mp4: "video",
  mp3: "audio",
  wav: "audio",
};

/**
 * The exact Content-Type of a signed upload: `<kind>/<file_type as passed>`, so `image/jpg` for jpg (spec 4.1).
 */
export function uploadContentType(fileType: FileType): string {
  return `${MEDIA_OF_FILE_TYPE[fileType]}/${fileType}`;
}

/**
 * PUTs a file's bytes to a signed address (spec 4.1), with the headers of the target. The key is not sent: the address
 * itself is the permission. `onProgress` gets bytes sent and bytes in all. The upload is aborted after `idleMs` without
 * progress. Rejects with `RefusedError` (403 for any other Content-Type), `NoAnswerError`, or the signal's reason. Uses
 * XMLHttpRequest because `fetch` reports no progress.
 */
export function putUpload(
  { uploadUrl, headers }: Pick<UploadTarget, "uploadUrl" | "headers">,
  file: Blob,
  contentType: string,
  {
    signal,
    onProgress,
    idleMs = 30_000,
  }: { signal?: AbortSignal; onProgress?: (sent: number, total: number) => void; idleMs?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const request = new XMLHttpRequest();
    let stopTimer = () => {};
    const stop = () => request.abort();
    const settle = (end: () => void) => () => {
      stopTimer();
      signal?.removeEventListener("abort", stop);
      end();
    };
    let timedOut = false;
    const restartIdle = () => {
      stopTimer();
      stopTimer = afterSilence(idleMs, () => {
        timedOut = true;
        request.abort();
      });
    };
    request.open("PUT", uploadUrl);
    for (const [name, value] of Object.entries({ ...headers, "Content-Type": contentType })) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => {
      restartIdle();
      onProgress?.(event.loaded, event.total);
    };
    request.onload = settle(() => {
      if (request.status >= 200 && request.status < 300) resolve();
      else reject(readError(request.status, request.responseText.slice(0, 64 * 1024), readHeaders(request)));
    });
    request.onerror = settle(() => reject(new NoAnswerError()));
    request.onabort = settle(() => reject(timedOut ? new NoAnswerError({ timedOut: true }) : signal?.reason));
    signal?.addEventListener("abort", stop, { once: true });
    restartIdle();
    request.send(file);
  });
}

/** The headers that a page may read. Asking for one of the others by name writes an error into the console. */
function readHeaders(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
