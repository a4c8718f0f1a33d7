import { trustWorker } from "#lib/trust-worker.ts";
import { UnusableFileError } from "../unusable-file-error.ts";
import heicWorker from "./heic-worker.ts?worker&url";
import tiffWorker from "./tiff-worker.ts?worker&url";

const WORKERS: Readonly<Record<string, string>> = { heic: heicWorker, tiff: tiffWorker };
/** A photograph takes seconds; a file made to hold a decoder up is given up. */
const LONGEST_MS = 60_000;

/**
 * A picture of a kind that this browser may not know, decoded in a worker that is loaded with the first one: HEIC or
 * TIFF, by the extension that `fileKind` gives. Rejects for other kinds, where it cannot be read, and after a minute.
 * @throws UnusableFileError where the decoder itself cannot be had.
 */
export async function decodePicture(file: Blob, extension: string): Promise<ImageBitmap> {
  const address = WORKERS[extension];
  if (!address) throw new Error(`There is no decoder for ${extension}.`);
  const bytes = await file.arrayBuffer();
  const worker = new Worker(trustWorker(address), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<ImageBitmap>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error("The decoder takes too long.")), LONGEST_MS);
      worker.onerror = () =>
        reject(
          new UnusableFileError(`What reads ${extension} files could not be loaded. Try again, or reload the page.`),
        );
      worker.onmessage = ({ data }: MessageEvent<ImageBitmap | undefined>) =>
        data ? resolve(data) : reject(new Error("The decoder cannot read this picture."));
      worker.postMessage(bytes, [bytes]);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
