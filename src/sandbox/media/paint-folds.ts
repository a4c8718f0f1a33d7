import { mix, ramp } from "./colour.ts";
import { type LightCanvas, spread } from "./light-canvas.ts";
import type { Moment, Scene } from "./scene.ts";

// The numbers of this file were chosen by eye.

/** How many folds there are while the field (see `field`) grows by 1. */
const FOLDS = 2.6;

/** Folded paper or silk: a warped field coloured by a ramp and shaded by its own slope, with bright edges on the folds. */
export function paintFolds(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { palette, noise, sun } = scene;
  const { unit } = canvas;
  const dark = mix(palette.top, palette.ground, 0.35);
  const colours = ramp(
    [
      { at: 0, colour: dark },
      { at: 0.25, colour: mix(palette.top, palette.accents[1], 0.45) },
      { at: 0.5, colour: palette.accents[0] },
      { at: 0.75, colour: palette.low },
      { at: 1, colour: mix(palette.light, palette.accents[2], 0.3) },
    ],
    512,
  );
  const turn = sun.x * 6.28;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const flow = moment.seconds * 0.05;
  const field = (x: number, y: number): number => {
    const along = x * cos + y * sin;
    const across = y * cos - x * sin;
    const warp =
      noise.plane(along * 0.9 + flow, across * 0.7 + 3) * 1.1 +
      noise.plane(along * 1.9 + 8, across * 1.3 - flow) * 0.35;
    return across * 1.5 + warp + moment.pan * 0.6;
  };
  // The field and its slopes are smooth, so a coarse grid holds them; the folds are sharp and are made pixel by pixel.
  spread(canvas, Math.ceil(canvas.width / 5), canvas.height, (px, py, out, at) => {
    const x = px / unit;
    const y = py / unit;
    const step = 0.01;
    const value = field(x, y);
    out[at] = value;
    out[at + 1] = (field(x + step, y) - value) / step;
    out[at + 2] = (field(x, y + step) - value) / step;
  });
  const { data } = canvas;
  for (let at = 0; at < data.length; at += 3) {
    const value = data[at] ?? 0;
    const slopeX = data[at + 1] ?? 0;
    const slopeY = data[at + 2] ?? 0;
    const steep = Math.sqrt(slopeX * slopeX + slopeY * slopeY);
    // Each fold rises slowly and falls at once; the fall takes at least two pixels, so that its edge is smooth.
    const folds = value * FOLDS + 40;
    const inFold = folds - Math.floor(folds);
    const fall = Math.max(0.012, (steep * FOLDS * 2) / unit);
    const edge = Math.min(1, (1 - inFold) / fall);
    const facing = (slopeX * 0.55 - slopeY * 0.75) / Math.sqrt(1 + steep * steep);
    const fold = Math.floor(folds);
    const wave = (0.5 + 0.5 * Math.sin(fold * 1.7 + value * 1.1)) * edge;
    const next = (0.5 + 0.5 * Math.sin((fold + 1) * 1.7 + value * 1.1)) * (1 - edge);
    const tint = colours(0.14 + (wave + next) * 0.5 + inFold * edge * 0.34);
    const shadow = Math.max(Math.exp(-inFold * 9), 1 - edge);
    const shade = (0.5 + 0.5 * inFold * edge + facing * 0.28) * (1 - 0.55 * shadow);
    const rim = Math.exp(-(((inFold - 0.96 + fall) / 0.035) ** 2)) * 0.2 * edge;
    data[at] = tint[0] * shade + palette.light[0] * rim;
    data[at + 1] = tint[1] * shade + palette.light[1] * rim;
    data[at + 2] = tint[2] * shade + palette.light[2] * rim;
  }
}
