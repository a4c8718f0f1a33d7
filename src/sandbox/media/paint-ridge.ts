import type { Colour } from "./colour.ts";
import { type LightCanvas, lay } from "./light-canvas.ts";

/** One layer of land: its skyline and how it looks. */
export interface Ridge {
  /** Takes a column in pixels and gives the height of the skyline in pixels from the top. */
  skyline: (x: number) => number;
  /** The ground that trees stand on, where the skyline is theirs; depths count from here. */
  floor?: (x: number) => number;
  /** Colour at the crest and, `fade` units deeper, in the mist at its foot. */
  crest: Colour;
  foot: Colour;
  fade: number;
  /** Light to add at a pixel, from its place, its depth below the crest (units) and the slope of the crest. */
  relief?: (x: number, y: number, depth: number, slope: number, out: Float32Array) => void;
}

/** Columns are looked at in four places each, so that steep edges (pines, roofs) are smooth. */
const SUBSTEPS = 4;

interface Outline {
  edges: Float32Array;
  highest: Float32Array;
  lowest: Float32Array;
  /** Where depths are counted from. */
  crest: Float32Array;
}

/** Paints ridges from the farthest to the nearest; what a nearer one hides is not painted at all. */
export function paintRidges(canvas: LightCanvas, ridges: readonly Ridge[]): void {
  const outlines = ridges.map((ridge) => outline(canvas, ridge));
  // For each column, the row from which a nearer ridge hides everything.
  const until = new Float32Array(canvas.width).fill(canvas.height);
  const limits = outlines.map(() => new Float32Array(0));
  for (let index = outlines.length - 1; index >= 0; index--) {
    limits[index] = until.slice();
    const lowest = outlines[index]?.lowest;
    for (let x = 0; x < until.length; x++) until[x] = Math.min(until[x] ?? 0, Math.ceil(lowest?.[x] ?? 0));
  }
  ridges.forEach((ridge, index) => {
    const shape = outlines[index];
    const limit = limits[index];
    if (shape && limit) paintRidge(canvas, ridge, shape, limit);
  });
}

function outline(canvas: LightCanvas, { skyline, floor }: Ridge): Outline {
  const { width } = canvas;
  const edges = new Float32Array(width * SUBSTEPS);
  for (let i = 0; i < edges.length; i++) edges[i] = skyline(i / SUBSTEPS);
  const highest = new Float32Array(width);
  const lowest = new Float32Array(width);
  const crest = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    let high = Number.POSITIVE_INFINITY;
    let low = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let i = x * SUBSTEPS; i < (x + 1) * SUBSTEPS; i++) {
      const edge = edges[i] ?? 0;
      high = Math.min(high, edge);
      low = Math.max(low, edge);
      sum += edge;
    }
    highest[x] = high;
    lowest[x] = low;
    crest[x] = floor ? floor(x) : sum / SUBSTEPS;
  }
  return { edges, highest, lowest, crest };
}

function paintRidge(canvas: LightCanvas, ridge: Ridge, shape: Outline, until: Float32Array): void {
  const { width, height, unit } = canvas;
  const { edges, highest, lowest } = shape;
  const { crest, foot, relief } = ridge;
  const fade = ridge.fade * unit;
  const light = new Float32Array(3);
  const start = highest.reduce((top, edge) => Math.min(top, edge), height);
  const end = until.reduce((bottom, edge) => Math.max(bottom, edge), 0);
  for (let y = Math.max(0, Math.floor(start)); y < Math.min(height, end); y++) {
    for (let x = 0; x < width; x++) {
      if (y >= (until[x] ?? 0) || y + 1 <= (highest[x] ?? 0)) continue;
      const cover = y < (lowest[x] ?? 0) ? coverage(edges, x, y) : 1;
      const depth = y - (shape.crest[x] ?? 0);
      const sunk = Math.min(1, Math.max(0, depth / fade));
      light[0] = light[1] = light[2] = 0;
      if (relief) {
        const slope = ((shape.crest[Math.min(width - 1, x + 2)] ?? 0) - (shape.crest[Math.max(0, x - 2)] ?? 0)) / 4;
        relief(x, y, depth / unit, slope, light);
      }
      const red = crest[0] + (foot[0] - crest[0]) * sunk + (light[0] ?? 0);
      const green = crest[1] + (foot[1] - crest[1]) * sunk + (light[1] ?? 0);
      const blue = crest[2] + (foot[2] - crest[2]) * sunk + (light[2] ?? 0);
      lay(canvas, y * width + x, Math.max(0, red), Math.max(0, green), Math.max(0, blue), cover);
    }
  }
}

function coverage(edges: Float32Array, x: number, y: number): number {
  let cover = 0;
  for (let step = 0; step < SUBSTEPS; step++) {
    cover += Math.min(1, Math.max(0, y + 1 - (edges[x * SUBSTEPS + step] ?? 0))) / SUBSTEPS;
  }
  return cover;
}
