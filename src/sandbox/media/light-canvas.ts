import type { Colour } from "./colour.ts";

/** A picture in the making: linear light, three numbers a pixel. `unit` is the side of a square of the same area. */
export interface LightCanvas {
  width: number;
  height: number;
  unit: number;
  data: Float32Array;
}

export function createLightCanvas(width: number, height: number): LightCanvas {
  return { width, height, unit: Math.sqrt(width * height), data: new Float32Array(width * height * 3) };
}

/** Lays a colour over pixel `index` (counted in pixels) with a coverage of 0 to 1. */
export function lay(canvas: LightCanvas, index: number, red: number, green: number, blue: number, cover: number): void {
  const data = canvas.data;
  const at = index * 3;
  const below = 1 - cover;
  data[at] = (data[at] ?? 0) * below + red * cover;
  data[at + 1] = (data[at + 1] ?? 0) * below + green * cover;
  data[at + 2] = (data[at + 2] ?? 0) * below + blue * cover;
}

/** Adds light to pixel `index`. */
export function shine(canvas: LightCanvas, index: number, colour: Colour, strength: number): void {
  const data = canvas.data;
  const at = index * 3;
  data[at] = (data[at] ?? 0) + colour[0] * strength;
  data[at + 1] = (data[at + 1] ?? 0) + colour[1] * strength;
  data[at + 2] = (data[at + 2] ?? 0) + colour[2] * strength;
}

/**
 * Fills a shape within a box (in pixels, cut to the canvas). `distance` gives the signed distance of a pixel to the edge
 * of the shape in pixels, negative inside, which also smooths that edge.
 */
export function fillShape(
  canvas: LightCanvas,
  box: { left: number; top: number; right: number; bottom: number },
  distance: (x: number, y: number) => number,
  colourAt: (x: number, y: number) => Colour,
  opacity = 1,
): void {
  const right = Math.min(canvas.width - 1, Math.ceil(box.right));
  const bottom = Math.min(canvas.height - 1, Math.ceil(box.bottom));
  for (let y = Math.max(0, Math.floor(box.top)); y <= bottom; y++) {
    for (let x = Math.max(0, Math.floor(box.left)); x <= right; x++) {
      const cover = Math.min(1, 0.5 - distance(x, y));
      if (cover <= 0) continue;
      const colour = colourAt(x, y);
      lay(canvas, y * canvas.width + x, colour[0], colour[1], colour[2], cover * opacity);
    }
  }
}

/** A coarse picture, painted cell by cell and spread smoothly over the canvas: skies, glows and mists need no more. */
export function spread(
  canvas: LightCanvas,
  columns: number,
  bottom: number,
  paint: (x: number, y: number, out: Float32Array, at: number) => void,
): void {
  const cell = canvas.width / columns;
  const rows = Math.ceil(bottom / cell) + 2;
  const across = columns + 2;
  const coarse = new Float32Array(rows * across * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < across; column++) {
      paint(column * cell, row * cell, coarse, (row * across + column) * 3);
    }
  }
  enlarge(canvas, coarse, across, cell, Math.min(canvas.height, Math.ceil(bottom)), 0, 1);
}

/**
 * Lays a coarse picture of `across` cells a row, each `cell` pixels wide, smoothly over the first `last` rows.
 * `keep` is the share of the old light that stays, `strength` that of the new. The coarse picture needs one cell more
 * than the canvas on the right and below.
 */
export function enlarge(
  canvas: LightCanvas,
  coarse: Float32Array,
  across: number,
  cell: number,
  last: number,
  keep: number,
  strength: number,
): void {
  const { width, data } = canvas;
  const line = new Float32Array(across * 3);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor(x / cell) * 3);
  const overs = Float32Array.from({ length: width }, (_, x) => x / cell - Math.floor(x / cell));
  for (let y = 0; y < last; y++) {
    const row = Math.floor(y / cell);
    const down = y / cell - row;
    const above = row * across * 3;
    const below = above + across * 3;
    for (let i = 0; i < line.length; i++) {
      const upper = coarse[above + i] ?? 0;
      line[i] = (upper + ((coarse[below + i] ?? 0) - upper) * down) * strength;
    }
    for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
      const from = columns[x] ?? 0;
      const over = overs[x] ?? 0;
      const red = line[from] ?? 0;
      const green = line[from + 1] ?? 0;
      const blue = line[from + 2] ?? 0;
      data[at] = (data[at] ?? 0) * keep + red + ((line[from + 3] ?? 0) - red) * over;
      data[at + 1] = (data[at + 1] ?? 0) * keep + green + ((line[from + 4] ?? 0) - green) * over;
      data[at + 2] = (data[at + 2] ?? 0) * keep + blue + ((line[from + 5] ?? 0) - blue) * over;
    }
  }
}
