import { addBloom, developPicture } from "./finish-picture.ts";
import { createLightCanvas, type LightCanvas } from "./light-canvas.ts";
import type { ClipShape, Pixels } from "./media-encoders.ts";
import { paintCity } from "./paint-city.ts";
import { paintBalloons, paintBirds, paintBoat, paintLighthouse, paintWeather } from "./paint-details.ts";
import { paintFolds } from "./paint-folds.ts";
import { paintForest, paintHeadlands, paintMountains, paintRolling } from "./paint-land.ts";
import { paintPortrait } from "./paint-portrait.ts";
import { paintSky, paintSun } from "./paint-sky.ts";
import { paintSpace } from "./paint-space.ts";
import { paintWater } from "./paint-water.ts";
import { type Moment, type Scene, STILL } from "./scene.ts";
import { yieldThread } from "./yield-thread.ts";

/** Larger pictures are painted at this many pixels and enlarged: nothing painted is finer than that. */
const MAX_PAINTED_PIXELS = 1_500_000;

/** Paints a scene at a moment, exactly `width` by `height` pixels. `grain` is in steps of 1/255. */
function paintPicture(scene: Scene, moment: Moment, width: number, height: number, grain: number): Pixels {
  return developPicture(paintLight(scene, moment, width, height), width, height, grain);
}

/** A still of a scene. The thread is yielded after each of the two long steps. */
export async function paintStill(scene: Scene, width: number, height: number, grain: number): Promise<Pixels> {
  const canvas = paintLight(scene, STILL, width, height);
  await yieldThread();
  const pixels = developPicture(canvas, width, height, grain);
  await yieldThread();
  return pixels;
}

/** The light of a scene, at the size that it is painted at. */
function paintLight(scene: Scene, moment: Moment, width: number, height: number): LightCanvas {
  const shrink = Math.min(1, Math.sqrt(MAX_PAINTED_PIXELS / (width * height)));
  const canvas = createLightCanvas(Math.max(2, Math.round(width * shrink)), Math.max(2, Math.round(height * shrink)));
  paintScene(canvas, scene, moment);
  addBloom(canvas, scene.palette.isDark ? 0.42 : 0.22);
  return canvas;
}

function paintScene(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { kind } = scene;
  if (kind === "folds") paintFolds(canvas, scene, moment);
  else if (kind === "portrait") paintPortrait(canvas, scene, moment);
  else if (kind === "space") paintSpace(canvas, scene, moment);
  else paintOutdoors(canvas, scene, moment);
}

function paintOutdoors(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { kind, details } = scene;
  paintSky(canvas, scene, moment);
  paintSun(canvas, scene);
  if (details.has("birds")) paintBirds(canvas, scene, moment);
  const water = Math.round(scene.horizon * canvas.height);
  if (kind === "sea") paintSea(canvas, scene, moment, water);
  else if (kind === "city") paintCity(canvas, scene, moment);
  else if (kind === "forest") paintForest(canvas, scene, moment);
  else if (kind === "mountains") paintRange(canvas, scene, moment);
  else paintRolling(canvas, scene, moment);
  if (details.has("balloon")) paintBalloons(canvas, scene, moment);
  if (details.has("rain") || details.has("snowfall")) paintWeather(canvas, scene, moment);
}

function paintSea(canvas: LightCanvas, scene: Scene, moment: Moment, water: number): void {
  paintHeadlands(canvas, scene, moment, water);
  if (scene.details.has("lighthouse")) paintLighthouse(canvas, scene, moment, water);
  if (scene.details.has("boat")) paintBoat(canvas, scene, moment, water);
  paintWater(canvas, scene, moment, water, 0);
}

/**
 * Mountains, and their mirror in a lake where the prompt speaks of one (or of an aurora, which looks best with one).
 */
function paintRange(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const hasLake = scene.details.has("lake") || scene.details.has("aurora");
  const shore = hasLake ? Math.min(0.8, scene.horizon + 0.16) : 1.02;
  paintMountains(canvas, scene, moment, shore);
  if (hasLake) paintWater(canvas, scene, moment, Math.round(shore * canvas.height), 0.55);
}

/** Clips are painted at most this long on the long side: enough to look at, small enough to make while someone waits. */
const LONGEST_SIDE = 576;
const MAX_FRAMES = 120;

/** Size and frame rate of a clip that was asked for as `width` by `height`, `durationSeconds` long. */
export function clipShape(width: number, height: number, durationSeconds: number): ClipShape & { frameCount: number } {
  const shrink = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const even = (side: number): number => Math.max(16, Math.round((side * shrink) / 2) * 2);
  const fps = Math.max(1, Math.min(12, Math.floor(MAX_FRAMES / durationSeconds)));
  return { width: even(width), height: even(height), fps, frameCount: Math.max(2, Math.round(durationSeconds * fps)) };
}

/**
 * The frames of a clip: a slow sideways camera over living sky and water. Between frames the event loop has time to
 * itself, so that a page or a server goes on answering while a clip is made.
 */
export async function* clipFrames(scene: Scene, shape: ClipShape & { frameCount: number }): AsyncGenerator<Pixels> {
  const length = shape.frameCount / shape.fps;
  const travel = Math.min(0.3, 0.035 * length) * (scene.sun.x < 0.5 ? 1 : -1);
  for (let frame = 0; frame < shape.frameCount; frame++) {
    const share = frame / (shape.frameCount - 1);
    // Starts and ends at rest.
    const eased = share * share * (3 - 2 * share);
    yield paintPicture(scene, { seconds: frame / shape.fps, pan: travel * eased }, shape.width, shape.height, 0);
    await yieldThread();
  }
}
