// The calculations of the comparison: its table, its modes and pairs, and how large each file is shown.
import { formatMicroUsd } from "#lib/money.ts";
import { formatDateTime, formatElapsed } from "#lib/time.ts";
import { type JobRecord, tookMs } from "#storage/job-records.ts";

/** One row of the table of the comparison. */
export interface CompareRow {
  name: string;
  /** One per job; undefined where it has no such value. */
  values: (string | undefined)[];
  isSame: boolean;
}

/** The name of a compared job by its place: A, B, C. */
export function getJobLetter(place: number): string {
  return String.fromCharCode("A".charCodeAt(0) + place);
}

/** A price that is not known is "Unknown" and not a dash, which stands for a setting that a job does not have. */
function shortPrice({ priceMicroUsd, estimatedMicroUsd }: JobRecord): string {
  if (priceMicroUsd !== undefined) return formatMicroUsd(priceMicroUsd);
  return estimatedMicroUsd === undefined ? "Unknown" : `≈ ${formatMicroUsd(estimatedMicroUsd)}`;
}

/**
 * A table of the compared jobs: model, price and time, the pixels of their files where they are given, then what they were
 * asked for. Rows that differ first, in the order in which they first appear. Rows in which nothing is known are absent, but
 * for the price.
 */
export function compareRows(jobs: readonly JobRecord[], sizes: readonly (PixelSize | undefined)[] = []): CompareRow[] {
  const names = [...new Set(jobs.flatMap((job) => Object.keys(job.payload ?? {})))];
  const createRow = (name: string, value: (job: JobRecord, place: number) => string | undefined): CompareRow => {
    const values = jobs.map(value);
    return { name, values, isSame: values.every((value) => value === values[0]) };
  };
  const facts = [
    createRow("Price", shortPrice),
    createRow("Run time", (job) => {
      const took = tookMs(job);
      return took === undefined ? undefined : formatElapsed(took);
    }),
    createRow("Pixels", (_, place) => {
      const known = sizes[place];
      return known && `${known.width} × ${known.height}`;
    }),
    createRow("Created", (job) =>
      job.createdAtSeconds === undefined ? undefined : formatDateTime(job.createdAtSeconds),
    ),
  ].filter(({ values }) => values.some((value) => value !== undefined));
  const rows = [
    createRow("Model", (job) => job.model),
    ...facts,
    ...names.map((name) => createRow(name, (job) => settingText(ownValue(job, name)))),
  ];
  return [...rows.filter(({ isSame }) => !isSame), ...rows.filter(({ isSame }) => isSame)];
}

function ownValue(job: JobRecord, name: string): unknown {
  return job.payload && Object.hasOwn(job.payload, name) ? job.payload[name] : undefined;
}

/** A setting as text; undefined for null, as which the service echoes what is absent. */
function settingText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

const COMPARE_MODES = [
  { value: "slider", label: "Slider" },
  { value: "side", label: "Side by side" },
  { value: "flicker", label: "Flicker" },
  { value: "difference", label: "Difference" },
] as const;
export type CompareMode = (typeof COMPARE_MODES)[number]["value"];

/** The ways in which these files can be compared: audio and other files cannot be laid over each other. */
export function modesFor(jobs: readonly JobRecord[]): readonly (typeof COMPARE_MODES)[number][] {
  const canOverlay = jobs.every(({ media: [file] }) => file?.kind === "image" || file?.kind === "video");
  return canOverlay ? COMPARE_MODES : COMPARE_MODES.filter(({ value }) => value === "side");
}

/** The mode after this one, in turn. */
export function nextMode(mode: CompareMode, modes: readonly { value: CompareMode }[] = COMPARE_MODES): CompareMode {
  const place = modes.findIndex(({ value }) => value === mode);
  return modes[(place + 1) % modes.length]?.value ?? mode;
}

/** Which two of the compared jobs are laid over each other, by their places. */
export type Pair = readonly [a: number, b: number];

/** A pair with another job at one of its sides. Where that is on the other side already, both change places. */
export function withPick(pair: Pair, side: 0 | 1, place: number): Pair {
  const [a, b] = pair;
  if (place === pair[side === 0 ? 1 : 0]) return [b, a];
  return side === 0 ? [place, b] : [a, place];
}

/** The next job for one side, in turn, past the one on the other side. */
export function steppedPair(pair: Pair, side: 0 | 1, step: 1 | -1, count: number): Pair {
  if (count < 3) return pair;
  let place = pair[side];
  do place = (place + step + count) % count;
  while (place === pair[side === 0 ? 1 : 0]);
  return withPick(pair, side, place);
}

/** Width and height; of a file in its pixels, or on the screen in CSS pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** `height`: all equally high. `pixels`: each pixel of each file equally large. */
export type Scale = "height" | "pixels";

/** Shapes that differ by at most this share count as the same shape. */
const SAME_SHAPE = 0.02;

/**
 * The scale at which files are compared unless the person chooses: equally high where they have one shape, for then they
 * show the same view; else pixel for pixel, for models make about as many pixels whatever the shape.
 */
export function usualScale(files: readonly PixelSize[]): Scale {
  const shapes = files.map(({ width, height }) => width / height);
  return Math.max(...shapes) / Math.min(...shapes) <= 1 + SAME_SHAPE ? "height" : "pixels";
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
    // A gain of less than 1 % is not worth another column.
    if (first && first.height > largest * 1.01) {
      best = columns;
      largest = first.height;
    }
  }
  return best;
}

/** The height of a caption, in CSS pixels. */
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

/** A stretch of a stage, in CSS pixels from its left edge. */
interface Span {
  from: number;
  to: number;
}

/** The stretch of a stage that is covered by an image in its middle, zoomed and moved. Widths are in CSS pixels. */
export function getSpan(stage: number, picture: number, zoom: { scale: number; x: number }): Span {
  const half = (picture * zoom.scale) / 2;
  const from = Math.min(stage, Math.max(0, stage / 2 + zoom.x - half));
  return { from, to: Math.max(from, Math.min(stage, stage / 2 + zoom.x + half)) };
}
