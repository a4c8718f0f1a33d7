import { planUpload } from "#media/upload-plan.ts";

interface Size {
  width: number;
  height: number;
}

/** Proportions closer than this are the same to the eye. */
const SAME_RATIO = 0.01;

/** Whether a picture has other proportions than a ratio of width over height. */
export function isOtherShape({ width, height }: Size, ratio: number): boolean {
  return Math.abs(Math.log(width / height / ratio)) > SAME_RATIO;
}

/** A picture file's size in pixels; undefined for anything that is no picture or that this browser cannot read. */
export async function pictureSize(file: File): Promise<Size | undefined> {
  try {
    await planUpload(file, "image");
    const { readPicture } = await import("#media/convert/read-picture.ts");
    const { width, height, close } = await readPicture(file);
    close();
    return { width, height };
  } catch {
    return undefined;
  }
}
