import { type Colour, mix, scale, smoothStep } from "./colour.ts";
import type { LightCanvas } from "./light-canvas.ts";
import { paintRidges, type Ridge } from "./paint-ridge.ts";
import type { Moment, Scene } from "./scene.ts";
import { createRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by eye.

/** A layer's place and its look without its shape: 0 is the farthest, 1 the nearest. */
interface Layer extends Omit<Ridge, "skyline" | "floor" | "relief"> {
  near: number;
  /** Top of the layer, in pixels. */
  base: number;
  /** Moves the shape sideways with the camera, more for near layers. */
  shift: number;
  relief: NonNullable<Ridge["relief"]>;
}

/** The layers from far to near, in colours that lose their haze as they come closer. */
function layers(canvas: LightCanvas, scene: Scene, moment: Moment, count: number, from: number, to: number): Layer[] {
  const { palette } = scene;
  const haze = mix(palette.low, palette.middle, 0.35);
  const sunX = scene.sun.x * canvas.width;
  return Array.from({ length: count }, (_, index) => {
    const near = count === 1 ? 1 : index / (count - 1);
    const crest = mix(haze, palette.ground, 0.3 + 0.7 * near ** 0.8);
    const glow = scale(palette.light, 0.2 * (1 - near) ** 1.2 * (palette.isDark ? 0.4 : 1));
    return {
      near,
      base: canvas.height * (from + (to - from) * near ** 1.15),
      shift: moment.pan * (0.15 + near * 0.85),
      crest,
      foot: mix(crest, haze, 0.62 * (1 - near * 0.75)),
      fade: 0.1 + 0.16 * near,
      relief: (x, _y, depth, _slope, out) => {
        if (near === 1 || depth > 0.5) return;
        const aside = Math.exp(-Math.abs(x - sunX) / (canvas.unit * 0.22) - Math.max(0, depth) * 9);
        out[0] = glow[0] * aside;
        out[1] = glow[1] * aside;
        out[2] = glow[2] * aside;
      },
    };
  });
}

/** Jagged ranges with lit faces and snow, pines in front, mist between. `lowest` is where the land ends. */
export function paintMountains(canvas: LightCanvas, scene: Scene, moment: Moment, lowest = 1.02): void {
  const { noise, palette } = scene;
  const { unit } = canvas;
  const sunSide = scene.sun.x < 0.5 ? 1 : -1;
  const ridges = layers(canvas, scene, moment, 5, scene.horizon - 0.06, lowest - 0.1).map((layer): Ridge => {
    const rise = (0.34 - layer.near * 0.22) * unit * 0.8;
    const offset = 40 + layer.near * 90;
    const skyline = (x: number): number => {
      const at = (x / unit + layer.shift) * (1.1 + layer.near * 0.5) + offset;
      const ridged = 1 - Math.abs(noise.layeredLine(at * 1.2, 2)) * 2.6;
      return layer.base - (ridged * 0.62 + noise.layeredLine(at * 3.1 + 9, 5) * 0.42) * rise;
    };
    if (layer.near > 0.7) {
      const size = unit * (layer.near > 0.9 ? 0.1 : 0.05);
      const pines = pineEdge(canvas, skyline, size, layer.shift, scene.seed + Math.round(layer.near * 10));
      return { ...layer, skyline: pines, floor: skyline };
    }
    const { crest } = layer;
    const snow = mix(mix(palette.light, palette.low, 0.45), crest, 0.25 + layer.near * 0.2);
    const shadow = scale(crest, 0.72);
    const snowiness = palette.isDark ? 0 : 0.85 - layer.near * 0.5;
    return {
      ...layer,
      skyline,
      relief: (x, y, depth, slope, out) => {
        layer.relief(x, y, depth, slope, out);
        if (depth > 0.45) return;
        const at = x / unit + layer.shift;
        const face = noise.layered(at * 7 + depth * 9 * sunSide + offset, depth * 5 + offset, 3);
        const side = smoothStep(-0.08, 0.12, face);
        const bright = side * (1 - smoothStep(0.02, 0.16 + face * 0.1, depth)) * snowiness;
        const dark = (1 - side) * Math.exp(-depth * 7);
        for (let channel = 0; channel < 3; channel++) {
          const base = crest[channel] ?? 0;
          const change = ((shadow[channel] ?? 0) - base) * dark + ((snow[channel] ?? 0) - base) * bright;
          out[channel] = (out[channel] ?? 0) + change;
        }
      },
    };
  });
  paintRidges(canvas, ridges);
}

/** Rows of pines that sink into mist towards the light. */
export function paintForest(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { noise } = scene;
  const { unit } = canvas;
  const ridges = layers(canvas, scene, moment, 6, scene.horizon, 0.99).map((layer): Ridge => {
    const floor = (x: number): number =>
      layer.base - noise.layeredLine((x / unit + layer.shift) * 1.3 + layer.near * 70, 3) * unit * 0.16;
    const size = unit * (0.05 + layer.near ** 1.5 * 0.27);
    const foot = mix(layer.foot, scene.palette.low, 0.45 * (1 - layer.near));
    return {
      ...layer,
      skyline: pineEdge(canvas, floor, size, layer.shift, scene.seed + Math.round(layer.near * 50)),
      // The mist begins among the trunks.
      floor: (x) => floor(x) - size * 0.55,
      foot,
      fade: 0.06 + layer.near * 0.3,
    };
  });
  paintRidges(canvas, ridges);
}

/** Long dunes or hills: each has a lit and a shaded flank that meet along a winding crest. */
export function paintRolling(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { noise, palette } = scene;
  const { unit } = canvas;
  const isGreen = scene.kind === "hills";
  const sunSide = scene.sun.x < 0.5 ? 1 : -1;
  const flank: Colour = isGreen
    ? mix(palette.ground, palette.accents[0], 0.55)
    : mix(palette.accents[0], palette.low, 0.3);
  const ridges = layers(canvas, scene, moment, isGreen ? 6 : 5, scene.horizon, 0.93).map((layer): Ridge => {
    const rise = unit * (0.05 + layer.near * 0.1);
    const offset = layer.near * 57 + 12;
    const swellAt = (at: number): number => noise.line(at) + 0.35 * noise.line(at * 2.1 + 5);
    const along = (x: number): number => (x / unit + layer.shift) * (isGreen ? 1.5 : 1.05) + offset;
    const skyline = (x: number): number => {
      const swell = swellAt(along(x));
      return layer.base - (isGreen ? swell : 0.9 - Math.sqrt(swell * swell + 0.0006) * 1.6) * rise;
    };
    const hazy = 0.85 * (1 - layer.near) ** 1.3;
    const bright = mix(mix(flank, palette.light, 0.18), layer.crest, hazy);
    const shaded = mix(mix(flank, palette.ground, 0.78), layer.crest, hazy);
    return {
      skyline,
      crest: shaded,
      foot: mix(shaded, palette.low, 0.1 + 0.3 * (1 - layer.near)),
      fade: 0.25 + layer.near * 0.2,
      relief: (x, y, depth, slope, out) => {
        layer.relief(x, y, depth, slope, out);
        const at = x / unit + layer.shift;
        const winding = noise.plane(at * 2.2 + offset, depth * 3.5 + offset);
        let lit: number;
        if (isGreen) {
          const tufts = noise.plane(at * 46, (y / unit) * 90) * 0.16;
          lit = smoothStep(-0.4, 0.6, slope * 1.6 * sunSide + winding * 0.5 + tufts) * (0.95 - depth * 0.7);
        } else {
          // The sharp edge between the flanks leaves the crest and wanders down the slope.
          const swell = swellAt(along(x) + (depth * 1.5 + winding * Math.min(0.25, depth)) * sunSide);
          const ripples = noise.plane(at * 6 + depth * 16, depth * 85) * 0.1;
          lit = smoothStep(-0.025 - depth * 0.3, 0.025 + depth * 0.3, swell * sunSide) * (0.9 - depth * 0.6) + ripples;
          lit = Math.max(0.04, lit);
        }
        for (let channel = 0; channel < 3; channel++) {
          out[channel] = (out[channel] ?? 0) + ((bright[channel] ?? 0) - (shaded[channel] ?? 0)) * lit;
        }
      },
    };
  });
  paintRidges(canvas, ridges);
}

/** Two far headlands that reach into the sea from one side, so that the horizon is not bare. */
export function paintHeadlands(canvas: LightCanvas, scene: Scene, moment: Moment, water: number): void {
  const { noise } = scene;
  const { unit, width } = canvas;
  const isLeft = scene.sun.x > 0.5;
  const ridges = layers(canvas, scene, moment, 3, 0, 0)
    .slice(0, 2)
    .map((layer, index): Ridge => {
      const reach = 0.62 - index * 0.22 + noise.line(index + 0.37) * 0.15;
      return {
        ...layer,
        skyline: (x) => {
          const fromEdge = (isLeft ? x : width - x) / width - layer.shift * 0.4;
          const tall = smoothStep(reach, reach * 0.25, fromEdge) * (0.055 + index * 0.03) * unit;
          const rough = noise.layeredLine((x / unit + layer.shift) * 3.4 + index * 31, 4);
          return water + 2 - tall * (0.75 + rough) - Math.min(1, tall) * 1.5;
        },
        fade: 0.09,
      };
    });
  paintRidges(canvas, ridges);
}

interface Pine {
  x: number;
  tall: number;
  wide: number;
}

/**
 * A skyline of pines on a slope. `size` is the height of a usual tree in pixels, `shift` the camera's way in units.
 * Trees stand at fixed places of the world, so that a moving camera passes them.
 */
function pineEdge(
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
    const ownSlot = slot(x);
    for (let index = ownSlot - 2; index <= ownSlot + 2; index++) {
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
