import { readFrame } from "#media/clips/read-frame.ts";
import { isFileDeleted, isMediaDeleted } from "#media/deleted-media.ts";
import { knownFacts } from "#media/file-facts.ts";
import { FAILURE_WORDS, failureWithAge, MediaError } from "#media/media-failure.ts";
import { readMedia } from "#media/read-media.ts";
import type { DrawnThumb } from "#media/thumbs/draw-thumb.ts";
import { makeSmall } from "#media/thumbs/make-small.ts";
import type { ExportCell } from "./export-sheet.ts";

/** A result of which there is no picture, and why in a word or two. */
export interface MissingPicture {
  id: string;
  word: string;
}

interface ReadOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const AT_ONCE = 4;

/**
 * Gives a small picture of each cell that has a file to `use`, as they come, a few at a time: of a clip its first frame.
 * Resolves to those that have none. Rejects with the signal's reason, and with what `use` throws.
 */
export async function forEachPicture(
  cells: readonly ExportCell[],
  use: (cell: ExportCell, picture: DrawnThumb) => void | Promise<void>,
  { signal, onProgress }: ReadOptions,
): Promise<MissingPicture[]> {
  const wanted = cells.filter(({ file }) => file !== undefined);
  const missing: MissingPicture[] = [];
  let next = 0;
  let done = 0;
  onProgress(0, wanted.length);
  const work = async () => {
    for (let cell = wanted[next++]; cell; cell = wanted[next++]) {
      signal.throwIfAborted();
      const picture = await readPicture(cell, signal).catch((error: unknown): string => {
        signal.throwIfAborted();
        return reasonOf(error, cell);
      });
      if (typeof picture === "string") missing.push({ id: cell.id, word: picture });
      else await use(cell, picture);
      done += 1;
      onProgress(done, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return missing;
}

/** @throws MediaError, a ClipError, or the signal's reason. A text is why there is none. */
async function readPicture({ file, requestId }: ExportCell, signal: AbortSignal): Promise<DrawnThumb | string> {
  if (!file) return "No file";
  const isGone = isFileDeleted(file.url) !== false || isMediaDeleted(requestId ?? "");
  if (isGone) return FAILURE_WORDS.deleted.title;
  const kind = knownFacts(file.url)?.kind ?? file.kind;
  if (kind === "audio") return "Audio";
  const bytes = kind === "video" ? await readFrame(file.url, 0, { signal }) : await readMedia(file.url, { signal });
  const small = await makeSmall(bytes);
  return small ?? (kind === "other" ? "File without a picture" : FAILURE_WORDS.broken.title);
}

function reasonOf(error: unknown, { createdAtSeconds }: ExportCell): string {
  if (!(error instanceof MediaError)) return FAILURE_WORDS.broken.title;
  return FAILURE_WORDS[failureWithAge(error.failure, { createdAtSeconds, nowMs: Date.now() })].title;
}
