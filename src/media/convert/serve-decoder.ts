import type { Pixels } from "./pixels.ts";
import { upright } from "./upright.ts";

/** Makes this worker answer the bytes of a file with its picture, upright, or with nothing where it cannot be read. */
export function serveDecoder(read: (bytes: ArrayBuffer) => Pixels | Promise<Pixels>): void {
  self.onmessage = async ({ data: bytes }: MessageEvent<ArrayBuffer>) => {
    try {
      const picture = draw(await read(bytes));
      self.postMessage(picture, { transfer: [picture] });
    } catch {
      self.postMessage(undefined);
    }
  };
}

function draw({ width, height, data, orientation }: Pixels): ImageBitmap {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.putImageData(new ImageData(data, width, height), 0, 0);
  if (orientation === 1) return canvas.transferToImageBitmap();
  const place = upright(width, height, orientation);
  const turned = new OffscreenCanvas(place.width, place.height);
  const context = turned.getContext("2d");
  context?.setTransform(...place.matrix);
  context?.drawImage(canvas, 0, 0);
  return turned.transferToImageBitmap();
}
