import type { MediaItem } from "#api/types.ts";
import { fetchMedia, MediaError, type MediaFailure } from "./fetch-media.ts";
import { blobKind } from "./file-kind.ts";
import { type MediaNameParts, mediaFileName } from "./media-file-name.ts";
import { safeMediaUrl } from "./safe-media-url.ts";
import { saveBlob } from "./save-blob.ts";

/** How a download ended. A file that was opened could not be given a name, and the reason says why. */
export type DownloadOutcome =
  | { how: "saved"; name: string; bytes: number }
  | { how: "opened"; reason: string }
  | { how: "failed"; failure: MediaFailure };

export interface DownloadRequest {
  job: MediaNameParts["job"];
  item: MediaItem;
  /** Place of the file in its job, from 0. */
  index: number;
  template?: string;
  signal?: AbortSignal;
  /** Changes a file's bytes before it is saved, such as writing its parameters into it. */
  finish?: (file: NamedFile, job: MediaNameParts["job"]) => Promise<Blob>;
}

export interface NamedFile {
  blob: Blob;
  name: string;
  extension: string;
}

export const OPENED_REASON =
  "The storage does not let a page read this file, so it was opened in a new tab. Save it from there: the name cannot be set.";

/**
 * Downloads one file: fetched, told by its bytes, named and saved. Where the storage refuses the page's request, the
 * file opens in a new tab and the reason is given.
 * @throws only the signal's reason, where it was cancelled.
 */
export async function downloadMedia(request: DownloadRequest): Promise<DownloadOutcome> {
  try {
    const file = await readMediaFile(request);
    const blob = request.finish ? await request.finish(file, request.job) : file.blob;
    saveBlob(blob, file.name);
    return { how: "saved", name: file.name, bytes: blob.size };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    const address = safeMediaUrl(request.item.url);
    if (error.failure !== "unreadable" || !address?.startsWith("http"))
      return { how: "failed", failure: error.failure };
    window.open(address, "_blank", "noopener,noreferrer");
    return { how: "opened", reason: OPENED_REASON };
  }
}

/**
 * The bytes of one file with the name they earn. A type that is not on the list becomes `application/octet-stream`, so
 * that no browser ever runs it.
 * @throws MediaError
 */
export async function readMediaFile(request: DownloadRequest): Promise<NamedFile> {
  const response = await fetchMedia(request.item.url, request.signal);
  const body = await readBody(response, request.signal);
  const kind = await blobKind(body);
  const extension = kind?.extension ?? "bin";
  const { job, index, template } = request;
  return {
    blob: body.slice(0, body.size, kind?.mimeType ?? "application/octet-stream"),
    name: mediaFileName({ job, index, extension, ...(template ? { template } : {}) }),
    extension,
  };
}

async function readBody(response: Response, signal: AbortSignal | undefined): Promise<Blob> {
  try {
    return await response.blob();
  } catch (cause) {
    signal?.throwIfAborted();
    throw new MediaError("broken", response.status, { cause });
  }
}
