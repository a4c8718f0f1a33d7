import { FILE_TYPES, type FileType, type MediaKind } from "#api/types.ts";
import { conversionTarget, inputKind } from "./convert/conversion-target.ts";
import { blobKind, type FileKind } from "./file-kind.ts";
import { fileSize } from "./file-size.ts";
import { UnusableFileError } from "./unusable-file-error.ts";

export interface UploadPlan {
  found: FileKind;
  kind: MediaKind;
  /** The service's word for it; undefined where the file has to be converted first. */
  fileType: FileType | undefined;
}

// The specification names no limit (spec 8). These are far above any real input, and catch a disk image chosen by mistake
// before hours of uploading.
const MOST_BYTES: Record<MediaKind, number> = { image: 100e6, audio: 500e6, video: 2e9, other: 2e9 };

const TAKEN: Record<MediaKind, string> = {
  image: "This field takes png and jpeg; webp, avif, gif, bmp, heic and tiff are converted where this browser can.",
  video: "This field takes mp4; mov and webm are converted where this browser can.",
  audio: "This field takes mp3 and wav; flac, ogg and m4a are converted where this browser can.",
  other: `The service stores ${FILE_TYPES.join(", ")}; other pictures, clips and sounds are converted where this browser can.`,
};

/**
 * What is to be done with a file before it is stored, told by its bytes and never by its name or claimed type.
 * @throws UnusableFileError where the service would not store it, or a field of this kind would not take it.
 */
export async function planUpload(file: File, wanted?: MediaKind): Promise<UploadPlan> {
  if (file.size === 0) throw new UnusableFileError(`"${file.name}" is empty.`);
  let found: FileKind | undefined;
  try {
    found = await blobKind(file);
  } catch {
    throw new UnusableFileError(`"${file.name}" can no longer be read. Choose it again.`);
  }
  const target = found && conversionTarget(found);
  if (!found || (!found.fileType && !target)) {
    const what = found ? `a ${found.extension} file` : "no picture, clip or sound that is known here";
    throw new UnusableFileError(`"${file.name}" is ${what}. ${TAKEN[wanted ?? "other"]}`);
  }
  const kind = inputKind(found);
  if (wanted && wanted !== "other" && kind !== wanted) {
    throw new UnusableFileError(`"${file.name}" is ${article(kind)}. This field takes ${article(wanted)}.`);
  }
  if (file.size > MOST_BYTES[kind]) {
    const most = fileSize(MOST_BYTES[kind]);
    throw new UnusableFileError(`"${file.name}" has ${fileSize(file.size)}. The most for ${article(kind)} is ${most}.`);
  }
  // Spec 8 lists jpg and jpeg as two types; the bytes are the same, so the name decides.
  const isNamedJpeg = found.fileType === "jpg" && /\.jpeg$/i.test(file.name);
  return { found, kind, fileType: isNamedJpeg ? "jpeg" : found.fileType };
}

function article(kind: MediaKind): string {
  return kind === "image" ? "an image" : kind === "audio" ? "an audio file" : kind === "video" ? "a video" : "a file";
}
