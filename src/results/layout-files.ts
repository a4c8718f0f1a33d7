/** The place of one file in the grid, in CSS pixels from its upper left corner. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Layout {
  slots: Place[];
  width: number;
  height: number;
}

interface Room {
  width: number;
  /** Infinity where the page scrolls. */
  height: number;
}

/**
 * Columns that people expect for a few files, and when they give way: where a file is smaller than this share of what
 * another arrangement makes of it. More files are laid out as they are largest.
 */
const USUAL: Record<number, { columns: number; leastShare: number }> = {
  2: { columns: 2, leastShare: 0.3 },
  3: { columns: 3, leastShare: 0.47 },
  4: { columns: 2, leastShare: 0.3 },
};
/** Narrower than this a file is no longer recognised. CSS pixels. */
const MIN_WIDTH = 132;
/** A row that is not full leaves a hole: it counts for less. */
const HOLE = 0.75;
/** How many times as high as wide a grid may be where the page scrolls: what can be done stands below it. */
const SCROLLED_HEIGHT = 1.8;

/**
 * Files of any proportions in rows, in their order and none of them cut: all in a row have one height, and the grid fills
 * the room in one direction. `aspects`: width over height of each.
 */
export function layoutFiles(aspects: readonly number[], room: Room, gap = 8): Layout {
  const best = columnsOf(aspects, room, gap);
  return arrange(aspects, best, room, gap);
}

function columnsOf(aspects: readonly number[], room: Room, gap: number): number {
  const compared = { ...room, height: Math.min(room.height, room.width * SCROLLED_HEIGHT) };
  const scores = aspects.map((_, at) => {
    const columns = at + 1;
    const smallest = Math.min(...arrange(aspects, columns, compared, gap).slots.map((one) => one.width * one.height));
    const fits =
      room.height < Number.POSITIVE_INFINITY || arrange(aspects, columns, room, gap).height <= compared.height;
    return { columns, score: (fits ? smallest : 0) * (aspects.length % columns === 0 ? 1 : HOLE), smallest };
  });
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one), scores[0] ?? NONE);
  const { columns: wanted = 0, leastShare = 1 } = USUAL[aspects.length] ?? {};
  const usual = scores.find(({ columns }) => columns === wanted);
  if (!usual || usual.smallest < best.smallest * leastShare) return best.columns;
  const narrowest = Math.min(...arrange(aspects, usual.columns, compared, gap).slots.map((one) => one.width));
  return narrowest < MIN_WIDTH ? best.columns : usual.columns;
}

const NONE = { columns: 1, score: 0, smallest: 0 };

/** The files in rows of `columns`, each row as wide as the room, and all of it as high as the room at most. */
function arrange(aspects: readonly number[], columns: number, room: Room, gap: number): Layout {
  const rows = Array.from({ length: Math.ceil(aspects.length / columns) }, (_, row) =>
    aspects.slice(row * columns, (row + 1) * columns),
  );
  const full = rows.map((row) => heightOf(row, room.width, gap));
  // A last row that is not full is no higher than the one above it.
  const heights = full.map((height, at) => Math.min(height, full[at - 1] ?? height));
  const gaps = gap * (rows.length - 1);
  const wanted = heights.reduce((sum, height) => sum + height, 0);
  const scale = Math.min(1, Math.max(0, room.height - gaps) / Math.max(1, wanted));
  let y = 0;
  const slots: Place[] = [];
  for (const [at, row] of rows.entries()) {
    const height = (heights[at] ?? 0) * scale;
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

function heightOf(row: readonly number[], width: number, gap: number): number {
  const aspect = row.reduce((sum, one) => sum + one, 0);
  return Math.max(0, width - gap * (row.length - 1)) / Math.max(0.01, aspect);
}
