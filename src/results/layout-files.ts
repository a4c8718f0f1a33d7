// Lays out the files of a job as a grid: how many columns, and where each file is.

/** The place of one file in the grid, in CSS pixels from the grid's upper left corner. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The places of all files, and the size of the grid. */
interface Layout {
  slots: Place[];
  width: number;
  height: number;
}

/** The room for the grid, in CSS pixels. */
interface Room {
  width: number;
  /** Infinity where the page scrolls. */
  height: number;
}

/**
 * The columns that people expect for a few files. They are not used where the smallest file would have less than `minShare` of
 * the area that the best arrangement gives it. For more files the arrangement with the largest files is used.
 */
const EXPECTED_COLUMNS: Record<number, { columns: number; minShare: number }> = {
  2: { columns: 2, minShare: 0.3 },
  3: { columns: 3, minShare: 0.47 },
  4: { columns: 2, minShare: 0.3 },
};
/** A narrower file is hard to recognize. CSS pixels. */
const MIN_WIDTH = 132;
/** The factor on the score of an arrangement whose last row is not full, since that leaves a hole. */
const HOLE_FACTOR = 0.75;
/** How many times as high as wide a grid may be where the page scrolls: the buttons below it must stay near. */
const MAX_SCROLLED_RATIO = 1.8;

/**
 * Files of any proportions in rows, in their order and none of them cut: all in a row have one height, and the grid fills
 * the room in one direction. `aspects`: width over height of each.
 */
export function layoutFiles(aspects: readonly number[], room: Room, gap = 8): Layout {
  return arrange(aspects, chooseColumns(aspects, room, gap), room, gap);
}

/** The number of columns with the best score: the area of the smallest file, less where the last row is not full. */
function chooseColumns(aspects: readonly number[], room: Room, gap: number): number {
  const scoredRoom = { ...room, height: Math.min(room.height, room.width * MAX_SCROLLED_RATIO) };
  const scores = aspects.map((_, index) => {
    const columns = index + 1;
    const smallest = Math.min(
      ...arrange(aspects, columns, scoredRoom, gap).slots.map(({ width, height }) => width * height),
    );
    const fits =
      room.height < Number.POSITIVE_INFINITY || arrange(aspects, columns, room, gap).height <= scoredRoom.height;
    return { columns, score: (fits ? smallest : 0) * (aspects.length % columns === 0 ? 1 : HOLE_FACTOR), smallest };
  });
  const best = scores.reduce((best, next) => (next.score > best.score ? next : best), scores[0] ?? NO_SCORE);
  const { columns: expectedColumns = 0, minShare = 1 } = EXPECTED_COLUMNS[aspects.length] ?? {};
  const expected = scores.find(({ columns }) => columns === expectedColumns);
  if (!expected || expected.smallest < best.smallest * minShare) return best.columns;
  const narrowest = Math.min(...arrange(aspects, expected.columns, scoredRoom, gap).slots.map(({ width }) => width));
  return narrowest < MIN_WIDTH ? best.columns : expected.columns;
}

const NO_SCORE = { columns: 1, score: 0, smallest: 0 };

/** Lays the files out in rows of `columns`, each row as wide as the room, and the grid no higher than the room. */
function arrange(aspects: readonly number[], columns: number, room: Room, gap: number): Layout {
  const rows = Array.from({ length: Math.ceil(aspects.length / columns) }, (_, row) =>
    aspects.slice(row * columns, (row + 1) * columns),
  );
  const fullHeights = rows.map((row) => rowHeight(row, room.width, gap));
  // A last row that is not full is no higher than the one above it.
  const heights = fullHeights.map((height, index) => Math.min(height, fullHeights[index - 1] ?? height));
  const gaps = gap * (rows.length - 1);
  const totalHeight = heights.reduce((sum, height) => sum + height, 0);
  const scale = Math.min(1, Math.max(0, room.height - gaps) / Math.max(1, totalHeight));
  let y = 0;
  const slots: Place[] = [];
  for (const [index, row] of rows.entries()) {
    const height = (heights[index] ?? 0) * scale;
    const width = row.reduce((sum, aspect) => sum + aspect * height, gap * (row.length - 1));
    let x = Math.max(0, (room.width - width) / 2);
    for (const aspect of row) {
      slots.push({ x, y, width: aspect * height, height });
      x += aspect * height + gap;
    }
    y += height + gap;
  }
  return { slots, width: room.width, height: Math.max(0, y - gap) };
}

/** The height at which the files of a row fill a width. */
function rowHeight(row: readonly number[], width: number, gap: number): number {
  const aspect = row.reduce((sum, fileAspect) => sum + fileAspect, 0);
  return Math.max(0, width - gap * (row.length - 1)) / Math.max(0.01, aspect);
}
