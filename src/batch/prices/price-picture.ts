import { formatMicroUsd } from "#lib/money.ts";
import { formatDateTime } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { cellTag, getCellHeat, getRequestedAmounts, type PriceTable, resultWord, unitPrice } from "./price-cells.ts";

// The layout of the picture, in units of a pixel before `SCALE`.
const CELL = { width: 176, height: 104, gap: 6 };
const EDGE = 32;
/** The height of title and common settings. */
const HEAD = 92;
const COLUMN_LABELS = 32;
/** The width of the labels of rows. */
const LABELS = 92;
const FOOT = 56;
/** Pixels of the file for one unit; fewer where a side would exceed `MAX_SIDE`, which browsers do not draw. */
const SCALE = 2;
const MAX_SIDE = 8000;

interface Ink {
  canvas: string;
  ink: string;
  quiet: string;
  line: string;
  font: string;
}

/** The theme's colors and letters, as the page has them now. */
function themeInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    canvas: token("--canvas", "#161412"),
    ink: token("--ink", "#f4f2ef"),
    quiet: token("--ink-2", "#b4b0aa"),
    line: token("--line-strong", "#333333"),
    font: getComputedStyle(document.body).fontFamily || "sans-serif",
  };
}

/**
 * The table as a PNG in the colors of the theme. Rejects with an `Error` in words where the browser cannot draw it.
 */
export async function pricePicture(table: PriceTable, nowMs: number): Promise<Blob> {
  await document.fonts?.ready;
  const { rows, columns } = table.axes;
  const across = columns?.values.length ?? 1;
  const down = rows?.values.length ?? 1;
  const width = 2 * EDGE + LABELS + across * (CELL.width + CELL.gap);
  const height = HEAD + COLUMN_LABELS + down * (CELL.height + CELL.gap) + FOOT;
  const scale = Math.min(SCALE, MAX_SIDE / width, MAX_SIDE / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("Couldn’t create the image. Copy the table as CSV instead.");
  pen.scale(scale, scale);
  const ink = themeInk();
  pen.fillStyle = ink.canvas;
  pen.fillRect(0, 0, width, height);
  const write = (text: string, x: number, y: number, size: number, weight: number, color: string, room?: number) => {
    pen.font = `${weight} ${size}px ${ink.font}`;
    pen.fillStyle = color;
    pen.fillText(room === undefined ? text : fitted(pen, text, room), x, y);
  };

  const by = [rows, columns].flatMap((axis) => (axis ? visibleLine(axis.field.label, 40) : []));
  const title = [visibleLine(table.modelId, 80), by.join(" by ")].filter(Boolean).join(": ");
  write(title, EDGE, EDGE + 14, 18, 600, ink.ink, width - 2 * EDGE);
  const same = table.common.length > 0 ? `Same for all: ${table.common.join(", ")}` : "";
  write(same, EDGE, EDGE + 38, 12.5, 400, ink.quiet, width - 2 * EDGE);
  columns?.values.forEach(({ label }, at) => {
    write(label, EDGE + LABELS + at * (CELL.width + CELL.gap) + 4, HEAD + 18, 13, 500, ink.ink, CELL.width - 8);
  });
  rows?.values.forEach(({ label }, at) => {
    const y = HEAD + COLUMN_LABELS + at * (CELL.height + CELL.gap) + CELL.height / 2 + 5;
    write(label, EDGE, y, 13, 500, ink.ink, LABELS - 12);
  });
  for (const cell of table.cells) {
    const x = EDGE + LABELS + cell.column * (CELL.width + CELL.gap);
    const y = HEAD + COLUMN_LABELS + cell.row * (CELL.height + CELL.gap);
    drawCell(pen, table, cell, { x, y }, ink, write);
  }
  const foot = `Exact prices on ${formatDateTime(nowMs / 1000)}`;
  write(foot, EDGE, height - 26, 12, 400, ink.quiet, width - 2 * EDGE);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("Couldn’t create the image. Copy the table as CSV instead."))),
      "image/png",
    ),
  );
}

type Write = (text: string, x: number, y: number, size: number, weight: number, color: string, room?: number) => void;

/** Draws one cell: its background, its price and its words. */
function drawCell(
  pen: CanvasRenderingContext2D,
  table: PriceTable,
  cell: PriceTable["cells"][number],
  { x, y }: { x: number; y: number },
  ink: Ink,
  write: Write,
): void {
  const price = table.priceOf(cell);
  const room = CELL.width - 24;
  pen.save();
  pen.beginPath();
  pen.roundRect(x, y, CELL.width, CELL.height, 8);
  pen.clip();
  if (price.state === "priced") {
    pen.globalAlpha = getCellHeat(price.priceMicroUsd, table.facts) / 100;
    pen.fillStyle = ink.ink;
    pen.fillRect(x, y, CELL.width, CELL.height);
  } else {
    pen.strokeStyle = ink.line;
    for (let at = -CELL.height; at < CELL.width; at += 7) {
      pen.beginPath();
      pen.moveTo(x + at, y + CELL.height);
      pen.lineTo(x + at + CELL.height, y);
      pen.stroke();
    }
  }
  pen.restore();
  if (price.state === "off") {
    pen.font = `400 11.5px ${ink.font}`;
    const lines = wrapped(pen, visibleLine(price.why, 120), room, 3);
    write("Not available", x + 12, y + CELL.height - 15 - 16 * lines.length, 12, 500, ink.ink, room);
    lines.forEach((line, at) => {
      write(line, x + 12, y + CELL.height - 13 - 16 * (lines.length - 1 - at), 11.5, 400, ink.quiet, room);
    });
  }
  if (price.state !== "priced") return;
  write(formatMicroUsd(price.priceMicroUsd), x + 12, y + 30, 20, 600, ink.ink, room);
  const amounts = getRequestedAmounts(table.schema, cell.request.payload);
  const unit = unitPrice(price.priceMicroUsd, amounts, resultWord(table.type));
  pen.globalAlpha = 0.82;
  if (unit) write(unit, x + 12, y + 48, 11.5, 400, ink.ink, room);
  pen.globalAlpha = 1;
  write(cellTag(cell, price, table.facts) ?? "", x + 12, y + CELL.height - 13, 11.5, 500, ink.ink, room);
}

/** Breaks a text into at most `max` lines of the pen's font. The last line may be too long: `write` cuts it. */
function wrapped(pen: CanvasRenderingContext2D, text: string, room: number, max: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    const isFull = lines.length === max;
    if (lines.length === 0 || (!isFull && pen.measureText(longer).width > room)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A text, cut with "…" to a width in the pen's font. */
function fitted(pen: CanvasRenderingContext2D, text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return `${text.slice(0, length).trimEnd()}…`;
}
