import { describe, expect, it } from "vitest";
import { croppedName, croppedSize, largestArea, movedArea, scaledArea } from "#media/upload/crop-area.ts";
import fc from "../../setup/fc.ts";

const sides = fc.integer({ min: 20, max: 8000 });
const ratios = fc.double({ min: 0.2, max: 5, noNaN: true });

describe("the part of a picture that stays", () => {
  it("is the largest of its shape, in the middle", () => {
    expect(largestArea({ width: 1600, height: 900 }, 1)).toEqual({ x: 350, y: 0, width: 900, height: 900 });
    expect(largestArea({ width: 900, height: 1600 }, 1.5)).toEqual({ x: 0, y: 500, width: 900, height: 600 });
  });

  it("keeps its shape and stays inside the picture after any change", () => {
    const acts = fc.array(
      fc.record({ x: fc.integer(), y: fc.integer(), factor: fc.double({ min: 0.01, max: 9, noNaN: true }) }),
    );
    fc.assert(
      fc.property(sides, sides, ratios, acts, (width, height, ratio, steps) => {
        const picture = { width, height };
        let area = largestArea(picture, ratio);
        for (const { factor, ...by } of steps) area = scaledArea(movedArea(area, picture, by), picture, factor);
        expect(area.width / area.height).toBeCloseTo(ratio, 6);
        expect(area.x).toBeGreaterThanOrEqual(0);
        expect(area.y).toBeGreaterThanOrEqual(0);
        expect(area.x + area.width).toBeLessThanOrEqual(width + 1e-6);
        expect(area.y + area.height).toBeLessThanOrEqual(height + 1e-6);
      }),
    );
  });

  it("is stored no larger than the run will be, and never enlarged", () => {
    const area = { x: 0, y: 0, width: 3000, height: 2000 };
    expect(croppedSize(area, { width: 1536, height: 1024 })).toEqual({ width: 1536, height: 1024 });
    expect(croppedSize({ ...area, width: 300, height: 200 }, { width: 1536, height: 1024 })).toEqual({
      width: 300,
      height: 200,
    });
    expect(croppedSize(area, undefined)).toEqual({ width: 3000, height: 2000 });
  });

  it("is called like the whole, also when it is cut once more", () => {
    expect(croppedName("sea.webp", "png")).toBe("sea cropped.png");
    expect(croppedName("sea cropped.png", "jpg")).toBe("sea cropped.jpg");
  });
});
