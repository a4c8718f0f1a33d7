import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { peaksOf } from "#media/show/waveform.tsx";
import { FIT, panBy, type Zoom, zoomAt } from "#media/show/zoom-pane.tsx";
import { nextMode } from "#screens/history/compare/compare-preview.tsx";
import { compareRows } from "#screens/history/compare/compare-table.tsx";
import { readTags } from "#screens/history/tags.ts";
import { movedPlace, placeText, readPlace } from "#screens/history/viewer/viewer-place.ts";
import { someEntry } from "./some-entry.ts";

const file = { id: "0", kind: "image", url: "https://x.example/a.png" } as const;
const entry = (requestId: string, files: number, payload?: Record<string, unknown>) =>
  someEntry(requestId, { media: Array.from({ length: files }, () => file), payload });

describe("the place of the viewer", () => {
  const entries = [entry("a", 2), entry("b", 0), entry("c", 1)];
  it("moves through a job's files, then to the next job, up to either end", () => {
    const walk = (from: string, step: 1 | -1) => {
      const places = [from];
      for (let steps = 0; steps < 4; steps++)
        places.push(placeText(movedPlace(readPlace(places.at(-1) ?? ""), step, entries)));
      return places;
    };
    expect(walk("a", 1)).toEqual(["a", "a~2", "b", "c", "c"]);
    expect(walk("c", -1)).toEqual(["c", "b", "a~2", "a", "a"]);
    expect(walk("gone", 1)[1]).toBe("gone");
  });

  it("is in the address for any id", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat({ max: 900 }), (requestId, place) => {
        fc.pre(!/~\d+$/.test(requestId) && !requestId.includes("\n"));
        expect(readPlace(placeText({ requestId, file: place }))).toEqual({ requestId, file: place });
      }),
    );
  });
});

describe("zoom", () => {
  const pane = { width: 800, height: 600 };
  it("keeps the point under the pointer in place", () => {
    const point = { x: 100, y: -50 };
    const zoom = zoomAt(FIT, 4, point, pane);
    expect(zoom).toEqual({ scale: 4, x: -300, y: 150 });
    expect(zoomAt(zoom, 1 / 4, point, pane)).toEqual(FIT);
  });

  it("never moves the picture out of its pane or makes it smaller", () => {
    const point = fc.record({ x: fc.integer({ min: -400, max: 400 }), y: fc.integer({ min: -300, max: 300 }) });
    const step = fc.oneof(
      fc.record({ factor: fc.double({ min: 0.01, max: 100, noNaN: true }), point }),
      fc.record({ dx: fc.integer(), dy: fc.integer() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let zoom: Zoom = FIT;
        for (const one of steps)
          zoom = "dx" in one ? panBy(zoom, one.dx, one.dy, pane) : zoomAt(zoom, one.factor, one.point, pane);
        expect(zoom.scale).toBeGreaterThanOrEqual(1);
        expect(zoom.scale).toBeLessThanOrEqual(16);
        expect(Math.abs(zoom.x)).toBeLessThanOrEqual((pane.width * (zoom.scale - 1)) / 2 + 1e-6);
        expect(Math.abs(zoom.y)).toBeLessThanOrEqual((pane.height * (zoom.scale - 1)) / 2 + 1e-6);
      }),
    );
  });
});

describe("comparing", () => {
  it("lists differences first, and treats null as missing", () => {
    const rows = compareRows([
      entry("a", 1, { prompt: "x", seed: 1, style: null, size: { w: 1 } }),
      entry("b", 1, { prompt: "x", seed: 2, size: { w: 1 }, toString: 1 }),
    ]);
    expect(rows.map(({ name, isSame }) => [name, isSame])).toEqual([
      ["seed", false],
      ["toString", false],
      ["model", true],
      ["prompt", true],
      ["style", true],
      ["size", true],
    ]);
    expect(rows[1]?.values).toEqual([undefined, "1"]);
  });

  it("switches through its modes in turn", () => {
    const ways = ["slider"] as ReturnType<typeof nextMode>[];
    for (let turns = 0; turns < 4; turns++) ways.push(nextMode(ways.at(-1) ?? "slider"));
    expect(ways).toEqual(["slider", "side", "flicker", "difference", "slider"]);
  });
});

describe("the waveform of a sound", () => {
  it("has the peak of each part, scaled to 1", () => {
    const samples = Float32Array.from([0, 0.1, -0.5, 0.2, 0, 0, 0.25, 0]);
    expect(peaksOf(samples, 4).map((peak) => Math.round(peak * 100))).toEqual([20, 100, 0, 50]);
    expect(peaksOf(new Float32Array(3), 2)).toEqual([0, 0]);
    expect(peaksOf(new Float32Array(), 2)).toEqual([0, 0]);
  });
});

it("tags are read from a line once each, trimmed and in lower case", () => {
  expect(readTags(" Client, final,,client ,  ")).toEqual(["client", "final"]);
});
