import { type Colour, mix, scale } from "./colour.ts";
import { fillShape, type LightCanvas, lay } from "./light-canvas.ts";
import { paintWater } from "./paint-water.ts";
import type { Moment, Scene } from "./scene.ts";
import { createRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by eye.

/** Three rows of towers with lit windows and signs, doubled in a wet street. */
export function paintCity(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const street = Math.round(canvas.height * (scene.horizon + 0.06));
  for (let row = 0; row < 3; row++) paintTowers(canvas, scene, moment, row / 2, street);
  paintWater(canvas, scene, moment, street, 0.8);
}

function paintTowers(canvas: LightCanvas, scene: Scene, moment: Moment, near: number, street: number): void {
  const { palette } = scene;
  const { unit, width } = canvas;
  const random = createRandom(scene.seed + 101 + Math.round(near * 7));
  const wall = mix(mix(palette.low, palette.middle, 0.55), palette.ground, 0.45 + near * 0.52);
  const shift = moment.pan * (0.2 + near * 0.8) * unit;
  const pitch = unit * (0.006 + near * 0.0065);
  let x = -unit * 0.15;
  while (x < width + unit * 0.5) {
    const wide = unit * random.between(0.035, 0.075) * (0.75 + near * 0.9);
    const middle = 1 - Math.abs((x / width) * 2 - 1) * 0.35;
    const tall = unit * random.between(0.12, 0.42) * middle * (1.12 - near * 0.38);
    const spire = random.next() < 0.28 ? tall * random.between(0.1, 0.3) : 0;
    paintTower(canvas, scene, {
      left: x - shift,
      right: x + wide - shift,
      top: street - tall,
      street,
      spire,
      wall,
      pitch,
      near,
      litShare: random.between(0.18, 0.5) * (palette.isDark ? 1 : 0.6),
      warm: random.next(),
      hash: Math.floor(random.next() * 1e6),
      sign: near > 0.4 && random.next() < (palette.isDark ? 0.5 : 0.2) ? random.pick(palette.accents) : undefined,
      flicker: 0.9 + 0.1 * Math.sin(moment.seconds * 7 + x),
    });
    x += wide + unit * random.between(-0.006, 0.03) * (0.5 + near);
  }
}

/** One tower. All lengths are in pixels. */
interface Tower {
  left: number;
  right: number;
  top: number;
  street: number;
  /** The height of its spire, 0 for none. */
  spire: number;
  wall: Colour;
  /** From one window to the next. */
  pitch: number;
  /** 0 in the farthest row, 1 in the nearest. */
  near: number;
  /** The share of windows that are lit. */
  litShare: number;
  /** Random, 0 to 1: decides about the color of its light and the place of its sign. */
  warm: number;
  /** Makes its lit windows differ from those of other towers. */
  hash: number;
  sign: Colour | undefined;
  flicker: number;
}

function paintTower(canvas: LightCanvas, scene: Scene, tower: Tower): void {
  const { palette } = scene;
  const { left, right, top, street, pitch, wall } = tower;
  const pane = mix(mix(palette.light, [1, 0.72, 0.36], 0.7), palette.accents[0], tower.warm > 0.78 ? 0.75 : 0);
  const lamp = scale(pane, palette.isDark ? 0.95 : 0.7);
  const haze = mix(wall, mix(palette.low, palette.middle, 0.5), 0.45 * (1 - tower.near * 0.6));
  const tall = street - top;
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(canvas.height, street); y++) {
    const downShare = ((y - top) / tall) ** 2;
    const body = mix(wall, haze, downShare);
    const floor = Math.floor((y - top - pitch) / (pitch * 1.7));
    const inFloor = ((y - top - pitch) / (pitch * 1.7)) % 1;
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(canvas.width, right); x++) {
      const cover = Math.min(1, x + 1 - left) * Math.min(1, right - x) * Math.min(1, y + 1 - top);
      const column = Math.floor((x - left - pitch * 0.6) / pitch);
      const inColumn = ((x - left - pitch * 0.6) / pitch) % 1;
      const key = Math.imul(floor * 53 + column + tower.hash, 0x9e3779b1) >>> 0;
      const isPane = floor >= 0 && column >= 0 && inFloor < 0.6 && inColumn < 0.62 && x < right - pitch * 0.7;
      const isLit = isPane && (key % 1000) / 1000 < tower.litShare;
      const bright = isLit ? 0.35 + ((key >>> 12) % 100) / 140 : isPane ? 0.03 : 0;
      lay(
        canvas,
        y * canvas.width + x,
        body[0] + lamp[0] * bright,
        body[1] + lamp[1] * bright,
        body[2] + lamp[2] * bright,
        Math.max(0, cover),
      );
    }
  }
  if (tower.spire > 0) {
    const middle = (left + right) / 2;
    const half = Math.max(0.6, canvas.unit * 0.0011);
    fillShape(
      canvas,
      { left: middle - half - 1, right: middle + half + 1, top: top - tower.spire, bottom: top },
      (x) => Math.abs(x - middle) - half,
      () => wall,
    );
  }
  if (tower.sign) paintSign(canvas, tower, tower.sign);
}

/** An upright neon tube; the bloom that follows makes it glow. */
function paintSign(canvas: LightCanvas, tower: Tower, colour: Colour): void {
  const wide = (tower.right - tower.left) * 0.13;
  const x = tower.left + (tower.right - tower.left) * (tower.warm > 0.5 ? 0.22 : 0.78);
  const top = tower.top + (tower.street - tower.top) * 0.2;
  const bottom = top + (tower.street - tower.top) * (0.22 + tower.warm * 0.25);
  const bright = scale(mix(colour, [1, 1, 1], 0.12), 1.9 * tower.flicker);
  fillShape(
    canvas,
    { left: x - wide, right: x + wide, top, bottom },
    (px, py) => Math.max(Math.abs(px - x) - wide * 0.5, top + 1 - py, py - bottom + 1),
    () => bright,
  );
}
