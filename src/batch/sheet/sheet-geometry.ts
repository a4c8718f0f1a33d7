import type { ExportCell, ExportSheet } from "./export-sheet.ts";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A text in its place: `y` is the middle of its line. */
export interface PlacedText {
  x: number;
  y: number;
  width: number;
  text: string;
  look: "title" | "strong" | "text" | "quiet";
}

/** Where everything of a drawn sheet stands, in pixels. */
export interface SheetGeometry {
  width: number;
  height: number;
  /** One unit: sizes of letters and gaps grow with the cells. */
  unit: number;
  cells: readonly (Box & { cell: ExportCell })[];
  texts: readonly PlacedText[];
}

/** Browsers draw no larger canvas: sides, and all pixels together. */
const LONGEST_SIDE = 16_000;
const MAX_PIXELS = 120e6;
/** A cell is drawn so wide where there is room, and never narrower than the last. */
const WIDTHS = [400, 320, 260, 200, 160, 120];

/** Cells that are very wide or very high leave nothing to see. */
const within = (aspect: number) => Math.min(2.5, Math.max(0.5, aspect));

/** Where everything stands in cells of a width. */
export function sheetGeometry(sheet: ExportSheet, cellWidth: number): SheetGeometry {
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
        ? row.map((own) => own[at])
        : row.flat().slice(at * perLine, (at + 1) * perLine);
      let bottom = y + (heading && at === 0 ? line * 3 : 0);
      for (const [column, cell] of inLine.entries()) {
        if (!cell) continue;
        const box = { x: columnX(column), y, width: cellWidth, height: cellWidth / within(cell.aspect) };
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
  width <= LONGEST_SIDE && height <= LONGEST_SIDE && width * height <= MAX_PIXELS;

/** The sizes in which a sheet can be drawn, the largest first; none where it has too many results. */
export function drawableSizes(sheet: ExportSheet): SheetGeometry[] {
  return WIDTHS.map((width) => sheetGeometry(sheet, width)).filter(fits);
}
