import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { putUpload, uploadContentType } from "#api/put-upload.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import type { FileType, MediaKind } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { convertFile } from "./convert/convert-file.ts";
import { fetchMedia, MediaError } from "./fetch-media.ts";
import { uploadHash } from "./upload-hash.ts";
import { forgetUploads, rememberedUploads, rememberUpload } from "./upload-memory.ts";
import { planUpload } from "./upload-plan.ts";

export interface UploadOptions {
  api: Api;
  /** Whose uploads are remembered: the connection's key fingerprint. */
  accountId: string;
  file: File;
  /** The kind that the field takes; any of the six types where not given. */
  kind?: MediaKind | undefined;
  signal?: AbortSignal;
  /** How far a conversion is, from 0 to 1. It comes before anything is sent. */
  onConvert?: (done: number) => void;
  /** Bytes sent and bytes in all. */
  onProgress?: (sent: number, total: number) => void;
  /** How long to wait after so many failures, ms. */
  waitMs?: (failures: number) => number;
}

export interface StoredFile {
  publicUrl: string;
  /** What was done to the file first, for the person; undefined where it was stored as it is. */
  note: string | undefined;
}

const MOST_TRIES = 3;

/**
 * Stores a file with the service and gives the public address for a payload (spec 4.1). The type comes from the file's
 * bytes; one that the service does not store is converted first. The same bytes are sent once per key.
 * @throws UnusableFileError before any request, an ApiError, or the signal's reason.
 */
export async function uploadFile({ api, accountId, file, kind: wanted, ...options }: UploadOptions): Promise<StoredFile> {
  const { signal, onConvert } = options;
  const { found, kind, fileType } = await planUpload(file, wanted);
  const hash = await uploadHash(file);
  signal?.throwIfAborted();
  const before = await stillStored(accountId, hash, signal);
  if (before) return { publicUrl: before, note: undefined };
  if (fileType) return { publicUrl: await store(file, fileType), note: undefined };
  onConvert?.(0);
  const { file: made, note } = await convertFile(file, found, { signal, onProgress: onConvert });
  const { fileType: madeType = "png" } = await planUpload(made, kind);
  return { publicUrl: await store(made, madeType), note };

  async function store(blob: File, type: FileType): Promise<string> {
    const publicUrl = await putWithTries(api, blob, type, options);
    const { name } = file;
    if (hash) await rememberUpload(accountId, { hash, publicUrl, name, kind, uploadedAtMs: Date.now() });
    return publicUrl;
  }
}

/** Where the same bytes went before, unless the service says that they are no longer there. */
async function stillStored(accountId: string, hash: string | undefined, signal: AbortSignal | undefined) {
  const upload = (await rememberedUploads(accountId)).find((known) => known.hash === hash);
  if (!upload) return undefined;
  try {
    const found = await fetchMedia(upload.publicUrl, signal);
    // Only the status was of interest; how the rest ends does not matter.
    found.body?.cancel().catch(() => undefined);
  } catch (error) {
    signal?.throwIfAborted();
    // A storage that answers no page says nothing about the file.
    if (error instanceof MediaError && error.failure !== "unreadable") {
      await forgetUploads(accountId, [upload.publicUrl]);
      return undefined;
    }
  }
  return upload.publicUrl;
}

type TryOptions = Pick<UploadOptions, "signal" | "onProgress" | "waitMs">;

async function putWithTries(api: Api, file: File, fileType: FileType, options: TryOptions): Promise<string> {
  const { signal, onProgress } = options;
  const how = { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
  const ask = () => withTries(() => api.requestUpload(fileType, signal), options);
  const put = (to: string, type: string) => withTries(() => putUpload(to, file, type, how), options);
  const first = await ask();
  try {
    await put(first.uploadUrl, uploadContentType(fileType));
    return first.publicUrl;
  } catch (error) {
    // A 403 has two causes that look the same (spec 7): another Content-Type than the address was signed for, and an
    // address that has run out. Real storage signs mp3 as audio/mpeg, against the wording of spec 4.1; anything else
    // gets one fresh address.
    if (!(error instanceof RefusedError) || error.status !== 403) throw error;
    if (fileType === "mp3") {
      await put(first.uploadUrl, "audio/mpeg");
      return first.publicUrl;
    }
  }
  const fresh = await ask();
  await put(fresh.uploadUrl, uploadContentType(fileType));
  return fresh.publicUrl;
}

/** Storing the same bytes twice costs nothing, so what waiting may cure is tried three times in all (reliability T5). */
async function withTries<T>(act: () => Promise<T>, { signal, waitMs = retryDelayMs }: TryOptions): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (failures + 1 >= MOST_TRIES || !isTransient(error)) throw error;
      await abortableDelay(waitMs(failures), signal);
    }
  }
}
