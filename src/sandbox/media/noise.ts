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

/** Gradient noise over a permutation table (Perlin's improved noise in one and two dimensions). */
export function createNoise(seed: number): Noise {
  const random = createRandom(seed);
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
    gradientX[i] = Math.cos(angle) * 1.45;
    gradientY[i] = Math.sin(angle) * 1.45;
  }
  const ease = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

  const plane = (x: number, y: number): number => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const dx = x - floorX;
    const dy = y - floorY;
    const column = floorX & 255;
    const row = floorY & 255;
    const left = table[column] ?? 0;
    const right = table[(column + 1) & 255] ?? 0;
    const a = table[left + row] ?? 0;
    const b = table[right + row] ?? 0;
    const c = table[left + ((row + 1) & 255)] ?? 0;
    const d = table[right + ((row + 1) & 255)] ?? 0;
    const u = ease(dx);
    const top = (gradientX[a] ?? 0) * dx + (gradientY[a] ?? 0) * dy;
    const topRight = (gradientX[b] ?? 0) * (dx - 1) + (gradientY[b] ?? 0) * dy;
    const low = (gradientX[c] ?? 0) * dx + (gradientY[c] ?? 0) * (dy - 1);
    const lowRight = (gradientX[d] ?? 0) * (dx - 1) + (gradientY[d] ?? 0) * (dy - 1);
    const upper = top + (topRight - top) * u;
    return upper + (low + (lowRight - low) * u - upper) * ease(dy);
  };

  const line = (x: number): number => {
    const floor = Math.floor(x);
    const dx = x - floor;
    const a = (gradientX[table[floor & 255] ?? 0] ?? 0) * dx;
    const b = (gradientX[table[(floor + 1) & 255] ?? 0] ?? 0) * (dx - 1);
    return (a + (b - a) * ease(dx)) * 1.6;
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
        // The turn between octaves hides the lattice.
        const turned = atX * 1.6 - atY * 1.2 + 11.3;
        atY = atX * 1.2 + atY * 1.6 + 5.9;
        atX = turned;
      }
      return sum;
    },
  };
}
