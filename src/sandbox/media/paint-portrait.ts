import { type Colour, mix, ramp, scale, smoothStep } from "./colour.ts";
import { fillShape, type LightCanvas, spread } from "./light-canvas.ts";
import type { Moment, Scene } from "./scene.ts";
import { createRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by eye.

/** A faceless bust in poster style against a large sun: modelled by one soft light, edged by another. */
export function paintPortrait(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { palette, noise } = scene;
  const { unit, width, height } = canvas;
  const random = createRandom(scene.seed + 5);
  const wall = ramp(
    [
      { at: 0, colour: mix(palette.top, palette.middle, 0.25) },
      { at: 0.6, colour: palette.middle },
      { at: 1, colour: mix(palette.middle, palette.low, 0.75) },
    ],
    256,
  );
  spread(canvas, 120, height, (px, py, out, at) => {
    const brush = noise.layered((px / unit) * 2 + moment.seconds * 0.03, (py / unit) * 1.2, 4) * 0.16;
    const colour = wall(py / height + brush);
    out[at] = colour[0];
    out[at + 1] = colour[1];
    out[at + 2] = colour[2];
  });

  const side = scene.sun.x < 0.5 ? -1 : 1;
  const size = Math.min(width * 0.9, height * 0.72);
  const x = width * 0.5 + moment.pan * unit * 0.4;
  const y = height * 0.45;
  const disc = mix(palette.light, palette.accents[2], 0.45);
  const discX = x + side * size * random.between(0.02, 0.12);
  const discY = y - size * random.between(0.02, 0.1);
  ellipse(
    canvas,
    discX,
    discY,
    size * 0.43,
    size * 0.43,
    (_u, v) => mix(disc, palette.accents[0], smoothStep(-0.6, 1.1, v) * 0.7),
    1,
  );

  const skin = scale(
    mix([0.52, 0.27, 0.16], palette.accents[0], random.between(0.05, 0.35)),
    random.between(0.5, 1.35),
  );
  const hair = mix(scale(palette.ground, 1.3), palette.accents[1], random.between(0.02, 0.22));
  const cloth = mix(palette.accents[1], palette.ground, random.between(0.2, 0.6));
  const rimLight = mix(palette.light, palette.accents[2], 0.25);
  const model =
    (colour: Colour, shine: number) =>
    (u: number, v: number): Colour => {
      const depth = Math.sqrt(Math.max(0, 1 - u * u - v * v));
      const key = smoothStep(-0.7, 0.95, u * side * 0.75 - v * 0.4 + depth * 0.5);
      const rim = smoothStep(0.72, 1, Math.hypot(u, v)) * smoothStep(0.1, 0.9, u * side - v * 0.2) * shine;
      return mix(scale(colour, 0.28 + key * 0.95), rimLight, Math.min(0.9, rim));
    };
  const isLong = random.next() < 0.55;
  const bun = random.next() < 0.4;
  const head = size * 0.165;
  const headY = y - size * 0.09;
  if (bun) ellipse(canvas, x - side * head * 0.25, headY - head * 1.5, head * 0.5, head * 0.46, model(hair, 0.6), 1);
  if (isLong)
    ellipse(canvas, x - side * head * 0.14, headY + head * 0.55, head * 1.32, head * 1.95, model(hair, 0.55), 3);
  ellipse(
    canvas,
    x,
    height + size * 0.1,
    size * 0.52,
    height + size * 0.1 - (y + size * 0.27),
    model(cloth, 0.55),
    2.6,
  );
  ellipse(
    canvas,
    x - side * head * 0.04,
    headY + head * 1.5,
    head * 0.5,
    head * 1.25,
    model(scale(skin, 0.72), 0.2),
    2.4,
  );
  ellipse(canvas, x, y + size * 0.3, size * 0.15, size * 0.05, model(scale(cloth, 1.25), 0.3), 2);
  ellipse(canvas, x - side * head * 0.1, headY - head * 0.2, head * 1.14, head * 1.22, model(hair, 0.7), 2.2);
  ellipse(canvas, x + side * head * 0.1, headY + head * 0.16, head * 0.84, head * 1.08, model(skin, 0.5), 2.2);
  // The fringe falls across the brow, away from the light.
  ellipse(canvas, x - side * head * 0.36, headY - head * 0.72, head * 0.92, head * 0.56, model(hair, 0.45), 2.1);
}

/** A rounded shape: `power` up to 2 is an ellipse, more is squarer. `colourAt` is called with -1 to 1 across it. */
function ellipse(
  canvas: LightCanvas,
  x: number,
  y: number,
  across: number,
  down: number,
  colourAt: (u: number, v: number) => Colour,
  power = 2,
): void {
  const exponent = Math.max(2, power);
  fillShape(
    canvas,
    { left: x - across - 1, right: x + across + 1, top: y - down - 1, bottom: y + down + 1 },
    (px, py) => {
      const u = Math.abs(px - x) / across;
      const v = Math.abs(py - y) / down;
      return ((u ** exponent + v ** exponent) ** (1 / exponent) - 1) * Math.min(across, down);
    },
    (px, py) => colourAt((px - x) / across, (py - y) / down),
  );
}
