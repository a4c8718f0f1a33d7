/** Width and height; of a file in its pixels, or on the screen in CSS pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** `height`: all equally high. `pixels`: each pixel of each file equally large. */
export type Scale = "height" | "pixels";

const ALIKE = 0.02;

/**
 * The scale at which files are compared unless the person chooses: equally high where they have one shape, for then they
 * show the same view; else pixel for pixel, for models make about as many pixels whatever the shape.
 */
export function usualScale(files: readonly PixelSize[]): Scale {
  const shapes = files.map(({ width, height }) => width / height);
  return Math.max(...shapes) / Math.min(...shapes) <= 1 + ALIKE ? "height" : "pixels";
}

/** How large each file is shown, so that all fit into a room of this size at one scale. */
export function shownSizes(files: readonly PixelSize[], room: PixelSize, scale: Scale): PixelSize[] {
  if (scale === "pixels") {
    const factor = Math.min(...files.flatMap(({ width, height }) => [room.width / width, room.height / height]));
    return files.map(({ width, height }) => ({ width: width * factor, height: height * factor }));
  }
  const height = Math.min(room.height, ...files.map((file) => (room.width * file.height) / file.width));
  return files.map((file) => ({ width: (height * file.width) / file.height, height }));
}

/** Into how many columns files are laid, so that they are as large as they can be. */
export function bestColumns(files: readonly PixelSize[], room: PixelSize, scale: Scale, caption: number): number {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= files.length; columns++) {
    const height = Math.max(1, room.height / Math.ceil(files.length / columns) - caption);
    const [first] = shownSizes(files, { width: room.width / columns, height }, scale);
    if (first && first.height > largest * 1.01) {
      best = columns;
      largest = first.height;
    }
  }
  return best;
}

const CAPTION = 40;
const CAPTION_WITH_PROMPT = 48;

/** How files stand beside each other in a room, each under a caption, and the room of one. CSS pixels. */
export function sideLayout(files: readonly PixelSize[], room: PixelSize, scale: Scale, hasPrompts: boolean) {
  const caption = hasPrompts ? CAPTION_WITH_PROMPT : CAPTION;
  const columns = bestColumns(files, room, scale, caption);
  const rows = Math.ceil(files.length / columns);
  // A line of one pixel stands between them.
  const cell = { width: room.width / columns - 1, height: Math.max(40, room.height / rows - caption - 1) };
  return { columns, rows, cell, caption };
}

/** The part of a stage that a picture takes, in CSS pixels from its left edge. */
export interface Span {
  from: number;
  to: number;
}

/** What of a stage so many pixels wide a picture takes that stands in its middle, zoomed and moved. */
export function spanOf(stage: number, picture: number, zoom: { scale: number; x: number }): Span {
  const half = (picture * zoom.scale) / 2;
  const from = Math.min(stage, Math.max(0, stage / 2 + zoom.x - half));
  return { from, to: Math.max(from, Math.min(stage, stage / 2 + zoom.x + half)) };
}
