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

/** How a picture with an orientation mark is drawn upright: the size of the canvas, and the matrix to draw it with. */
export function upright(width: number, height: number, orientation: number) {
  const isOnItsSide = orientation >= 5 && orientation <= 8;
  const matrix = MATRICES[orientation]?.(width, height) ?? [1, 0, 0, 1, 0, 0];
  return isOnItsSide ? { width: height, height: width, matrix } : { width, height, matrix };
}
