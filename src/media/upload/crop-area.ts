import type { Area } from "../convert/picture.ts";
import { convertedName } from "../file-kind.ts";

interface Size {
  width: number;
  height: number;
}

/** The smallest side that a cut may have, in pixels of the picture. */
const MIN_SIDE = 16;

/** The largest area of a ratio (width over height) in the middle of a picture. */
export function largestArea(picture: Size, ratio: number): Area {
  const width = Math.min(picture.width, picture.height * ratio);
  // Rounding may put the quotient slightly above the side it came from.
  const height = Math.min(picture.height, width / ratio);
  return { x: (picture.width - width) / 2, y: (picture.height - height) / 2, width, height };
}

/** An area moved by pixels of the picture. It stays inside the picture. */
export function movedArea(area: Area, picture: Size, by: { x: number; y: number }): Area {
  const within = (value: number, most: number) => Math.min(Math.max(0, value), Math.max(0, most));
  return {
    ...area,
    x: within(area.x + by.x, picture.width - area.width),
    y: within(area.y + by.y, picture.height - area.height),
  };
}

/**
 * An area grown or shrunk around its middle by a factor, of the same proportions and inside the picture.
 */
export function scaledArea(area: Area, picture: Size, factor: number): Area {
  const ratio = area.width / area.height;
  const most = largestArea(picture, ratio).width;
  const least = Math.min(most, Math.max(MIN_SIDE, MIN_SIDE * ratio));
  const width = Math.min(most, Math.max(least, area.width * factor));
  const height = Math.min(picture.height, width / ratio);
  const centred = { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
  return movedArea(centred, picture, { x: 0, y: 0 });
}

/** The size in pixels that a cut is stored at: never enlarged, and not above what the run will have. */
export function croppedSize(area: Area, pixels: Size | undefined): Size {
  const scale = pixels ? Math.min(1, pixels.width / area.width) : 1;
  return { width: Math.max(1, Math.round(area.width * scale)), height: Math.max(1, Math.round(area.height * scale)) };
}

/** "sea.webp" becomes "sea cropped.png", also when it is cropped again: it is found by it in the library. */
export function croppedName(name: string, extension: string): string {
  return convertedName(name, extension).replace(/( cropped)?(\.[a-z]+)$/, " cropped$2");
}
