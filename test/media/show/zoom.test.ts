import { describe, expect, it } from "vitest";
import { getPeaks } from "#media/show/peaks.ts";
import { FIT, panBy, type Zoom, zoomAt } from "#media/show/zoom.ts";
import fc from "../../setup/fc.ts";

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

describe("the waveform of a sound", () => {
  it("has the peak of each part, scaled to 1", () => {
    const samples = Float32Array.from([0, 0.1, -0.5, 0.2, 0, 0, 0.25, 0]);
    expect(getPeaks(samples, 4).map((peak) => Math.round(peak * 100))).toEqual([20, 100, 0, 50]);
    expect(getPeaks(new Float32Array(3), 2)).toEqual([0, 0]);
    expect(getPeaks(new Float32Array(), 2)).toEqual([0, 0]);
  });
});
