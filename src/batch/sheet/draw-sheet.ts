// Draws an exported sheet as one image: first the geometry, then the pictures one by one.

import { formatNumber } from "#lib/numbers.ts";
import { readFrame } from "#media/clips/read-frame.ts";
import { isFileDeleted, isMediaDeleted } from "#media/deleted-media.ts";
import { readMedia } from "#media/fetch-media.ts";
import { knownFacts } from "#media/file-facts.ts";
import { FAILURE_WORDS, failureWithAge, MediaError } from "#media/media-failure.ts";
import { makeSmall } from "#media/thumbs/thumb-cache.ts";
import type { DrawnThumb } from "#media/thumbs/thumb-worker.ts";
import { ExportError } from "./export-run.ts";
import { type ExportCell, type ExportSheet, getSheetCells } from "./export-sheet.ts";

interface DrawOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** The colors of the present theme. */
interface Colors {
  canvas: string;
  panel: string;
  line: string;
  ink: string;
  quiet: string;
  font: string;
}

function readThemeColors(): Colors {
  const root = getComputedStyle(document.documentElement);
  const token = (name: string, fallback: string) => root.getPropertyValue(name).trim() || fallback;
  return {
    canvas: token("--canvas", "#111"),
    panel: token("--panel", "#1a1a1a"),
    line: token("--line-strong", "#444"),
    ink: token("--ink", "#eee"),
    quiet: token("--ink-2", "#bbb"),
    font: getComputedStyle(document.body).fontFamily || "sans-serif",
  };
}

/**
 * Draws a sheet as a PNG in the colors of the theme. A cell without a picture says in a word why. Rejects with an `ExportError`
 * where the sheet is too large, or where not one picture could be read, and with the signal's reason.
 */
export async function drawSheet(
  sheet: ExportSheet,
  { signal, onProgress }: DrawOptions,
): Promise<{ blob: Blob; missing: MissingPicture[] }> {
  await document.fonts?.ready;
  const colors = readThemeColors();
  const sizes = drawableSizes(sheet);
  let drawn: ReturnType<typeof createCanvas>;
  for (const size of sizes) {
    drawn = createCanvas(size, colors);
    if (drawn) break;
  }
  if (!drawn) throw new ExportError(TOO_LARGE);
  const { canvas, context, geometry } = drawn;
  const boxes = new Map(geometry.cells.map((box) => [box.cell.id, box]));
  const cells = getSheetCells(sheet);
  const missing = await forEachPicture(
    cells,
    async ({ id }, { bytes, type }) => {
      const box = boxes.get(id);
      if (!box) return;
      const picture = await createImageBitmap(new Blob([bytes], { type }));
      const scale = Math.min(box.width / picture.width, box.height / picture.height);
      const [width, height] = [picture.width * scale, picture.height * scale];
      context.save();
      context.beginPath();
      context.roundRect(box.x, box.y, box.width, box.height, 8 * geometry.unit);
      context.clip();
      context.drawImage(picture, box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height);
      context.restore();
      picture.close();
    },
    { signal, onProgress },
  );
  refuseEmpty(cells.filter(({ file }) => file).length, missing);
  const words = new Map(missing.map(({ id, word }) => [id, word]));
  for (const { cell, x, y, width, height } of geometry.cells) {
    const word = cell.file ? words.get(cell.id) : cell.word;
    if (word === undefined) continue;
    context.strokeStyle = colors.line;
    context.lineWidth = Math.max(1, geometry.unit);
    context.beginPath();
    context.roundRect(x, y, width, height, 8 * geometry.unit);
    context.stroke();
    context.textAlign = "center";
    write(
      context,
      { text: word, look: "quiet", x: x + width / 2, y: y + height / 2, width: width * 0.9 },
      geometry,
      colors,
    );
    context.textAlign = "left";
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new ExportError(TOO_LARGE);
  return { blob, missing };
}

const TOO_LARGE =
  "This sheet is too large for one image in this browser. Select fewer results, or export it as a web page.";

/** Refuses an export without any picture. @throws ExportError */
export function refuseEmpty(wanted: number, missing: readonly MissingPicture[]): void {
  if (wanted === 0 || missing.length < wanted) return;
  const [first] = missing;
  const reason = first ? ` ${first.word}.` : "";
  throw new ExportError(
    wanted === 1
      ? `Couldn’t load the result.${reason}`
      : `Couldn’t load any of the ${formatNumber(wanted)} results.${reason}`,
  );
}

/** A canvas with all texts of a sheet; undefined where the browser cannot draw one so large. */
function createCanvas(geometry: SheetGeometry, colors: Colors) {
  const canvas = document.createElement("canvas");
  canvas.width = geometry.width;
  canvas.height = geometry.height;
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  context.fillStyle = colors.canvas;
  context.fillRect(0, 0, geometry.width, geometry.height);
  // Some browsers return a canvas that is too large and draw nothing on it.
  const isDrawn = (context.getImageData(geometry.width - 1, geometry.height - 1, 1, 1).data[3] ?? 0) > 0;
  if (!isDrawn) {
    canvas.width = 0;
    return undefined;
  }
  context.imageSmoothingQuality = "high";
  context.textBaseline = "middle";
  for (const { x, y, width, height } of geometry.cells) {
    context.fillStyle = colors.panel;
    context.beginPath();
    context.roundRect(x, y, width, height, 8 * geometry.unit);
    context.fill();
  }
  for (const text of geometry.texts) write(context, text, geometry, colors);
  return { canvas, context, geometry };
}

const LOOKS: Record<PlacedText["look"], { size: number; weight: number }> = {
  title: { size: 20, weight: 600 },
  strong: { size: 15, weight: 600 },
  text: { size: 13.5, weight: 400 },
  quiet: { size: 13.5, weight: 400 },
};

function write(
  context: CanvasRenderingContext2D,
  { text, look, x, y, width }: PlacedText,
  { unit }: SheetGeometry,
  colors: Colors,
): void {
  const { size, weight } = LOOKS[look];
  context.font = `${weight} ${size * unit}px ${colors.font}`;
  context.fillStyle = look === "quiet" ? colors.quiet : colors.ink;
  context.fillText(cutToWidth(context, text, width), x, y);
}

/** A text, cut with "…" to a width in pixels. */
function cutToWidth(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const letters = [...text];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (context.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A text in its place: `y` is the middle of its line. */
interface PlacedText {
  x: number;
  y: number;
  width: number;
  text: string;
  look: "title" | "strong" | "text" | "quiet";
}

/** The position of everything in a drawn sheet, in pixels. */
interface SheetGeometry {
  width: number;
  height: number;
  /** Pixels per unit of letters and gaps, which grow with the cells. */
  unit: number;
  cells: readonly (Box & { cell: ExportCell })[];
  texts: readonly PlacedText[];
}

/** Browsers draw no larger canvas: the longest side, and all pixels together. */
const MAX_SIDE = 16_000;
const MAX_PIXELS = 120e6;
/** Widths of a cell that are tried, the largest first, until the canvas is small enough. */
const WIDTHS = [400, 320, 260, 200, 160, 120];

/** Width over height of a cell. Wider or higher ones would show next to nothing. */
const limitAspect = (aspect: number) => Math.min(2.5, Math.max(0.5, aspect));

/** Lays a sheet out for cells of a width, line by line from the top. `y` is the top of what comes next. */
function sheetGeometry(sheet: ExportSheet, cellWidth: number): SheetGeometry {
  const unit = cellWidth / 320;
  const [edge, gap, line] = [28 * unit, 16 * unit, 22 * unit];
  const hasHeadings = sheet.rows.some(({ heading }) => heading);
  const left = edge + (hasHeadings ? 170 * unit : 0);
  const hasColumns = sheet.columns.length > 0;
  const perLine = hasColumns ? sheet.columns.length : Math.max(1, sheet.perLine);
  const width = left + perLine * (cellWidth + gap) - gap + edge;
  const texts: PlacedText[] = [];
  const cells: (Box & { cell: ExportCell })[] = [];
  const columnX = (at: number) => left + at * (cellWidth + gap);
  let y = edge;
  const put = (text: string, look: PlacedText["look"], x: number, top: number, textWidth: number) => {
    if (text !== "") texts.push({ x, y: top + line / 2, width: textWidth, text, look });
  };
  put(sheet.title, "title", edge, y, width - 2 * edge);
  y += line * 1.3;
  put(sheet.summary, "quiet", edge, y, width - 2 * edge);
  y += line * 1.6;
  if (hasColumns) {
    for (const [at, { title, detail, note }] of sheet.columns.entries()) {
      put(title, "strong", columnX(at), y, cellWidth);
      put([detail, note].filter(Boolean).join("   "), "quiet", columnX(at), y + line, cellWidth);
    }
    y += line * 2.3;
  }
  for (const { heading, cells: row } of sheet.rows) {
    if (heading) {
      const headingWidth = left - edge - gap;
      put(heading.title, "strong", edge, y, headingWidth);
      put(heading.detail, "quiet", edge, y + line, headingWidth);
      put(heading.note ?? "", "quiet", edge, y + line * (heading.detail ? 2 : 1), headingWidth);
    }
    const lineCount = hasColumns
      ? Math.max(1, ...row.map(({ length }) => length))
      : Math.ceil(row.flat().length / perLine);
    for (let at = 0; at < lineCount; at += 1) {
      const inLine: (ExportCell | undefined)[] = hasColumns
        ? row.map((columnCells) => columnCells[at])
        : row.flat().slice(at * perLine, (at + 1) * perLine);
      let bottom = y + (heading && at === 0 ? line * 3 : 0);
      for (const [column, cell] of inLine.entries()) {
        if (!cell) continue;
        const box = { x: columnX(column), y, width: cellWidth, height: cellWidth / limitAspect(cell.aspect) };
        cells.push({ ...box, cell });
        let under = y + box.height + line * 0.2;
        const below = [...(cell.lead === "" ? [] : [cell.lead]), ...cell.captions];
        for (const [place, text] of below.entries()) {
          put(text, place === 0 && cell.lead !== "" ? "text" : "quiet", box.x, under, cellWidth);
          under += line;
        }
        bottom = Math.max(bottom, under);
      }
      y = bottom + gap;
    }
  }
  return { width: Math.ceil(width), height: Math.ceil(y - gap + edge), unit, cells, texts };
}

const fits = ({ width, height }: SheetGeometry) =>
  width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;

/** The layouts that are small enough to draw, the largest first; none where the sheet has too many results. */
function drawableSizes(sheet: ExportSheet): SheetGeometry[] {
  return WIDTHS.map((width) => sheetGeometry(sheet, width)).filter(fits);
}

/** A result without a picture, and why, in a word or two. */
interface MissingPicture {
  id: string;
  word: string;
}

interface ReadOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

const PARALLEL_READS = 4;

/**
 * Reads a small picture of each cell with a file, a few at a time, and calls `use` with it; a clip gives its first frame. Resolves
 * to the cells without a picture. Rejects with the signal's reason, and with what `use` throws.
 */
export async function forEachPicture(
  cells: readonly ExportCell[],
  use: (cell: ExportCell, picture: DrawnThumb) => void | Promise<void>,
  { signal, onProgress }: ReadOptions,
): Promise<MissingPicture[]> {
  const wanted = cells.filter(({ file }) => file !== undefined);
  const missing: MissingPicture[] = [];
  let next = 0;
  let done = 0;
  onProgress(0, wanted.length);
  const work = async () => {
    for (let cell = wanted[next++]; cell; cell = wanted[next++]) {
      signal.throwIfAborted();
      const picture = await readPicture(cell, signal).catch((error: unknown): string => {
        signal.throwIfAborted();
        return getFailureWord(error, cell);
      });
      if (typeof picture === "string") missing.push({ id: cell.id, word: picture });
      else await use(cell, picture);
      done += 1;
      onProgress(done, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, work));
  return missing;
}

/**
 * Resolves to a picture, or to a text that says why there is none.
 * @throws MediaError, ClipError, or the signal's reason
 */
async function readPicture({ file, requestId }: ExportCell, signal: AbortSignal): Promise<DrawnThumb | string> {
  if (!file) return "No file";
  const isGone = isFileDeleted(file.url) !== false || isMediaDeleted(requestId ?? "");
  if (isGone) return FAILURE_WORDS.deleted.title;
  const kind = knownFacts(file.url)?.kind ?? file.kind;
  if (kind === "audio") return "Audio";
  const bytes = kind === "video" ? await readFrame(file.url, 0, { signal }) : await readMedia(file.url, { signal });
  const small = await makeSmall(bytes);
  return small ?? (kind === "other" ? "No preview" : FAILURE_WORDS.broken.title);
}

function getFailureWord(error: unknown, { createdAtSeconds }: ExportCell): string {
  if (!(error instanceof MediaError)) return FAILURE_WORDS.broken.title;
  return FAILURE_WORDS[failureWithAge(error.failure, { createdAtSeconds, nowMs: Date.now() })].title;
}
