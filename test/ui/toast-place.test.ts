import { describe, expect, test } from "vitest";
import { type Area, findToastPlace, type Obstacle } from "#ui/toast-place.ts";

const at = (left: number, top: number, width: number, height: number, weight = 2): Obstacle => ({
  area: { left, top, right: left + width, bottom: top + height },
  weight,
});
const covers = (box: Area, { area }: Obstacle) =>
  box.left < area.right && area.left < box.right && box.top < area.bottom && area.top < box.bottom;

const toast = { width: 360, height: 80 };

describe("findToastPlace", () => {
  test("takes the bottom right corner where that is free", () => {
    expect(findToastPlace(toast, { width: 1440, height: 900 }, [])).toEqual({ left: 1064, top: 804 });
  });

  test("moves up over a button in the corner", () => {
    const button = at(1300, 850, 120, 32);
    const { left, top } = findToastPlace(toast, { width: 1440, height: 900 }, [button]);
    expect(left).toBe(1064);
    expect(top + toast.height).toBeLessThanOrEqual(850);
  });

  test.each([
    ["a phone", { width: 390, height: 844 }, [at(16, 700, 358, 44, 50), at(0, 788, 390, 56)]],
    ["a phone on its side", { width: 844, height: 390 }, [at(230, 300, 600, 44, 50), at(0, 60, 200, 200)]],
    [
      "a desk",
      { width: 1024, height: 768 },
      [at(400, 700, 340, 44, 50), at(900, 640, 100, 32), at(700, 600, 320, 100)],
    ],
  ])("covers nothing that acts on %s", (_, frame, obstacles) => {
    const { left, top } = findToastPlace(toast, frame, obstacles);
    const box = { left, top, right: left + toast.width, bottom: top + toast.height };
    expect(obstacles.filter((obstacle) => covers(box, obstacle))).toEqual([]);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(box.right).toBeLessThanOrEqual(frame.width);
  });

  test("covers the less important thing where something must be covered", () => {
    const frame = { width: 320, height: 256 };
    const run = at(0, 128, 320, 128, 50);
    const links = at(0, 0, 320, 128, 1);
    const { top } = findToastPlace({ width: 304, height: 90 }, frame, [run, links]);
    expect(top + 90).toBeLessThanOrEqual(128);
  });

  test("stays where it is while another place is no better", () => {
    const current = { left: 16, top: 300 };
    expect(findToastPlace(toast, { width: 1440, height: 900 }, [], current)).toBe(current);
  });
});
