import { blobKind } from "../file-kind.ts";

/** A picture's pixels, ready to be drawn. Close it when done. */
export interface ReadPicture {
  source: CanvasImageSource;
  width: number;
  height: number;
  close(): void;
}

const ofBitmap = (bitmap: ImageBitmap): ReadPicture => ({
  source: bitmap,
  width: bitmap.width,
  height: bitmap.height,
  close: () => bitmap.close(),
});

/**
 * Decodes a picture, upright by its own orientation mark: as this browser can, in an image element where it decodes HEIC
 * and TIFF only there, and with a decoder of ours where it knows neither. Rejects where nothing can.
 */
export async function readPicture(file: Blob): Promise<ReadPicture> {
  try {
    return ofBitmap(await createImageBitmap(file));
  } catch {
    return readInElement(file).catch(async () => {
      const [{ decodePicture }, found] = await Promise.all([import("./decode-picture.ts"), blobKind(file)]);
      return ofBitmap(await decodePicture(file, found?.extension ?? ""));
    });
  }
}

async function readInElement(file: Blob): Promise<ReadPicture> {
  const url = URL.createObjectURL(file);
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  const { naturalWidth: width, naturalHeight: height } = image;
  return { source: image, width, height, close: () => URL.revokeObjectURL(url) };
}
