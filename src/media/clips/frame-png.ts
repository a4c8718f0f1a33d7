import { ClipError } from "./clip-error.ts";

/** A canvas as a PNG. Rejects with a `ClipError`. */
export function canvasToPng(canvas: HTMLCanvasElement | OffscreenCanvas): Promise<Blob> {
  if (!(canvas instanceof HTMLCanvasElement)) return canvas.convertToBlob({ type: "image/png" });
  return new Promise((resolve, reject) => {
    const failed = new ClipError("The browser couldn’t create an image of this video.");
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(failed)), "image/png");
  });
}
