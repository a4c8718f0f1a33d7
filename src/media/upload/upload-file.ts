import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import { FILE_TYPES, type FileType, type MediaKind, type UploadTarget } from "#api/types.ts";
import { putUpload, uploadContentType } from "#api/uploads.ts";
import { openTransfer } from "#connection/open-transfer.ts";
import { abortableDelay } from "#lib/delay.ts";
import { convertFile } from "../convert/convert-file.ts";
import { fetchMedia } from "../fetch-media.ts";
import { blobKind, conversionTarget, type FileKind, fileSize, inputKind, UnusableFileError } from "../file-kind.ts";
import { MediaError, type MediaFailure } from "../media-failure.ts";
import { forgetUploads, rememberedUploads, rememberUpload } from "./upload-memory.ts";

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
  /** Called whenever the transfer begins or stops waiting for a free connection. */
  onWait?: (isWaiting: boolean) => void;
  /** Bytes sent and bytes in all. */
  onProgress?: (sent: number, total: number) => void;
  /** How long to wait after `failures` failures, of which `error` was the last, in ms. */
  waitMs?: (failures: number, error: unknown) => number;
}

interface StoredFile {
  publicUrl: string;
  /** What was done to the file first, for the person; undefined where it was stored as it is. */
  note: string | undefined;
}

/**
 * Stores a file with the service and gives the public address for a payload (spec 4.1). The type comes from the file's
 * bytes; one that the service does not store is converted first. The same bytes are sent once per key.
 * @throws UnusableFileError before any request, an ApiError, or the signal's reason.
 */
export async function uploadFile({
  api,
  accountId,
  file,
  kind: wanted,
  ...options
}: UploadOptions): Promise<StoredFile> {
  const { signal, onConvert } = options;
  const { found, kind, fileType } = await planUpload(file, wanted);
  const hash = await uploadHash(file);
  signal?.throwIfAborted();
  const storedUrl = await findStored(accountId, hash, signal);
  if (storedUrl) return { publicUrl: storedUrl, note: undefined };
  if (fileType) return { publicUrl: await store(file, fileType), note: undefined };
  onConvert?.(0);
  const { file: made, note } = await convertFile(file, found, { signal, onProgress: onConvert });
  const { fileType: madeType = "png" } = await planUpload(made, kind);
  return { publicUrl: await store(made, madeType), note };

  async function store(blob: File, type: FileType): Promise<string> {
    // Waits for a connection before it asks for the address, because that is signed for a short time.
    const releaseTransfer = await openTransfer("upload", { signal, onWait: options.onWait });
    const publicUrl = await putWithTries(api, blob, type, options).finally(releaseTransfer);
    const { name } = file;
    if (hash) await rememberUpload(accountId, { hash, publicUrl, name, kind, uploadedAtMs: Date.now() });
    return publicUrl;
  }
}

/** Failures that do not prove that a file is gone. */
const PROVES_NOTHING: readonly MediaFailure[] = ["unreadable", "unlisted", "unsafe", "redirected", "busy", "failed"];

/** The address at which the same bytes were stored before, unless the storage says that they are gone. */
async function findStored(accountId: string, hash: string | undefined, signal: AbortSignal | undefined) {
  const upload = (await rememberedUploads(accountId)).find((known) => known.hash === hash);
  if (!upload) return undefined;
  try {
    const found = await fetchMedia(upload.publicUrl, signal);
    // Only the status was of interest; how the rest ends does not matter.
    found.body?.cancel().catch(() => undefined);
  } catch (error) {
    signal?.throwIfAborted();
    // A storage that answers no page proves nothing about the file.
    if (error instanceof MediaError && !PROVES_NOTHING.includes(error.failure)) {
      await forgetUploads(accountId, [upload.publicUrl]);
      return undefined;
    }
  }
  return upload.publicUrl;
}

type TryOptions = Pick<UploadOptions, "signal" | "onProgress" | "waitMs">;

async function putWithTries(api: Api, file: File, fileType: FileType, options: TryOptions): Promise<string> {
  const { signal, onProgress } = options;
  const callbacks = { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
  const ask = () => withTries(() => api.requestUpload(fileType, signal), options);
  const put = (to: UploadTarget, type: string) => withTries(() => putUpload(to, file, type, callbacks), options);
  const first = await ask();
  try {
    await put(first, uploadContentType(fileType));
    return first.publicUrl;
  } catch (error) {
    // A 403 has two causes that look the same (spec 7): another Content-Type than the address was signed for, and an
    // address that has run out. Real storage signs mp3 as audio/mpeg, against the wording of spec 4.1; anything else
    // gets one fresh address.
    if (!(error instanceof RefusedError) || error.status !== 403) throw error;
    if (fileType === "mp3") {
      await put(first, "audio/mpeg");
      return first.publicUrl;
    }
  }
  const fresh = await ask();
  await put(fresh, uploadContentType(fileType));
  return fresh.publicUrl;
}

/** Repeats a request as reads are repeated, because storing the same bytes twice costs nothing. */
async function withTries<T>(act: () => Promise<T>, { signal, waitMs = retryDelayMs }: TryOptions): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await act();
    } catch (error) {
      if (!mayRetryRead(failures, error)) throw error;
      await abortableDelay(waitMs(failures, error), signal);
    }
  }
}

interface UploadPlan {
  found: FileKind;
  kind: MediaKind;
  /** The service's file type; undefined where the file has to be converted first. */
  fileType: FileType | undefined;
}

// The specification names no limit (spec 8). These are far above any real input, and catch a disk image chosen by
// mistake before hours of uploading.
const MAX_BYTES: Record<MediaKind, number> = { image: 100e6, audio: 500e6, video: 2e9, other: 2e9 };

/** What a field of each kind accepts, in words. */
const ACCEPTED: Record<MediaKind, string> = {
  image:
    "This field accepts PNG and JPEG. WebP, AVIF, GIF, BMP, HEIC and TIFF are converted if this browser can read them.",
  video: "This field accepts MP4. MOV and WebM are converted if this browser can read them.",
  audio: "This field accepts MP3 and WAV. FLAC, OGG and M4A are converted if this browser can read them.",
  other: `The service accepts ${FILE_TYPES.join(", ")}. Other images, videos and audio files are converted if this browser can read them.`,
};

/**
 * What is to be done with a file before it is stored. Its bytes decide, never its name or claimed type.
 * @throws UnusableFileError where the service would not store it, or a field of this kind would not take it.
 */
export async function planUpload(file: File, wanted?: MediaKind): Promise<UploadPlan> {
  if (file.size === 0) throw new UnusableFileError(`“${file.name}” is empty.`);
  let found: FileKind | undefined;
  try {
    found = await blobKind(file);
  } catch {
    throw new UnusableFileError(`“${file.name}” can no longer be read. Choose it again.`);
  }
  const target = found && conversionTarget(found);
  if (!found || (!found.fileType && !target)) {
    const what = found ? `is a ${found.extension} file` : "isn’t a supported image, video or audio file";
    throw new UnusableFileError(`“${file.name}” ${what}. ${ACCEPTED[wanted ?? "other"]}`);
  }
  const kind = inputKind(found);
  if (wanted && wanted !== "other" && kind !== wanted) {
    throw new UnusableFileError(`“${file.name}” is ${article(kind)}. This field accepts ${article(wanted)}.`);
  }
  if (file.size > MAX_BYTES[kind]) {
    const most = fileSize(MAX_BYTES[kind]);
    throw new UnusableFileError(`“${file.name}” is ${fileSize(file.size)}. The limit for ${article(kind)} is ${most}.`);
  }
  // Spec 8 lists jpg and jpeg as two types; the bytes are the same, so the name decides.
  const isNamedJpeg = found.fileType === "jpg" && /\.jpeg$/i.test(file.name);
  return { found, kind, fileType: isNamedJpeg ? "jpeg" : found.fileType };
}

function article(kind: MediaKind): string {
  return kind === "image" ? "an image" : kind === "audio" ? "an audio file" : kind === "video" ? "a video" : "a file";
}

const MAX_HASHED_BYTES = 64 * 1024 * 1024;

// SHA-256 of a file, in hex; undefined for a large one, which is not read into memory, and on a page that is not a
// secure context, where the browser has none.
async function uploadHash(file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle || file.size > MAX_HASHED_BYTES) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(await file.arrayBuffer()));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
