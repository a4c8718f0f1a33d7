import { mix, smoothStep } from "./colour.ts";
import { type LightCanvas, lay } from "./light-canvas.ts";
import type { Moment, Scene } from "./scene.ts";

// The numbers of this file were chosen by eye.

/**
 * Water from `top` (pixels) to the lower edge: the picture above mirrored through waves that grow towards the viewer,
 * and the sun's path glittering on it. `calm` is 0 for the open sea, 1 for a wet street.
 */
export function paintWater(canvas: LightCanvas, scene: Scene, moment: Moment, top: number, calm: number): void {
  const { width, height, unit, data } = canvas;
  const { noise, palette } = scene;
  const start = Math.max(1, Math.floor(top));
  const body = mix(palette.ground, palette.middle, 0.28);
  const sunX = scene.sun.x * width;
  const flow = moment.seconds * 0.35;
  const glint = palette.isDark ? 0.55 : 1.1;
  for (let y = start; y < height; y++) {
    const share = (y - start) / (height - start);
    const close = 0.05 + share;
    const zoom = 0.55 / close;
    const rowV = Math.log(close) * 13 - flow;
    const rough = (0.02 + share * 0.11) * (1 - calm * 0.72);
    for (let x = 0; x < width; x++) {
      const across = ((x - width / 2) / unit + moment.pan * (0.3 + share)) * zoom;
      const wave = noise.plane(across * 3.2, rowV) + 0.5 * noise.plane(across * 9 + 5, rowV * 1.9 + flow);
      const sourceY = start - 1 - (y - start) * (0.82 - wave * 0.12) - Math.abs(wave) * rough * unit * 0.7;
      const sourceX = x + wave * rough * unit * 0.35;
      const fromY = Math.max(0, Math.min(start - 1, Math.round(sourceY)));
      const fromX = Math.max(0, Math.min(width - 1, Math.round(sourceX)));
      const from = (fromY * width + fromX) * 3;
      // The nearer the water, the steeper the look into it: less mirror, more depth.
      const mirror = 0.9 - share * (0.5 - calm * 0.25) - Math.max(0, wave) * 0.16 * (1 - calm);
      const crest = Math.max(0, wave - 0.1) * share * 0.1;
      const pathWidth = unit * (0.035 + share * 0.12);
      const path = Math.exp(-(((x - sunX) / pathWidth) ** 2));
      const spark = smoothStep(0.08, 0.5, wave) * path * glint * (1 - share * 0.45);
      lay(
        canvas,
        y * width + x,
        body[0] + ((data[from] ?? 0) - body[0]) * mirror + palette.light[0] * spark + palette.low[0] * crest,
        body[1] + ((data[from + 1] ?? 0) - body[1]) * mirror + palette.light[1] * spark + palette.low[1] * crest,
        body[2] + ((data[from + 2] ?? 0) - body[2]) * mirror + palette.light[2] * spark + palette.low[2] * crest,
        1,
      );
    }
  }
}
