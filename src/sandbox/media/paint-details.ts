import { type Colour, mix, scale } from "./colour.ts";
import { fillShape, type LightCanvas, shine } from "./light-canvas.ts";
import type { Moment, Scene } from "./scene.ts";
import { createRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by eye.

type Point = readonly [x: number, y: number];

/** Fills a closed polygon with smooth edges. Points are in pixels. */
function fillPolygon(canvas: LightCanvas, points: readonly Point[], colour: Colour, opacity = 1): void {
  const distance = (x: number, y: number): number => {
    let nearest = Number.POSITIVE_INFINITY;
    let isInside = false;
    for (let i = 0; i < points.length; i++) {
      const [ax, ay] = points[i] ?? [0, 0];
      const [bx, by] = points[(i + 1) % points.length] ?? [0, 0];
      const share = Math.min(
        1,
        Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
      );
      nearest = Math.min(nearest, Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)));
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
    }
    return isInside ? -nearest : nearest;
  };
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const box = {
    left: Math.min(...xs) - 1,
    right: Math.max(...xs) + 1,
    top: Math.min(...ys) - 1,
    bottom: Math.max(...ys) + 1,
  };
  fillShape(canvas, box, distance, () => colour, opacity);
}

/** A sailing boat on the horizon line, rocking slowly. */
export function paintBoat(canvas: LightCanvas, scene: Scene, moment: Moment, water: number): void {
  const size = canvas.unit * 0.1;
  const x =
    canvas.width * (scene.sun.x < 0.5 ? scene.sun.x + 0.26 : scene.sun.x - 0.24) - moment.pan * canvas.unit * 0.5;
  const y = water + size * 0.06;
  const lean = 0.06 + 0.04 * Math.sin(moment.seconds * 1.1);
  // A point of the boat in shares of its size, from the middle of the waterline.
  const at = (u: number, v: number): Point => [x + (u + v * lean) * size, y - v * size];
  const hull = scale(scene.palette.ground, 0.8);
  const sail = mix(
    mix(scene.palette.light, scene.palette.low, 0.4),
    scene.palette.ground,
    scene.palette.isDark ? 0.55 : 0.1,
  );
  fillPolygon(canvas, [at(-0.34, 0.1), at(0.36, 0.1), at(0.26, -0.04), at(-0.26, -0.04)], hull);
  fillPolygon(canvas, [at(0.02, 0.14), at(0.02, 1), at(-0.34, 0.16)], sail);
  fillPolygon(canvas, [at(0.06, 0.14), at(0.06, 0.86), at(0.32, 0.15)], mix(sail, hull, 0.3));
}

/** A lighthouse on its rock, its lamp and the beam that it turns. */
export function paintLighthouse(canvas: LightCanvas, scene: Scene, moment: Moment, water: number): void {
  const { palette } = scene;
  const size = Math.min(canvas.unit * 0.3, water * 0.72);
  const x = canvas.width * (scene.sun.x < 0.5 ? 0.74 : 0.26) - moment.pan * canvas.unit * 0.55;
  // A point of the lighthouse in shares of its size, from the middle of its foot.
  const at = (u: number, v: number): Point => [x + u * size, water - v * size];
  const lampY = water - size * 1.11;
  const side = scene.sun.x < 0.5 ? -1 : 1;
  const sweep = 0.1 * Math.sin(moment.seconds * 0.9);
  const reach = canvas.unit * 0.9;
  for (let px = 0; px < canvas.width; px++) {
    const along = (px - x) * side;
    if (along <= 0 || along > reach) continue;
    const middle = lampY - along * (0.06 + sweep);
    const half = 2 + along * 0.075;
    for (let py = Math.max(0, Math.floor(middle - half)); py < Math.min(water, middle + half); py++) {
      const soft = 1 - Math.abs(py - middle) / half;
      shine(canvas, py * canvas.width + px, palette.light, soft * soft * 0.3 * (1 - along / reach) ** 1.4);
    }
  }
  const stone = mix(palette.ground, palette.middle, 0.12);
  const wall = mix(mix(palette.low, [0.8, 0.78, 0.75], 0.5), palette.ground, palette.isDark ? 0.72 : 0.35);
  const shade = mix(wall, palette.ground, 0.55);
  fillPolygon(
    canvas,
    [at(-0.75, -0.03), at(-0.5, 0.1), at(-0.22, 0.2), at(0.2, 0.21), at(0.42, 0.11), at(0.7, 0.05), at(0.9, -0.03)],
    stone,
  );
  fillPolygon(canvas, [at(-0.13, 0.19), at(-0.085, 1), at(0.085, 1), at(0.13, 0.19)], wall);
  fillPolygon(
    canvas,
    [at(-0.03 * side, 0.19), at(-0.02 * side, 1), at(-0.085 * side, 1), at(-0.13 * side, 0.19)],
    shade,
  );
  const stripe = mix(palette.accents[1], palette.ground, 0.35);
  fillPolygon(canvas, [at(-0.113, 0.5), at(-0.102, 0.7), at(0.102, 0.7), at(0.113, 0.5)], stripe, 0.85);
  fillPolygon(canvas, [at(-0.13, 1), at(-0.13, 1.035), at(0.13, 1.035), at(0.13, 1)], stone);
  fillPolygon(canvas, [at(-0.06, 1.035), at(-0.06, 1.17), at(0.06, 1.17), at(0.06, 1.035)], scale(palette.light, 2));
  fillPolygon(canvas, [at(-0.085, 1.17), at(0, 1.28), at(0.085, 1.17)], stone);
}

/** A loose flock, wings beating out of step. */
export function paintBirds(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const random = createRandom(scene.seed + 77);
  const ink = mix(scene.palette.ground, scene.palette.middle, 0.25);
  const startX = canvas.width * random.between(0.25, 0.55);
  const startY = canvas.height * scene.horizon * random.between(0.3, 0.6);
  for (let bird = 0; bird < 9; bird++) {
    const size = canvas.unit * random.between(0.009, 0.02);
    const x = startX + canvas.unit * (random.between(-0.02, 0.34) + moment.seconds * 0.012);
    const y = startY + canvas.unit * random.between(-0.07, 0.07);
    const beat = 0.25 + 0.4 * Math.sin(moment.seconds * 6 + bird * 1.9);
    const wing = (side: number): readonly Point[] => [
      [x, y],
      [x + side * size * 0.5, y - size * beat],
      [x + side * size * 1.1, y - size * beat * 0.5],
      [x + side * size * 0.5, y - size * (beat - 0.16)],
    ];
    fillPolygon(canvas, wing(1), ink);
    fillPolygon(canvas, wing(-1), ink);
  }
}

/** Balloons that rise slowly, striped in the palette's strong colours. */
export function paintBalloons(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const random = createRandom(scene.seed + 31);
  for (let balloon = 0; balloon < 6; balloon++) {
    const radius = canvas.unit * random.between(0.014, 0.05);
    const x = canvas.width * random.between(0.08, 0.92);
    const y = canvas.height * scene.horizon * random.between(0.15, 0.85) - moment.seconds * canvas.unit * 0.006;
    const first = random.pick(scene.palette.accents);
    const second = mix(scene.palette.light, first, 0.15);
    const far = 1 - radius / (canvas.unit * 0.05);
    fillShape(
      canvas,
      { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius * 1.3 },
      (px, py) => {
        const v = (py - y) / radius;
        const narrow = v > 0 ? 1 + v * v * 0.55 : 1;
        return (Math.hypot(((px - x) / radius) * narrow, v / (v > 0 ? 1.25 : 1)) - 1) * radius;
      },
      (px, py) => {
        const u = (px - x) / radius;
        const stripe = Math.sin(Math.asin(Math.max(-1, Math.min(1, u))) * 7) > 0 ? first : second;
        const lit = 0.62 + 0.4 * u * (scene.sun.x < 0.5 ? -1 : 1) - ((py - y) / radius) * 0.12;
        return mix(scale(stripe, lit), scene.palette.low, far * 0.5);
      },
    );
    const basket = radius * 0.2;
    fillPolygon(
      canvas,
      [
        [x - basket, y + radius * 1.5],
        [x + basket, y + radius * 1.5],
        [x + basket * 0.8, y + radius * 1.75],
        [x - basket * 0.8, y + radius * 1.75],
      ],
      scene.palette.ground,
    );
  }
}

/** Rain in slanted threads, or snow in soft flakes, over everything. */
export function paintWeather(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const isSnow = scene.details.has("snowfall");
  const random = createRandom(scene.seed + 13);
  const tint = mix(scene.palette.low, [1, 1, 1], 0.5);
  for (let drop = 0; drop < (isSnow ? 420 : 520); drop++) {
    const near = random.next();
    const speed = isSnow ? 0.08 + near * 0.12 : 1.2 + near * 1.4;
    const startX = random.next() * 1.2 - 0.1;
    const y = ((random.next() + moment.seconds * speed) % 1.1) * canvas.height;
    const x = startX * canvas.width + (isSnow ? Math.sin(moment.seconds + drop) * canvas.unit * 0.01 : 0);
    if (isSnow) {
      const radius = canvas.unit * (0.0008 + near * near * 0.0034);
      fillShape(
        canvas,
        { left: x - radius * 2, right: x + radius * 2, top: y - radius * 2, bottom: y + radius * 2 },
        (px, py) => (Math.hypot(px - x, py - y) - radius) / (1 + radius * 0.6),
        () => tint,
        0.35 + near * 0.45,
      );
      continue;
    }
    const length = Math.round(canvas.unit * (0.015 + near * 0.04));
    for (let step = 0; step < length; step++) {
      const px = Math.round(x - step * 0.16);
      const py = Math.round(y + step);
      if (px < 0 || px >= canvas.width || py < 0 || py >= canvas.height) continue;
      shine(canvas, py * canvas.width + px, tint, 0.05 + near * 0.09);
    }
  }
}
