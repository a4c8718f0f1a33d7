import { enlarge, type LightCanvas } from "./light-canvas.ts";
import type { Pixels } from "./media-encoders.ts";

/**
 * The size and the upper end of `TONES`, from light to sRGB bytes. A soft shoulder above 0.75 saves bright skies from
 * white.
 */
const TONE_STEPS = 16_384;
const TONE_TOP = 3;
const TONES = Float32Array.from({ length: TONE_STEPS + 1 }, (_, index) => {
  const light = (index / TONE_STEPS) ** 2 * TONE_TOP;
  const soft = light < 0.75 ? light : 0.75 + 0.25 * (1 - Math.exp(-(light - 0.75) / 0.25));
  return 255 * (soft <= 0.0031308 ? soft * 12.92 : 1.055 * soft ** (1 / 2.4) - 0.055);
});

function tone(light: number): number {
  return TONES[(Math.sqrt(Math.min(TONE_TOP, Math.max(0, light)) / TONE_TOP) * TONE_STEPS) | 0] ?? 0;
}

/** Lets bright places shine into their surroundings: a small, blurred copy of the light is added. */
export function addBloom(canvas: LightCanvas, strength: number): void {
  const step = Math.max(1, Math.round(canvas.unit / 110));
  const columns = Math.ceil(canvas.width / step) + 1;
  const rows = Math.ceil(canvas.height / step) + 1;
  let small = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = Math.min(canvas.width - 1, column * step);
      const y = Math.min(canvas.height - 1, row * step);
      for (let channel = 0; channel < 3; channel++) {
        const light = canvas.data[(y * canvas.width + x) * 3 + channel] ?? 0;
        small[(row * columns + column) * 3 + channel] = Math.max(0, Math.min(2.5, light) - 0.35);
      }
    }
  }
  for (let pass = 0; pass < 3; pass++) small = blur(blur(small, columns, rows, 3, 3), columns, rows, 3, columns * 3);
  enlarge(canvas, small, columns, step, canvas.height, 1, strength);
}

/** A box blur along one axis by a running sum; `stride` is the distance between neighbours in numbers. */
function blur(source: Float32Array<ArrayBuffer>, columns: number, rows: number, radius: number, stride: number) {
  const result = new Float32Array(source.length);
  const along = stride === 3 ? columns : rows;
  const lines = stride === 3 ? rows : columns;
  const lineStep = stride === 3 ? columns * 3 : 3;
  const share = 1 / (radius * 2 + 1);
  for (let line = 0; line < lines; line++) {
    for (let channel = 0; channel < 3; channel++) {
      const start = line * lineStep + channel;
      const end = start + (along - 1) * stride;
      let sum = (source[start] ?? 0) * (radius + 1);
      for (let k = 1; k <= radius; k++) sum += source[Math.min(end, start + k * stride)] ?? 0;
      for (let i = start; i <= end; i += stride) {
        result[i] = sum * share;
        const entering = source[Math.min(end, i + (radius + 1) * stride)] ?? 0;
        sum += entering - (source[Math.max(start, i - radius * stride)] ?? 0);
      }
    }
  }
  return result;
}

/** Develops the light into bytes at the asked size: vignette, tone, and a little grain that also hides banding. */
export function developPicture(canvas: LightCanvas, width: number, height: number, grain: number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  const isSame = canvas.width === width && canvas.height === height;
  const line = new Float32Array(width * 3);
  const shadeX = Float32Array.from({ length: width }, (_, x) => 0.13 * ((x / width - 0.5) * 2) ** 2);
  let noise = 0x2545f491;
  for (let y = 0; y < height; y++) {
    const source = isSame
      ? canvas.data.subarray(y * width * 3, (y + 1) * width * 3)
      : enlargeRow(canvas, line, y, height);
    const shadeY = 1 - 0.13 * ((y / height - 0.5) * 2) ** 2;
    for (let x = 0, from = 0, to = y * width * 4; x < width; x++, from += 3, to += 4) {
      const vignette = shadeY - (shadeX[x] ?? 0);
      noise ^= noise << 13;
      noise ^= noise >>> 17;
      noise ^= noise << 5;
      const speck = (noise / 4294967296) * grain;
      data[to] = tone((source[from] ?? 0) * vignette) + speck;
      data[to + 1] = tone((source[from + 1] ?? 0) * vignette) + speck;
      data[to + 2] = tone((source[from + 2] ?? 0) * vignette) + speck;
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
}

/** One row of the enlarged picture, between its neighbours in the painted one. */
function enlargeRow(canvas: LightCanvas, line: Float32Array, y: number, height: number): Float32Array {
  const width = line.length / 3;
  const stepX = canvas.width / width;
  const sourceY = Math.max(0, Math.min(canvas.height - 1.001, ((y + 0.5) * canvas.height) / height - 0.5));
  const row = Math.floor(sourceY);
  const down = sourceY - row;
  const data = canvas.data;
  for (let x = 0; x < width; x++) {
    const sourceX = Math.max(0, Math.min(canvas.width - 1.001, (x + 0.5) * stepX - 0.5));
    const column = Math.floor(sourceX);
    const over = sourceX - column;
    const a = (row * canvas.width + column) * 3;
    const c = a + canvas.width * 3;
    for (let channel = 0; channel < 3; channel++) {
      const topLeft = data[a + channel] ?? 0;
      const lowLeft = data[c + channel] ?? 0;
      const upper = topLeft + ((data[a + 3 + channel] ?? 0) - topLeft) * over;
      line[x * 3 + channel] = upper + (lowLeft + ((data[c + 3 + channel] ?? 0) - lowLeft) * over - upper) * down;
    }
  }
  return line;
}
