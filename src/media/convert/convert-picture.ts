import type { FileKind } from "../file-kind.ts";
import { UnusableFileError } from "../unusable-file-error.ts";
import { convertedName } from "./converted-name.ts";
import { drawPicture } from "./draw-picture.ts";
import { type ReadPicture, readPicture } from "./read-picture.ts";

/** What a person can do with a file that no decoder here reads. */
const HOW_TO: Readonly<Record<string, string>> = {
  heic: "Export it as JPEG first: in Photos or Preview choose Export; on an iPhone, Settings, Camera, Formats, Most Compatible.",
  tiff: "Export it as PNG or JPEG first, in any picture program.",
};

/** A picture of another kind as png or jpeg. @throws UnusableFileError where this browser cannot decode it. */
export async function convertPicture(file: File, found: FileKind): Promise<File> {
  let picture: ReadPicture;
  try {
    picture = await readPicture(file);
  } catch (error) {
    if (error instanceof UnusableFileError) throw error;
    const how = HOW_TO[found.extension] ?? "Save it as PNG or JPEG first.";
    const problem = `This browser cannot read "${file.name}" (${found.extension}).`;
    throw new UnusableFileError(`${problem} It may be damaged, or of an unusual kind. ${how}`);
  }
  try {
    const made = await drawPicture(picture);
    return new File([made], convertedName(file.name, made.type === "image/jpeg" ? "jpg" : "png"), { type: made.type });
  } catch {
    const size = `${picture.width} × ${picture.height}`;
    throw new UnusableFileError(`"${file.name}" is too large for this browser to convert (${size} pixels).`);
  } finally {
    picture.close();
  }
}
