import { expect, test } from "vitest";
import { layoutFiles } from "#results/layout-files.ts";
import fc from "../setup/fc.ts";

const rowsOf = (aspects: number[], room: { width: number; height: number }) => {
  const counts = new Map<number, number>();
  for (const { y } of layoutFiles(aspects, room).slots) counts.set(Math.round(y), (counts.get(Math.round(y)) ?? 0) + 1);
  return [...counts.values()];
};
const pane = { width: 676, height: 640 };

test.each([
  [[1, 1], [2]],
  [[1, 1, 1], [3]],
  [
    [1, 1, 1, 1],
    [2, 2],
  ],
  [[9 / 16, 9 / 16, 9 / 16], [3]],
  [
    [16 / 9, 16 / 9, 16 / 9, 16 / 9],
    [2, 2],
  ],
  [
    [21 / 9, 21 / 9],
    [1, 1],
  ],
  [
    [1, 1, 1, 1, 1, 1],
    [3, 3],
  ],
])("%j are shown in rows of %j", (aspects, rows) => {
  expect(rowsOf(aspects, pane)).toEqual(rows);
});

test("three on a phone are no narrower than can be recognised, and their acts are near", () => {
  const phone = { width: 358, height: Number.POSITIVE_INFINITY };
  expect(rowsOf([1, 1, 1], phone)).toEqual([2, 1]);
  expect(rowsOf([3 / 2, 3 / 2, 3 / 2], phone)).toEqual([2, 1]);
  expect(rowsOf([9 / 16, 9 / 16, 9 / 16, 9 / 16], phone)).toEqual([2, 2]);
});

test("every file keeps its proportions, and none leaves the room or covers another", () => {
  const aspect = fc.double({ min: 0.2, max: 5, noNaN: true });
  const room = fc.record({ width: fc.integer({ min: 200, max: 2400 }), height: fc.integer({ min: 200, max: 1600 }) });
  fc.assert(
    fc.property(fc.array(aspect, { minLength: 1, maxLength: 12 }), room, (aspects, within) => {
      const { slots, height } = layoutFiles(aspects, within);
      expect(slots).toHaveLength(aspects.length);
      expect(height).toBeLessThanOrEqual(within.height + 0.01);
      for (const [at, one] of slots.entries()) {
        expect(one.width / one.height).toBeCloseTo(aspects[at] ?? 0, 3);
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.x + one.width).toBeLessThanOrEqual(within.width + 0.01);
        for (const other of slots.slice(0, at)) {
          const isBeside = other.x + other.width <= one.x + 0.01 || one.x + one.width <= other.x + 0.01;
          expect(isBeside || other.y + other.height <= one.y + 0.01).toBe(true);
        }
      }
    }),
  );
});
