import { conversionTarget, type FileKind, fileSize } from "../file-kind.ts";
import type { ConvertOptions } from "./convert-recording.ts";
import { convertPicture } from "./picture.ts";

interface Converted {
  file: File;
  /** For the person: "study.heic converted to png, 1.2 MB". */
  note: string;
}

/** Words for which picture is converted of a file that may have several. */
const FIRST: Readonly<Record<string, string>> = { gif: ", its first frame", tiff: ", its first page" };

/**
 * A file of a kind that the service stores, made in this browser from one that it does not. The library
 * for clips and sounds is loaded with the first one.
 * @throws UnusableFileError where this browser cannot read the file, or the signal's reason.
 */
export async function convertFile(file: File, found: FileKind, options: ConvertOptions = {}): Promise<Converted> {
  const target = conversionTarget(found);
  if (target === "picture") {
    const made = await convertPicture(file, found);
    options.signal?.throwIfAborted();
    return converted(file, made, FIRST[found.extension] ?? "");
  }
  const { convertRecording } = await import("./convert-recording.ts");
  return converted(file, await convertRecording(file, target === "clip" ? "mp4" : "wav", options), "");
}

function converted(from: File, made: File, which: string): Converted {
  const extension = made.name.slice(made.name.lastIndexOf(".") + 1);
  return { file: made, note: `${from.name} converted to ${extension}${which}, ${fileSize(made.size)}` };
}
