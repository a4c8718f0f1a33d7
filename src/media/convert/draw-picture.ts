import type { ReadPicture } from "./read-picture.ts";

// A photograph as png is many times its jpeg: a small one stays exact, a large one becomes a jpeg that shows no loss.
const LARGEST_PNG_BYTES = 8_000_000;
const JPEG_QUALITY = 0.95;

/** A rectangle of a picture, in its own pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * A rectangle of a picture at a size in pixels, as png, or as jpeg where nothing shows through and the png would be
 * large. Rejects where the canvas is larger than this browser can hold.
 */
export async function drawPicture(
  picture: ReadPicture,
  area: Area = { x: 0, y: 0, width: picture.width, height: picture.height },
  size: { width: number; height: number } = area,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.round(size.width), Math.round(size.height));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser offers no canvas of this size.");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture.source, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  const png = await canvas.convertToBlob({ type: "image/png" });
  if (png.size <= LARGEST_PNG_BYTES || isSeeThrough(context)) return png;
  return canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
}

/** Looks at bands of rows, so that a large picture is not copied as a whole. */
function isSeeThrough(context: OffscreenCanvasRenderingContext2D): boolean {
  const { width, height } = context.canvas;
  const rows = 256;
  for (let top = 0; top < height; top += rows) {
    const { data } = context.getImageData(0, top, width, Math.min(rows, height - top));
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  }
  return false;
}
