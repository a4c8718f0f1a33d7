import { BufferTarget, Mp4OutputFormat, Output, QUALITY_MEDIUM, VideoSample, VideoSampleSource } from "mediabunny";
import { encodePng } from "./encode-png.ts";
import { encodeWav } from "./encode-wav.ts";
import type { MediaEncoders, Pixels } from "./media-encoders.ts";

/** Encoders for a page or its worker: canvas for JPEG, WebCodecs for H.264. Nothing here needs eval or wasm. */
export const pageEncoders: MediaEncoders = {
  png: (pixels) => encodePng(pixels),
  async jpeg(pixels, quality) {
    const canvas = new OffscreenCanvas(pixels.width, pixels.height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("This browser offers no 2D canvas, so no JPEG can be made.");
    context.putImageData(new ImageData(pixels.data, pixels.width, pixels.height), 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: quality / 100 });
    return new Uint8Array(await blob.arrayBuffer());
  },
  async mp4(frames, { fps }) {
    const target = new BufferTarget();
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: "in-memory" }), target });
    const source = new VideoSampleSource({ codec: "avc", bitrate: QUALITY_MEDIUM, keyFrameInterval: 1 });
    output.addVideoTrack(source, { frameRate: fps });
    await output.start();
    let count = 0;
    for await (const frame of frames) {
      const sample = readSample(frame, count / fps, 1 / fps);
      await source.add(sample);
      sample.close();
      count++;
    }
    await output.finalize();
    if (!target.buffer) throw new Error("The clip came out empty.");
    return new Uint8Array(target.buffer);
  },
  wav: (samples, rate) => Promise.resolve(encodeWav(samples, rate)),
};

function readSample(pixels: Pixels, timestamp: number, duration: number): VideoSample {
  const { width, height, data } = pixels;
  return new VideoSample(new Uint8Array(data.buffer), {
    format: "RGBA",
    codedWidth: width,
    codedHeight: height,
    timestamp,
    duration,
  });
}

const PARENTS = new Set(["moov", "trak", "mdia"]);
const DATED = new Set(["mvhd", "tkhd", "mdhd"]);

/** Sets the dates inside an MP4 to zero, in place: encoders write the clock, and the same request gives the same bytes. */
export function clearClipTimes(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      // 0 and 1 stand for "to the end" and for a 64-bit size; neither is written for the boxes sought here.
      if (size < 8 || at + size > to) return;
      const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      if (PARENTS.has(name)) walk(at + 8, at + size);
      // After one version byte and three flag bytes: two dates of 4 bytes, or of 8 in version 1.
      if (DATED.has(name)) bytes.fill(0, at + 12, at + 12 + (bytes[at + 8] === 1 ? 16 : 8));
      at += size;
    }
  };
  walk(0, bytes.byteLength);
}
