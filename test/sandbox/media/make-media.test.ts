import { inflateSync } from "node:zlib";
import { decode } from "jpeg-js";
import { describe, expect, it } from "vitest";
import { nodeEncoders } from "#host/node-encoders.ts";
import { type MediaSpec, makeMedia } from "#sandbox/media/make-media.ts";

const STILL_LIFE: MediaSpec = {
  kind: "image",
  format: "png",
  prompt: "A lighthouse at dusk",
  seed: 7,
  width: 96,
  height: 64,
  durationSeconds: 0,
  index: 0,
};

async function bytesOf(changes: Partial<MediaSpec>): Promise<Uint8Array> {
  return (await makeMedia({ ...STILL_LIFE, ...changes }, nodeEncoders)).bytes;
}

/** Far quicker over millions of bytes than comparing them as lists. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

function wordAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** The boxes of an MP4 between two offsets, by name. */
function boxes(bytes: Uint8Array, from = 0, to = bytes.length): Map<string, { start: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found = new Map<string, { start: number; end: number }>();
  for (let at = from; at + 8 <= to; ) {
    const size = view.getUint32(at);
    found.set(wordAt(bytes, at + 4), { start: at + 8, end: at + size });
    at += Math.max(8, size);
  }
  return found;
}

// Spec 2, outcome.media_urls.
describe("the sandbox's pictures", () => {
  it.each([
    [96, 64],
    [33, 127],
    [512, 16],
  ])("a PNG is exactly %i by %i pixels, with all its rows", async (width, height) => {
    const bytes = await bytesOf({ width, height });
    const view = new DataView(bytes.buffer);
    expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([width, height]);
    expect(wordAt(bytes, 37)).toBe("IDAT");
    const packed = bytes.subarray(41, 41 + view.getUint32(33));
    expect(inflateSync(packed)).toHaveLength((width * 3 + 1) * height);
  });

  it("a JPEG opens and is of the asked size", async () => {
    const { width, height } = decode(await bytesOf({ format: "jpeg", width: 120, height: 80 }));
    expect([width, height]).toEqual([120, 80]);
  });

  it("the same request gives the same bytes", async () => {
    expect(isSame(await bytesOf({}), await bytesOf({}))).toBe(true);
    expect(isSame(await bytesOf({ format: "jpeg" }), await bytesOf({ format: "jpeg" }))).toBe(true);
  });

  it.each([
    ["seed", { seed: 8 }],
    ["prompt", { prompt: "A forest in the rain" }],
    ["place in the job", { index: 1 }],
  ])("another %s gives another picture", async (_what, change) => {
    expect(isSame(await bytesOf(change), await bytesOf({}))).toBe(false);
  });

  it.each([
    "a portrait of a queen",
    "a nebula",
    "a neon city in the rain",
    "waves, a boat and birds",
    "dunes",
    "mossy woods",
    "a mountain lake, falling snow",
    "hills with balloons",
    "folded paper",
    "",
    "\u{1f31e} 太陽",
  ])("draws %j with light and shade", async (prompt) => {
    const { data } = decode(await bytesOf({ prompt, format: "jpeg", width: 160, height: 120 }));
    const levels = new Set<number>();
    for (let i = 0; i < data.length; i += 4) levels.add((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0));
    expect(levels.size).toBeGreaterThan(100);
  });

  it("impossible sizes are bounded and do not fail", async () => {
    const view = new DataView((await bytesOf({ width: Number.NaN, height: -5 })).buffer);
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([16, 16]);
  });
});

// Spec 8, video jobs.
describe("the sandbox's clips", () => {
  const clip: Partial<MediaSpec> = { kind: "video", format: "mp4", width: 1280, height: 720, durationSeconds: 1 };

  it("an MP4 says its duration, its size and its H.264 track", async () => {
    const bytes = await bytesOf(clip);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const top = boxes(bytes);
    expect(top.has("ftyp") && top.has("mdat")).toBe(true);
    const moov = top.get("moov");
    const movie = boxes(bytes, moov?.start, moov?.end);
    const header = movie.get("mvhd")?.start ?? 0;
    expect(view.getUint32(header + 16) / view.getUint32(header + 12)).toBeCloseTo(1, 1);
    // No clock is in it: the same request gives the same clip at any time.
    expect([view.getUint32(header + 4), view.getUint32(header + 8)]).toEqual([0, 0]);
    const track = boxes(bytes, movie.get("trak")?.start, movie.get("trak")?.end);
    const end = track.get("tkhd")?.end ?? 0;
    expect([view.getUint32(end - 8) / 65536, view.getUint32(end - 4) / 65536]).toEqual([576, 324]);
    expect(Buffer.from(bytes).includes("avcC")).toBe(true);
  });

  it("the same request gives the same clip, another seed another", async () => {
    const small = { ...clip, width: 160, height: 90, durationSeconds: 0.5 };
    const [first, again, other] = await Promise.all([bytesOf(small), bytesOf(small), bytesOf({ ...small, seed: 8 })]);
    expect(isSame(first, again)).toBe(true);
    expect(isSame(first, other)).toBe(false);
  });
});

// Spec 4.1, file type wav.
describe("the sandbox's music", () => {
  const music: Partial<MediaSpec> = { kind: "audio", format: "wav", durationSeconds: 3, prompt: "calm rain" };

  it("a WAV is 16-bit, stereo and as long as asked", async () => {
    const bytes = await bytesOf(music);
    const view = new DataView(bytes.buffer);
    expect([wordAt(bytes, 0), wordAt(bytes, 8), wordAt(bytes, 36)]).toEqual(["RIFF", "WAVE", "data"]);
    expect(view.getUint16(34, true)).toBe(16);
    const bytesPerSecond = view.getUint32(28, true);
    expect(view.getUint32(40, true) / bytesPerSecond).toBeCloseTo(3, 5);
    expect(view.getUint32(4, true)).toBe(bytes.length - 8);
  });

  it("a WAV is audible, never clips, and follows the seed", async () => {
    const bytes = await bytesOf(music);
    const samples = new Int16Array(bytes.buffer, 44);
    const loudest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
    expect(loudest).toBeGreaterThan(20_000);
    expect(loudest).toBeLessThan(32_767);
    expect(isSame(bytes, await bytesOf(music))).toBe(true);
    expect(isSame(bytes, await bytesOf({ ...music, seed: 99 }))).toBe(false);
  });
});
