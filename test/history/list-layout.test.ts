import { describe, expect, it } from "vitest";
import {
  arrangeJobs,
  createSlots,
  createTileAspects,
  getLineIndex,
  type ListLine,
  layoutList,
  lineAt,
  lineTops,
  listPositions,
  TILE_GAP,
} from "#history/list-layout.ts";
import { noteFacts } from "#media/file-facts.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { cursorAfterKey, movedTo, NO_CURSOR } from "#ui/grid-cursor.ts";
import fc from "../setup/fc.ts";
import { someJob } from "../setup/some-job.ts";

const NOW = new Date(2026, 10, 20, 12).getTime();
const entry = (place: number, over: Partial<JobRecord> = {}) =>
  someJob(`job-${place}`, { createdAtSeconds: NOW / 1000 - place * 3600, ...over });
const many = (count: number) => Array.from({ length: count }, (_, place) => entry(place));
const options = { density: "grid", width: 1000, nowMs: NOW } as const;

describe("the lines of the list", () => {
  it("are grouped under their days", () => {
    const days = layoutList(many(40), options).filter((line) => line.kind === "day");
    expect(days.map((day) => [day.label, day.first, day.end])).toEqual([
      ["Today", 0, 13],
      ["Yesterday", 13, 37],
      ["Nov 18, 2026", 37, 40],
    ]);
  });

  it("have no headings when the records have no times", () => {
    const untimed = many(9).map((one) => ({ ...one, createdAtSeconds: undefined }));
    expect(layoutList(untimed, options).every((line) => line.kind === "tiles")).toBe(true);
  });

  it("hold every job once, in order, within the width, at one height", () => {
    const shapes = fc.array(fc.double({ min: 0.05, max: 20, noNaN: true }), { maxLength: 120 });
    fc.assert(
      fc.property(shapes, fc.integer({ min: 240, max: 2600 }), (aspects, width) => {
        const entries = aspects.map((_, place) => entry(place));
        const aspectOf = (one: JobRecord) => aspects[entries.indexOf(one)] ?? 1;
        const lines = layoutList(entries, { ...options, width, aspectOf });
        const tiles = lines.filter((line) => line.kind === "tiles");
        expect(tiles.flatMap((line) => line.tiles.map((_, place) => line.first + place))).toEqual([...entries.keys()]);
        for (const { tiles: boxes } of tiles) {
          const last = boxes.at(-1);
          expect((last?.left ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(width);
          expect(new Set(boxes.map((box) => box.mediaHeight)).size).toBe(1);
          for (const [place, box] of boxes.entries()) {
            const before = boxes[place - 1];
            if (before) expect(box.left).toBe(before.left + before.width + TILE_GAP);
          }
        }
      }),
    );
  });

  it("put jobs without a result under the tiles of their day, and keep those that ran as tiles", () => {
    const entries = [
      entry(0, { status: "failed" }),
      entry(1),
      entry(2, { status: "cancelled" }),
      entry(3, { status: "failed" }),
    ];
    const arrange = (density: "grid" | "table") =>
      arrangeJobs(entries, { density, nowMs: NOW, tiles: new Set(["job-3"]) });
    const { entries: shown, groups } = arrange("grid");
    expect(shown.map(({ requestId }) => requestId)).toEqual(["job-1", "job-3", "job-0", "job-2"]);
    const lines = layoutList(shown, { ...options, groups });
    expect(lines.map(({ kind, first }) => [kind, first])).toEqual([
      ["day", 0],
      ["tiles", 0],
      ["ended", 2],
      ["ended", 3],
    ]);
    expect(arrange("table").entries).toBe(entries);
  });

  it("take the file's own shape before the one that the record tells; what is learned later is for the next list", () => {
    const url = "https://media.example/list-layout.png";
    const job = entry(0, { media: [{ id: "a", kind: "image", url }] });
    const widthIn = (aspectOf: ReturnType<typeof createTileAspects>) => {
      const [, line] = layoutList([job], { ...options, aspectOf });
      return line?.kind === "tiles" ? line.tiles[0]?.width : undefined;
    };
    const before = createTileAspects();
    const width = widthIn(before) ?? 0;
    noteFacts(url, { width: 200, height: 100 });
    expect(widthIn(before)).toBe(width);
    expect(widthIn(createTileAspects())).toBe(width * 2);
    // The same shape but for a rounding: the list stays as it was laid out.
    noteFacts(url, { width: 101, height: 100 });
    expect(widthIn(createTileAspects())).toBe(width);
  });

  it("keep the shape of a job of which more becomes known while the list is looked at", () => {
    const media = [{ id: "a", kind: "image", url: "https://media.example/later.png" } as const];
    const wide = { aspect_ratio: "16:9" };
    for (const listed of [entry(0, { payload: undefined }), entry(0, { payload: undefined, media: [...media] })]) {
      const aspectOf = createTileAspects();
      const shape = aspectOf(listed);
      expect(aspectOf({ ...listed, payload: wide, media: [...media] })).toBe(shape);
      expect(createTileAspects()({ ...listed, payload: wide, media: [...media] })).toBeCloseTo(16 / 9);
    }
    // A job that ran and has ended is laid out anew.
    const running = createTileAspects();
    running(entry(1, { payload: undefined, status: "queued" }));
    expect(running(entry(1, { payload: wide, media: [...media] }))).toBeCloseTo(16 / 9);
  });

  it("read each of 100,000 jobs a few times at most", () => {
    let reads = 0;
    const entries = many(100_000).map((one, place) => ({ ...one, createdAtSeconds: NOW / 1000 - place * 60 }));
    const aspectOf = () => {
      reads++;
      return 1;
    };
    const lines = layoutList(entries, { ...options, aspectOf });
    expect(reads).toBeLessThanOrEqual(3 * entries.length);
    expect(getLineIndex(99_999, lines)).toBe(lines.length - 1);
  });
});

describe("keys in the list", () => {
  const entries = many(23).map((one) => ({ ...one, createdAtSeconds: NOW / 1000 }));
  const ids = entries.map((one) => one.requestId);
  const lines = layoutList(entries, options);
  const places = listPositions(ids, new Map(ids.map((id, index) => [id, index])), lines);
  const tiles = lines.find((line) => line.kind === "tiles");
  const perLine = tiles?.tiles.length ?? 0;
  const press = (key: string, from: number, page = 0) => {
    const cursor = movedTo(NO_CURSOR, `job-${from}`);
    return cursorAfterKey({ key, shift: false, mod: false, page }, cursor, places)?.active;
  };

  it("arrows move to the neighbour and to the nearest tile of the next line", () => {
    expect(press("ArrowRight", 0)).toBe("job-1");
    expect(press("ArrowRight", perLine - 1)).toBe(`job-${perLine}`);
    expect(press("ArrowLeft", 0)).toBe("job-0");
    expect(press("ArrowDown", 1)).toBe(`job-${perLine + 1}`);
    expect(press("ArrowUp", perLine + 1)).toBe("job-1");
    expect(press("End", 0)).toBe("job-22");
    expect(press("Home", 9)).toBe("job-0");
  });

  it("a page is the visible lines, at least one, within the list", () => {
    const height = tiles?.height ?? 0;
    expect(press("PageDown", 1, height * 2)).toBe(`job-${1 + perLine * 2}`);
    expect(press("PageUp", 1 + perLine * 2, height * 2)).toBe("job-1");
    expect(press("PageDown", 1, 10)).toBe(`job-${1 + perLine}`);
    expect(ids.indexOf(press("PageDown", 12, 1e6) ?? "")).toBeGreaterThan(12 + perLine - 1);
  });
});

const lines = (heights: readonly number[]): ListLine[] =>
  heights.map((height, place) => ({ kind: "job", key: String(place), first: place, height }));

it("the line at a height is the one that a check of every line finds", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(heights, fc.nat(20_000), (given, height) => {
      const tops = lineTops(lines(given), 4);
      const found = given.findLastIndex((_, line) => (tops[line] ?? 0) <= height);
      expect(lineAt(tops, height)).toBe(Math.max(0, found));
    }),
  );
});

describe("the elements of a list", () => {
  const steps = fc.array(
    fc.record({ start: fc.nat(500), count: fc.integer({ min: 1, max: 30 }), isMoving: fc.boolean() }),
    { maxLength: 40 },
  );

  it("show every line in view once, and stay in order during scrolling", () => {
    fc.assert(
      fc.property(steps, (given) => {
        const slots = createSlots();
        let order: number[] = [];
        for (const { start, count, isMoving } of given) {
          const held = slots({ start, end: start + count }, isMoving);
          const shown = held.map(({ line }) => line);
          expect(new Set(shown).size).toBe(shown.length);
          for (let line = start; line < start + count; line++) expect(shown).toContain(line);
          const now = held.map(({ slot }) => slot);
          expect(new Set(now).size).toBe(now.length);
          if (isMoving) expect(now.slice(0, order.length)).toEqual(order);
          else expect(shown).toEqual(Array.from({ length: count }, (_, place) => start + place));
          order = now;
        }
      }),
    );
  });

  it("are as many as one view needs, however far the list scrolls", () => {
    const slots = createSlots();
    const used = new Set<number>();
    for (let start = 0; start < 5000; start += 7) {
      for (const { slot } of slots({ start, end: start + 20 }, true)) used.add(slot);
    }
    expect(used.size).toBe(20);
  });
});
