import { readFile } from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { readHeic } from "#media/convert/heic-worker.ts";
import { type Pixels, upright } from "#media/convert/serve-decoder.ts";
import { readTiff } from "#media/convert/tiff-worker.ts";
import fc from "../../setup/fc.ts";

// The files are workers: they begin to serve as soon as they are loaded.
vi.hoisted(() => Object.assign(globalThis, { self: globalThis }));

async function bytesOf(name: string): Promise<ArrayBuffer> {
  return new Uint8Array(await readFile(new URL(`./pictures/${name}`, import.meta.url))).buffer;
}

/** The colours at the top left and at the bottom right: red turns to blue in each of the pictures. */
function ends({ data }: Pixels): string[] {
  const name = ([red = 0, green = 0, blue = 0, alpha = 0]: number[]) =>
    alpha < 255 || green > 60
      ? "neither"
      : red > 200 && blue < 60
        ? "red"
        : blue > 180 && red < 60
          ? "blue"
          : "neither";
  return [name([...data.slice(0, 4)]), name([...data.slice(-4)])];
}

test.each(["lzw", "deflate-16-bit", "packbits", "jpeg", "palette", "cmyk", "big-endian", "two-pages", "sideways"])(
  "a TIFF, %s, is read with its colours",
  async (name) => {
    const pixels = readTiff(await bytesOf(`${name}.tiff`));
    expect(pixels).toMatchObject({ width: 12, height: 8, orientation: name === "sideways" ? 6 : 1 });
    expect(pixels.data).toHaveLength(12 * 8 * 4);
    expect(ends(pixels)).toEqual(["red", "blue"]);
  },
);

test("a fax TIFF is read in black and white", async () => {
  const { data } = readTiff(await bytesOf("fax.tiff"));
  expect([...new Set(data)].sort()).toEqual([0, 255]);
});

test("a HEIC is read with its colours, without WebAssembly", async () => {
  const pixels = await readHeic(await bytesOf("study.heic"));
  expect(pixels).toMatchObject({ width: 64, height: 48, orientation: 1 });
  expect(ends(pixels)).toEqual(["red", "blue"]);
});

test.each(["", "II*\0", "II*\0\b\0\0\0", "MM\0*\0\0\0\b\0\x01", "II*\0\xff\xff\xff\xff"])(
  "bytes that only begin as a TIFF are refused: %j",
  (text) => {
    expect(() => readTiff(Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer)).toThrow();
  },
);

test("a rotated picture is drawn upright, within its canvas", () => {
  const sizes = fc.integer({ min: 1, max: 5_000 });
  fc.assert(
    fc.property(sizes, sizes, fc.integer({ min: 0, max: 9 }), (w, h, orientation) => {
      const { width, height, matrix } = upright(w, h, orientation);
      const [a, b, c, d, e, f] = matrix;
      const corners = [
        [0, 0],
        [w, h],
      ].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f]);
      expect(corners.map(([x]) => x).sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual([0, width]);
      expect(corners.map(([, y]) => y).sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual([0, height]);
    }),
  );
  // Top right is where the first row begins and runs down from: a quarter turn clockwise.
  expect(upright(12, 8, 6)).toEqual({ width: 8, height: 12, matrix: [0, 1, -1, 0, 8, 0] });
});
