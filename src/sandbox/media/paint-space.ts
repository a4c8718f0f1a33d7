import { mix, scale, smoothStep } from "./colour.ts";
import { fillShape, type LightCanvas, spread } from "./light-canvas.ts";
import { paintStars } from "./paint-sky.ts";
import type { Moment, Scene } from "./scene.ts";

// The numbers of this file were chosen by eye.

/** A nebula of two colours with dark lanes, stars, and a planet lit from one side. */
export function paintSpace(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { palette, noise } = scene;
  const { unit } = canvas;
  const [warm, cool, bright] = palette.accents;
  const drift = moment.seconds * 0.012 + moment.pan * 0.3;
  spread(canvas, Math.min(520, Math.ceil(canvas.width / 3)), canvas.height, (px, py, out, at) => {
    const x = px / unit + drift;
    const y = py / unit;
    const warpX = noise.layered(x * 1.3 + 3, y * 1.3 + 8, 3);
    const warpY = noise.layered(x * 1.3 + 19, y * 1.3 + 2, 3);
    const band = Math.exp(
      -((((y - 0.5) * 0.8 + (x - drift - 0.5) * (scene.sun.x - 0.5) * 2 + warpY * 0.35) / 0.42) ** 2),
    );
    const gas = noise.layered(x * 1.8 + warpX * 1.5, y * 1.8 + warpY * 1.5, 5);
    const lanes = smoothStep(-0.05, 0.3, noise.layered(x * 2.6 + warpY * 2 + 40, y * 2.6 - warpX * 2, 4) + 0.16);
    const glow = smoothStep(-0.25, 0.5, gas) * band;
    const core = smoothStep(0.1, 0.55, gas + band * 0.25) * band;
    const share = smoothStep(-0.3, 0.3, warpX * 1.4 + warpY);
    for (let channel = 0; channel < 3; channel++) {
      const tint = (cool[channel] ?? 0) * (1 - share) + (warm[channel] ?? 0) * share;
      const light = tint * glow * 0.5 + (bright[channel] ?? 0) * core * 0.55;
      out[at + channel] =
        (palette.top[channel] ?? 0) * 0.8 + light * (0.3 + 0.7 * lanes) + (palette.middle[channel] ?? 0) * band * 0.25;
    }
  });
  paintStars(canvas, scene, moment, canvas.height);
  paintPlanet(canvas, scene, moment);
}

function paintPlanet(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { palette, noise, sun } = scene;
  const radius = canvas.unit * (0.13 + sun.radius * 1.6);
  const x = canvas.width * (sun.x < 0.5 ? 0.7 : 0.28) - moment.pan * canvas.unit * 0.7;
  const y = canvas.height * (0.34 + sun.y * 0.3);
  const lightX = sun.x < 0.5 ? -0.72 : 0.72;
  const base = mix(palette.accents[1], palette.accents[0], sun.radius * 9);
  fillShape(
    canvas,
    { left: x - radius * 1.2, right: x + radius * 1.2, top: y - radius * 1.2, bottom: y + radius * 1.2 },
    (px, py) => Math.hypot(px - x, py - y) - radius,
    (px, py) => {
      const u = (px - x) / radius;
      const v = (py - y) / radius;
      const depth = Math.sqrt(Math.max(0, 1 - u * u - v * v));
      const lambert = smoothStep(-0.12, 0.95, u * lightX - v * 0.45 + depth * 0.42);
      const bands = noise.layered(u * 0.8 + moment.seconds * 0.02, v * 5 + noise.plane(u * 3, v * 3) * 0.5, 4);
      const rim = (1 - depth) ** 3 * lambert * 0.9;
      const ground = mix(base, mix(palette.light, palette.accents[2], 0.4), smoothStep(-0.3, 0.4, bands) * 0.6);
      return mix(scale(ground, lambert * 0.95 + 0.006), palette.light, Math.min(0.8, rim));
    },
  );
}
