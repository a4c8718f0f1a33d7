import type { FileKind } from "../file-kind.ts";
import { fileSize } from "../file-size.ts";
import { conversionTarget } from "./conversion-target.ts";
import type { ConvertOptions } from "./convert-recording.ts";

export interface Converted {
  file: File;
  /** For the person: "study.heic converted to png, 1.2 MB". */
  note: string;
}

/** What of a file that may hold several pictures is taken. */
const FIRST: Readonly<Record<string, string>> = { gif: ", its first frame", tiff: ", its first page" };

/**
 * A file of a kind that the service stores, made in this browser from one that it does not. What does the work is
 * loaded here, with the first file that needs it.
 * @throws UnusableFileError where this browser cannot read the file, or the signal's reason.
 */
export async function convertFile(file: File, found: FileKind, options: ConvertOptions = {}): Promise<Converted> {
  const target = conversionTarget(found);
  if (target === "picture") {
    const { convertPicture } = await import("./convert-picture.ts");
    const made = await convertPicture(file, found);
    options.signal?.throwIfAborted();
    return told(file, made, FIRST[found.extension] ?? "");
  }
  const { convertRecording } = await import("./convert-recording.ts");
  return told(file, await convertRecording(file, target === "clip" ? "mp4" : "wav", options), "");
}

function told(from: File, made: File, which: string): Converted {
  const extension = made.name.slice(made.name.lastIndexOf(".") + 1);
  return { file: made, note: `${from.name} converted to ${extension}${which}, ${fileSize(made.size)}` };
}
