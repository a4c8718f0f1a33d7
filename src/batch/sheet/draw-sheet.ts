import { ExportError } from "./export-run.ts";
import { cellsOf, type ExportSheet } from "./export-sheet.ts";
import { forEachPicture, type MissingPicture } from "./read-pictures.ts";
import { drawableSizes, type PlacedText, type SheetGeometry } from "./sheet-geometry.ts";

interface DrawOptions {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** The colours of the screen, as the theme has them now. */
interface Colours {
  canvas: string;
  panel: string;
  line: string;
  ink: string;
  quiet: string;
  font: string;
}

function coloursNow(): Colours {
  const root = getComputedStyle(document.documentElement);
  const of = (name: string, fallback: string) => root.getPropertyValue(name).trim() || fallback;
  return {
    canvas: of("--canvas", "#111"),
    panel: of("--panel", "#1a1a1a"),
    line: of("--line-strong", "#444"),
    ink: of("--ink", "#eee"),
    quiet: of("--ink-2", "#bbb"),
    font: getComputedStyle(document.body).fontFamily || "sans-serif",
  };
}

/**
 * A sheet as a PNG in the colours of the theme: what has no picture is an empty cell with the word for it. Nothing is given
 * where no picture could be read at all. Rejects with an `ExportError`, or with the signal's reason.
 */
export async function drawSheet(
  sheet: ExportSheet,
  { signal, onProgress }: DrawOptions,
): Promise<{ blob: Blob; missing: MissingPicture[] }> {
  await document.fonts?.ready;
  const colours = coloursNow();
  const sizes = drawableSizes(sheet);
  const made = sizes.flatMap((size) => open(size, colours)).at(0) ?? undefined;
  if (!made) throw new ExportError(TOO_LARGE);
  const { canvas, context, geometry } = made;
  const boxes = new Map(geometry.cells.map((box) => [box.cell.id, box]));
  const cells = cellsOf(sheet);
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
    context.strokeStyle = colours.line;
    context.lineWidth = Math.max(1, geometry.unit);
    context.beginPath();
    context.roundRect(x, y, width, height, 8 * geometry.unit);
    context.stroke();
    context.textAlign = "center";
    write(
      context,
      { text: word, look: "quiet", x: x + width / 2, y: y + height / 2, width: width * 0.9 },
      geometry,
      colours,
    );
    context.textAlign = "left";
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new ExportError(TOO_LARGE);
  return { blob, missing };
}

const TOO_LARGE =
  "This sheet is too large for one image in this browser. Select fewer results, or export it as a web page.";

/** Refuses an export of which every picture is missing. @throws ExportError */
export function refuseEmpty(wanted: number, missing: readonly MissingPicture[]): void {
  if (wanted === 0 || missing.length < wanted) return;
  const [first] = missing;
  const reason = first ? ` ${first.word}.` : "";
  throw new ExportError(
    wanted === 1
      ? `The result could not be loaded.${reason}`
      : `None of the ${wanted} results could be loaded.${reason}`,
  );
}

/** A canvas of a size with all texts on it; none where the browser does not hold so large a one. */
function open(geometry: SheetGeometry, colours: Colours) {
  const canvas = document.createElement("canvas");
  canvas.width = geometry.width;
  canvas.height = geometry.height;
  const context = canvas.getContext("2d");
  if (!context) return [];
  context.fillStyle = colours.canvas;
  context.fillRect(0, 0, geometry.width, geometry.height);
  // Some browsers give a canvas that is too large and draw nothing on it.
  const isDrawn = (context.getImageData(geometry.width - 1, geometry.height - 1, 1, 1).data[3] ?? 0) > 0;
  if (!isDrawn) {
    canvas.width = 0;
    return [];
  }
  context.imageSmoothingQuality = "high";
  context.textBaseline = "middle";
  for (const { x, y, width, height } of geometry.cells) {
    context.fillStyle = colours.panel;
    context.beginPath();
    context.roundRect(x, y, width, height, 8 * geometry.unit);
    context.fill();
  }
  for (const text of geometry.texts) write(context, text, geometry, colours);
  return [{ canvas, context, geometry }];
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
  colours: Colours,
): void {
  const { size, weight } = LOOKS[look];
  context.font = `${weight} ${size * unit}px ${colours.font}`;
  context.fillStyle = look === "quiet" ? colours.quiet : colours.ink;
  context.fillText(cut(context, text, width), x, y);
}

/** A text as far as it fits. */
function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
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
