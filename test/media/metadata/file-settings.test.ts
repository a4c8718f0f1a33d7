import { describe, expect, it } from "vitest";
import { tryParseJson } from "#lib/read.ts";
import { embedSettings, readSettings } from "#media/metadata/file-settings.ts";
import fc from "../../setup/fc.ts";
import { PNG_BYTES } from "../sandbox-media.ts";

// SOI, a JFIF segment, a start of scan with two bytes of picture, EOI.
const JPEG_BYTES = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4, 74, 70, 0xff, 0xda, 0, 2, 1, 2, 0xff, 0xd9]);
const png = new Blob([PNG_BYTES.slice()]);
const jpeg = new Blob([JPEG_BYTES]);
const settings = {
  model: "lumen-2",
  payload: { prompt: 'Ein Leuchtturm <bei> "Nacht" & Nebel 灯台', seed: 7 },
  requestId: "r-1",
};

describe("settings written into a file", () => {
  it.each([
    ["png", png],
    ["jpg", jpeg],
  ])("are read back from a %s, which keeps its picture", async (extension, file) => {
    const embedded = await embedSettings(file, extension, settings);
    expect(embedded.size).toBeGreaterThan(file.size);
    expect(await readSettings(embedded)).toEqual(settings);
    const [before, after] = [new Uint8Array(await file.arrayBuffer()), new Uint8Array(await embedded.arrayBuffer())];
    expect(after.slice(-8)).toEqual(before.slice(-8));
  });

  it("replace those that were there", async () => {
    const first = await embedSettings(png, "png", settings);
    const second = await embedSettings(first, "png", { ...settings, model: "other" });
    expect((await readSettings(second))?.model).toBe("other");
    expect(second.size).toBeLessThan(first.size + 20);
  });

  it("make a PNG whose every chunk has a right checksum", async () => {
    const embedded = new Uint8Array(await (await embedSettings(png, "png", settings)).arrayBuffer());
    const { inflateSync, crc32 } = await import("node:zlib");
    const view = new DataView(embedded.buffer);
    const types: string[] = [];
    for (let at = 8; at < embedded.length; ) {
      const length = view.getUint32(at);
      types.push(String.fromCharCode(...embedded.subarray(at + 4, at + 8)));
      expect(view.getUint32(at + 8 + length)).toBe(crc32(embedded.subarray(at + 4, at + 8 + length)));
      if (types.at(-1) === "IDAT") expect(inflateSync(embedded.subarray(at + 8, at + 8 + length))).toHaveLength(5);
      at += 12 + length;
    }
    expect(types).toEqual(["IHDR", "iTXt", "iTXt", "IDAT", "IEND"]);
  });

  it("are read back unchanged for any payload", async () => {
    const payload = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(payload, async (given) => {
        // A file is from anywhere: keys that reach a prototype are dropped.
        const wanted = tryParseJson(JSON.stringify({ model: "m", payload: given }));
        for (const [extension, file] of [
          ["png", png],
          ["jpg", jpeg],
        ] as const) {
          const read = await readSettings(await embedSettings(file, extension, { model: "m", payload: given }));
          expect(read && { model: read.model, payload: read.payload }).toEqual(wanted);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("are not written into a broken file or one of another kind", async () => {
    const clip = new Blob(["\0\0\0\x18ftypisom"]);
    expect(await embedSettings(clip, "mp4", settings)).toBe(clip);
    const broken = new Blob([PNG_BYTES.slice(0, 30)]);
    expect(await embedSettings(broken, "png", settings)).toBe(broken);
    const huge = { model: "m", payload: { prompt: "x".repeat(70_000) } };
    expect(await embedSettings(jpeg, "jpg", huge)).toBe(jpeg);
  });

  it("are read from a JSON beside a clip, and from nothing else", async () => {
    expect(await readSettings(new Blob(['{"model":"m","payload":{"a":1}}']))).toEqual({
      model: "m",
      payload: { a: 1 },
    });
    for (const text of [
      "",
      "{}",
      "[]",
      "null",
      '{"model":1,"payload":{}}',
      '{"model":"m","payload":[]}',
      "\0\0\0\x18ftypisom",
    ]) {
      expect(await readSettings(new Blob([text]))).toBeUndefined();
    }
  });

  it("never throw for any bytes", async () => {
    const starts = fc.constantFrom(PNG_BYTES.slice(0, 8), JPEG_BYTES.slice(0, 4), new Uint8Array());
    await fc.assert(
      fc.asyncProperty(starts, fc.uint8Array({ maxLength: 200 }), async (start, rest) => {
        const read = await readSettings(new Blob([start, new Uint8Array(rest)]));
        expect(read === undefined || typeof read.model === "string").toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
