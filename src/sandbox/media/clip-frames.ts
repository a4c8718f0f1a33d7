import type { ClipShape, Pixels } from "./media-encoders.ts";
import { paintPicture } from "./paint-picture.ts";
import { rest } from "./rest.ts";
import type { Scene } from "./scene.ts";

/** Clips are painted at most this long on the long side: enough to look at, small enough to make while someone waits. */
const LONGEST_SIDE = 576;
const MOST_FRAMES = 120;

/** Size and frame rate of a clip that was asked for as `width` by `height`, `durationSeconds` long. */
export function clipShape(width: number, height: number, durationSeconds: number): ClipShape & { frameCount: number } {
  const shrink = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const even = (side: number): number => Math.max(16, Math.round((side * shrink) / 2) * 2);
  const fps = Math.max(1, Math.min(12, Math.floor(MOST_FRAMES / durationSeconds)));
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
    await rest();
  }
}
