import { describe, expect, it } from "vitest";
import type { ListLine } from "#history/list-layout.ts";
import { createSlots, lineAt, lineTops } from "#history/use-line-window.ts";
import fc from "../setup/fc.ts";

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
