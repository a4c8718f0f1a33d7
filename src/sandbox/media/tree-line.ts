import type { LightCanvas } from "./light-canvas.ts";
import { createRandom } from "./seeded-random.ts";

interface Pine {
  x: number;
  tall: number;
  wide: number;
}

/**
 * A skyline of pines on a slope. `size` is the height of a usual tree in pixels, `shift` the camera's way in units.
 * Trees stand at fixed places of the world, so that a moving camera passes them.
 */
export function pineEdge(
  canvas: LightCanvas,
  floor: (x: number) => number,
  size: number,
  shift: number,
  seed: number,
): (x: number) => number {
  const spacing = size * 0.2;
  const moved = shift * canvas.unit;
  const slot = (x: number): number => Math.floor((x + moved) / spacing);
  const pines = new Map<number, Pine>();
  const pineAt = (index: number): Pine => {
    const known = pines.get(index);
    if (known) return known;
    const random = createRandom(seed * 7919 + index);
    // Groups and clearings: a slow wave decides how well the trees grow here.
    const grove = 0.62 + 0.38 * Math.sin(index * 0.31 + seed) * Math.sin(index * 0.083 + seed * 0.7);
    const tall = size * grove * random.between(0.45, 1.1);
    const pine = { x: (index + random.next()) * spacing - moved, tall, wide: tall * random.between(0.15, 0.21) };
    pines.set(index, pine);
    return pine;
  };
  return (x) => {
    const ground = floor(x);
    let top = ground;
    const here = slot(x);
    for (let index = here - 2; index <= here + 2; index++) {
      const pine = pineAt(index);
      const aside = Math.abs(x - pine.x) / pine.wide;
      if (aside >= 1) continue;
      // Boughs: a saw that is deeper towards the foot of the tree.
      const bough = (aside * 6.5) % 1;
      top = Math.min(
        top,
        ground - pine.tall * (1 - aside) ** 1.08 - pine.tall * 0.1 * (bough - 0.5) * aside ** 0.5 + pine.tall * 0.03,
      );
    }
    return top;
  };
}
