import { createRandom } from "./seeded-random.ts";

/** Smooth noise with values of about -1 to 1, repeatable from its seed. */
export interface Noise {
  line(x: number): number;
  plane(x: number, y: number): number;
  /** Several octaves of `line`, each half as strong and twice as fine. */
  layeredLine(x: number, octaves: number): number;
  /** Several octaves of `plane`. */
  layered(x: number, y: number, octaves: number): number;
}

/** The length of the gradients, with which `plane` gives about -1 to 1. */
const GRADIENT_LENGTH = 1.45;
/** With it `line`, which uses only the x of the gradients, gives about -1 to 1 as well. */
const LINE_SCALE = 1.6;

/**
 * Gradient noise in one and two dimensions: a random gradient at each whole number, blended with the easing of Perlin's
 * improved noise. The gradients repeat after 256.
 */
export function createNoise(seed: number): Noise {
  const random = createRandom(seed);
  // The shuffled numbers 0 to 255, twice over: a sum of two of them can be looked up, too.
  const table = new Uint8Array(512);
  for (let i = 0; i < 256; i++) table[i] = i;
  for (let i = 255; i > 0; i--) {
    const other = Math.floor(random.next() * (i + 1));
    const swapped = table[i] ?? 0;
    table[i] = table[other] ?? 0;
    table[other] = swapped;
  }
  for (let i = 0; i < 256; i++) table[i + 256] = table[i] ?? 0;

  const gradientX = new Float32Array(256);
  const gradientY = new Float32Array(256);
  for (let i = 0; i < 256; i++) {
    const angle = random.next() * Math.PI * 2;
    gradientX[i] = Math.cos(angle) * GRADIENT_LENGTH;
    gradientY[i] = Math.sin(angle) * GRADIENT_LENGTH;
  }
  const ease = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

  /** What the gradient of a corner gives at a point this far from it. */
  const atCorner = (corner: number, fromX: number, fromY: number): number =>
    (gradientX[corner] ?? 0) * fromX + (gradientY[corner] ?? 0) * fromY;

  const plane = (x: number, y: number): number => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const dx = x - floorX;
    const dy = y - floorY;
    const column = floorX & 255;
    const row = floorY & 255;
    const left = table[column] ?? 0;
    const right = table[(column + 1) & 255] ?? 0;
    const topLeft = atCorner(table[left + row] ?? 0, dx, dy);
    const topRight = atCorner(table[right + row] ?? 0, dx - 1, dy);
    const bottomLeft = atCorner(table[left + ((row + 1) & 255)] ?? 0, dx, dy - 1);
    const bottomRight = atCorner(table[right + ((row + 1) & 255)] ?? 0, dx - 1, dy - 1);
    const across = ease(dx);
    const top = topLeft + (topRight - topLeft) * across;
    const bottom = bottomLeft + (bottomRight - bottomLeft) * across;
    return top + (bottom - top) * ease(dy);
  };

  const line = (x: number): number => {
    const floor = Math.floor(x);
    const dx = x - floor;
    const left = (gradientX[table[floor & 255] ?? 0] ?? 0) * dx;
    const right = (gradientX[table[(floor + 1) & 255] ?? 0] ?? 0) * (dx - 1);
    return (left + (right - left) * ease(dx)) * LINE_SCALE;
  };

  return {
    line,
    plane,
    layeredLine(x, octaves) {
      let sum = 0;
      let strength = 0.5;
      let at = x;
      for (let octave = 0; octave < octaves; octave++) {
        sum += line(at) * strength;
        strength *= 0.5;
        // Not exactly twice, and moved: so that the whole numbers of the octaves, where the noise is 0, do not meet.
        at = at * 2.03 + 17.7;
      }
      return sum;
    },
    layered(x, y, octaves) {
      let sum = 0;
      let strength = 0.5;
      let atX = x;
      let atY = y;
      for (let octave = 0; octave < octaves; octave++) {
        sum += plane(atX, atY) * strength;
        strength *= 0.5;
        // Twice as fine, and turned by 37 degrees, which hides the lattice. The matrix does both.
        const turned = atX * 1.6 - atY * 1.2 + 11.3;
        atY = atX * 1.2 + atY * 1.6 + 5.9;
        atX = turned;
      }
      return sum;
    },
  };
}
