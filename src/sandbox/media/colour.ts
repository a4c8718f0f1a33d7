/** A colour in linear light; 1 is full, more is brighter than paper. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Between `a` and `b`. */
export function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** A colour made brighter or darker. */
export function scale(colour: Colour, factor: number): Colour {
  return [colour[0] * factor, colour[1] * factor, colour[2] * factor];
}

/** Smooth step from 0 at `low` to 1 at `high`. */
export function smoothStep(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** Reads `#rrggbb` into linear light. */
export function fromHex(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [linear((value >> 16) / 255), linear(((value >> 8) & 255) / 255), linear((value & 255) / 255)];
}

type Lab = readonly [lightness: number, a: number, b: number];

/** Linear light to OKLab, where halfway between two colours looks halfway. */
function toLab([r, g, b]: Colour): Lab {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The same colour turned by an angle (radians) around the hue circle, its chroma scaled. */
export function turnHue(colour: Colour, angle: number, chroma = 1): Colour {
  const [lightness, a, b] = toLab(colour);
  const cos = Math.cos(angle) * chroma;
  const sin = Math.sin(angle) * chroma;
  return fromLab([lightness, a * cos - b * sin, a * sin + b * cos]);
}

/** A ramp through evenly or freely placed stops, mixed in OKLab, as a table of `steps` colours. */
export function ramp(stops: readonly { at: number; colour: Colour }[], steps: number): (at: number) => Colour {
  const labs = stops.map((stop) => ({ at: stop.at, lab: toLab(stop.colour) }));
  const table = Array.from({ length: steps }, (_, index): Colour => {
    const at = index / (steps - 1);
    const next = Math.max(
      1,
      labs.findIndex((stop) => stop.at >= at),
    );
    const low = labs[next - 1];
    const high = labs[next];
    if (!low || !high) return [0, 0, 0];
    const share = Math.min(1, Math.max(0, (at - low.at) / (high.at - low.at)));
    const eased = share * share * (3 - 2 * share) * 0.5 + share * 0.5;
    return fromLab([
      low.lab[0] + (high.lab[0] - low.lab[0]) * eased,
      low.lab[1] + (high.lab[1] - low.lab[1]) * eased,
      low.lab[2] + (high.lab[2] - low.lab[2]) * eased,
    ]);
  });
  return (at) => table[Math.round(Math.min(1, Math.max(0, at)) * (steps - 1))] ?? [0, 0, 0];
}
