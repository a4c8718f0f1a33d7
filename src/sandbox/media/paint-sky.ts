import { type Colour, mix, ramp, scale, smoothStep } from "./colour.ts";
import { fillShape, type LightCanvas, shine, spread } from "./light-canvas.ts";
import type { Moment, Scene } from "./scene.ts";
import { createRandom } from "./seeded-random.ts";

// The numbers of this file were chosen by eye.

/** The sky down to the horizon: its gradient, the glow of the sun, clouds lit from the sun's side, aurora, stars. */
export function paintSky(canvas: LightCanvas, scene: Scene, moment: Moment): void {
  const { palette, noise, sun } = scene;
  const { unit } = canvas;
  const horizon = scene.horizon * canvas.height;
  // Further than the horizon, because the land in front of it has dips.
  const bottom = Math.min(canvas.height, horizon + unit * 0.3);
  const gradient = ramp(
    [
      { at: 0, colour: palette.top },
      { at: 0.55, colour: palette.middle },
      { at: 1, colour: palette.low },
    ],
    256,
  );
  const sunX = (sun.x * canvas.width) / unit;
  const sunY = (sun.y * canvas.height) / unit;
  const glow = palette.isDark ? 0.28 : 0.5;
  const drift = moment.seconds * 0.02 + moment.pan * 0.12;
  const shade = mix(palette.middle, palette.ground, 0.3);
  const lit = mix(palette.low, palette.light, 0.45);
  const threshold = 0.32 - scene.cloudiness * 0.42;
  const hasAurora = scene.details.has("aurora");

  spread(canvas, Math.min(440, Math.ceil(canvas.width / 4)), bottom, (px, py, out, at) => {
    const x = px / unit;
    const y = py / unit;
    const share = Math.min(1, py / horizon);
    const base = gradient(share);
    let red = base[0];
    let green = base[1];
    let blue = base[2];
    const dx = x - sunX;
    const dy = (y - sunY) * 1.25;
    const far = Math.sqrt(dx * dx + dy * dy);
    const halo = (Math.exp(-far * 3.2) * 0.55 + Math.exp(-far * 11) * 0.8) * glow;
    red += palette.light[0] * halo;
    green += palette.light[1] * halo;
    blue += palette.light[2] * halo;

    // Clouds are flatter and finer towards the horizon, as in nature.
    const flat = 2.2 + share * 4;
    const warp = noise.plane(x * 1.3 + 7, y * 2 + 3) * 0.35;
    const cloud = noise.layered(x * 1.5 + drift + warp, y * flat + warp + 20, 5);
    const density = smoothStep(threshold, threshold + 0.34, cloud) * smoothStep(0, 0.12, share) * (1 - share * 0.35);
    if (density > 0.004) {
      const towards = far > 0.001 ? 0.09 / far : 0;
      const ahead = noise.layered(x * 1.5 + drift + warp - dx * towards, y * flat + warp + 20 - dy * towards * 1.5, 3);
      const bright = Math.min(1, Math.max(0, 0.42 + (cloud - ahead) * 1.4 + Math.exp(-far * 2.6) * 0.55));
      const body = density * (scene.palette.isDark ? 0.55 : 0.8);
      const gain = 1 + Math.exp(-far * 4) * 0.35;
      red += ((shade[0] + (lit[0] - shade[0]) * bright) * gain - red) * body;
      green += ((shade[1] + (lit[1] - shade[1]) * bright) * gain - green) * body;
      blue += ((shade[2] + (lit[2] - shade[2]) * bright) * gain - blue) * body;
    }
    out[at] = red;
    out[at + 1] = green;
    out[at + 2] = blue;
    if (hasAurora) addAurora(scene, moment, x, y, horizon / unit, out, at);
  });
  if (palette.isDark) paintStars(canvas, scene, moment, horizon);
}

/** Three curtains whose lower edge waves and whose light fades upwards from green to violet. */
function addAurora(
  scene: Scene,
  moment: Moment,
  x: number,
  y: number,
  depth: number,
  out: Float32Array,
  at: number,
): void {
  const [low, high] = scene.palette.accents;
  for (let curtain = 0; curtain < 3; curtain++) {
    const along = x * 1.1 + curtain * 31 + moment.seconds * 0.035;
    const edge = depth * (0.42 + curtain * 0.17) + scene.noise.layeredLine(along, 3) * 0.34;
    const above = edge - y;
    if (above < -0.03) continue;
    const streak = 0.45 + 0.55 * scene.noise.layeredLine(x * 16 + edge * 9 + moment.seconds * 0.25 + curtain * 7, 3);
    const strength = smoothStep(-0.03, 0.035, above) * Math.exp(-above * 4.6) * Math.max(0.06, streak) * 1.15;
    const share = Math.min(1, above * 2.3);
    for (let channel = 0; channel < 3; channel++) {
      const tint = (low[channel] ?? 0) * (1 - share) + (high[channel] ?? 0) * share;
      out[at + channel] = (out[at + channel] ?? 0) + tint * strength;
    }
  }
}

/** Stars as small soft points; few are bright, as in a real sky. */
export function paintStars(canvas: LightCanvas, scene: Scene, moment: Moment, bottom: number): void {
  const random = createRandom(scene.seed ^ 0x57a2);
  const count = Math.round((360 * bottom) / canvas.height);
  for (let star = 0; star < count; star++) {
    const x = random.next() * canvas.width;
    const y = random.next() ** 1.3 * bottom * 0.96;
    const bright = 0.06 + random.next() ** 5 * 0.95;
    const phase = random.next() * 6.28;
    const twinkle = 0.8 + 0.2 * Math.sin(moment.seconds * 2.4 + phase);
    const radius = canvas.unit * (0.0006 + bright * 0.0011);
    const tint: Colour = mix([0.75, 0.85, 1], [1, 0.88, 0.75], random.next());
    const reach = Math.ceil(radius * 2.5);
    for (let py = Math.max(0, Math.floor(y) - reach); py <= Math.min(bottom - 1, y + reach); py++) {
      for (let px = Math.max(0, Math.floor(x) - reach); px <= Math.min(canvas.width - 1, x + reach); px++) {
        const away = ((px - x) ** 2 + (py - y) ** 2) / (radius * radius);
        shine(canvas, py * canvas.width + px, tint, bright * twinkle * Math.exp(-away) * (1 - y / bottom / 1.6));
      }
    }
  }
}

/** The disc of the sun, or a moon with a few faint seas. */
export function paintSun(canvas: LightCanvas, scene: Scene): void {
  const { sun, palette, noise } = scene;
  const radius = sun.radius * canvas.unit;
  const x = sun.x * canvas.width;
  const y = sun.y * canvas.height;
  const isMoon = palette.isDark || scene.details.has("moon");
  const soft = isMoon ? 1 : Math.max(1, radius * 0.08);
  const bright = scale(mix(palette.light, [1, 1, 1], 0.3), isMoon ? 0.95 : 1.4);
  fillShape(
    canvas,
    { left: x - radius - soft, top: y - radius - soft, right: x + radius + soft, bottom: y + radius + soft },
    (px, py) => (Math.hypot(px - x, py - y) - radius) / soft,
    (px, py) =>
      isMoon ? scale(bright, 0.9 + 0.22 * noise.layered((px - x) / radius + 4, (py - y) / radius + 9, 3)) : bright,
  );
}
