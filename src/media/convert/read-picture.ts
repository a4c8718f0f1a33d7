/** A picture's pixels, ready to be drawn. Close it when done. */
export interface ReadPicture {
  source: CanvasImageSource;
  width: number;
  height: number;
  close(): void;
}

/**
 * Decodes a picture as this browser can, upright by its own orientation mark. Rejects where it cannot. Some browsers
 * decode HEIC and TIFF in an image element only, so that is the second try.
 */
export async function readPicture(file: Blob): Promise<ReadPicture> {
  try {
    const bitmap = await createImageBitmap(file);
    return { source: bitmap, width: bitmap.width, height: bitmap.height, close: () => bitmap.close() };
  } catch {
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
}
