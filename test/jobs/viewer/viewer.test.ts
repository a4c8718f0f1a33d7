import { describe, expect, it } from "vitest";
import { readTags } from "#jobs/marks/tags.ts";
import { jobStrip } from "#jobs/viewer/strip.ts";
import { peaksOf } from "#media/show/peaks.ts";
import { FIT, panBy, type Zoom, zoomAt } from "#media/show/zoom.ts";
import { readViewedFile, viewedFileText } from "#screens/history/history-search.ts";
import { someEntry } from "../../screens/history/some-entry.ts";
import fc from "../../setup/fc.ts";

const file = { id: "0", kind: "image", url: "https://x.example/a.png" } as const;
const entry = (requestId: string, files: number, payload?: Record<string, unknown>) =>
  someEntry(requestId, { media: Array.from({ length: files }, () => file), payload });

describe("the strip of the viewer", () => {
  const entries = [entry("a", 2), entry("b", 0), entry("c", 1)];
  it("goes through a job's files, then to the next job, up to either end", () => {
    const strip = jobStrip(entries);
    const found = Array.from({ length: strip.count }, (_, at) => strip.at(at));
    const names = found.map((one) => one && viewedFileText({ id: one.result.id, file: one.file }));
    expect(names).toEqual(["a", "a~2", "b", "c"]);
    expect(names.map((name) => strip.indexOf(readViewedFile(name ?? "")))).toEqual([0, 1, 2, 3]);
    expect([strip.at(-1), strip.at(4), strip.indexOf(readViewedFile("gone"))]).toEqual([undefined, undefined, -1]);
    expect(strip.indexOf(readViewedFile("a~9"))).toBe(1);
  });

  it("finds every file of any list", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4 }), { maxLength: 40 }), (files) => {
        const list = files.map((count, at) => entry(String(at), count));
        const strip = jobStrip(list);
        const all = list.flatMap((one) => Array.from({ length: Math.max(1, one.media.length) }, (_, at) => [one, at]));
        const found = Array.from({ length: strip.count }, (_, at) => [strip.at(at)?.result.job, strip.at(at)?.file]);
        expect(found).toEqual(all);
      }),
    );
  });

  it("has each of its files in the address, for any id", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat({ max: 900 }), (requestId, at) => {
        fc.pre(!/~\d+$/.test(requestId) && !requestId.includes("\n"));
        expect(readViewedFile(viewedFileText({ id: requestId, file: at }))).toEqual({ id: requestId, file: at });
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
