import { createNoise, type Noise } from "./noise.ts";
import { type Palette, readPalette } from "./palettes.ts";
import { readPrompt, type SceneDetail, type SceneKind } from "./prompt-words.ts";
import { createRandom, hashText, type SeededRandom } from "./seeded-random.ts";

/** Everything that is decided before the first stroke. Positions are shares of the picture's width and height. */
export interface Scene {
  kind: SceneKind;
  palette: Palette;
  details: ReadonlySet<SceneDetail>;
  /** The height at which the sky ends. */
  horizon: number;
  sun: { x: number; y: number; radius: number };
  /** How much of the sky the clouds take, 0 to 1. */
  cloudiness: number;
  noise: Noise;
  seed: number;
}

/** A point in a clip; a still is at 0. */
export interface Moment {
  seconds: number;
  /** How far the camera has moved sideways, in units of the canvas. */
  pan: number;
}

export const STILL: Moment = { seconds: 0, pan: 0 };

/** Between which heights the horizon may be, as shares of the picture's height from the top. */
const HORIZONS: Record<SceneKind, readonly [number, number]> = {
  sea: [0.5, 0.62],
  mountains: [0.5, 0.6],
  forest: [0.42, 0.52],
  dunes: [0.45, 0.56],
  hills: [0.48, 0.58],
  city: [0.66, 0.74],
  space: [1, 1],
  portrait: [1, 1],
  folds: [1, 1],
};

/** Decides a scene: the prompt chooses what, the seed how. The same two always give the same scene. */
export function composeScene(prompt: string, seed: number, index: number): Scene {
  const promptHash = hashText(prompt.trim().toLowerCase());
  const reading = readPrompt(prompt, promptHash);
  const sceneSeed = (promptHash ^ Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  const random = createRandom(sceneSeed);
  const palette = readPalette(random.pick(reading.palettes), random.between(-0.16, 0.16));
  const [highest, lowest] = HORIZONS[reading.scene];
  const horizon = random.between(highest, lowest);
  return {
    kind: reading.scene,
    palette,
    details: reading.details,
    horizon,
    sun: placeSun(random, horizon, palette.isDark || reading.details.has("moon")),
    cloudiness: random.between(0.25, 0.75),
    noise: createNoise(sceneSeed),
    seed: sceneSeed,
  };
}

/** Off the middle, on either side; a moon stands higher and is smaller. */
function placeSun(random: SeededRandom, horizon: number, isMoon: boolean): Scene["sun"] {
  const side = random.next() < 0.5 ? 0.22 : 0.6;
  const x = side + random.between(0, 0.18);
  return isMoon
    ? { x, y: horizon * random.between(0.3, 0.6), radius: random.between(0.03, 0.05) }
    : { x, y: horizon * random.between(0.62, 0.9), radius: random.between(0.035, 0.065) };
}
