/**
 * Makes this worker answer the bytes of a file with its picture, upright, or with undefined where it cannot be
 * read.
 */
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
  const target = upright(width, height, orientation);
  const turned = new OffscreenCanvas(target.width, target.height);
  const context = turned.getContext("2d");
  context?.setTransform(...target.matrix);
  context?.drawImage(canvas, 0, 0);
  return turned.transferToImageBitmap();
}

/** The matrix of each TIFF orientation for a picture of `w` by `h`, as `setTransform` takes it (TIFF 6.0, tag 274). */
const MATRICES: Readonly<Record<number, (w: number, h: number) => [number, number, number, number, number, number]>> = {
  2: (w) => [-1, 0, 0, 1, w, 0],
  3: (w, h) => [-1, 0, 0, -1, w, h],
  4: (_, h) => [1, 0, 0, -1, 0, h],
  5: () => [0, 1, 1, 0, 0, 0],
  6: (_, h) => [0, 1, -1, 0, h, 0],
  7: (w, h) => [0, -1, -1, 0, h, w],
  8: (w) => [0, -1, 1, 0, 0, w],
};

/**
 * How a picture with an orientation mark is drawn upright: the size of the canvas, and the matrix to draw it with.
 */
export function upright(width: number, height: number, orientation: number) {
  const isOnItsSide = orientation >= 5 && orientation <= 8;
  const matrix = MATRICES[orientation]?.(width, height) ?? [1, 0, 0, 1, 0, 0];
  return isOnItsSide ? { width: height, height: width, matrix } : { width, height, matrix };
}

/** A decoded picture: RGBA, 8 bits a channel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
  /** 1 to 8, as TIFF and Exif count; 1 is upright. */
  orientation: number;
}
