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
    if (!context) throw new Error("This browser has no 2D canvas, so it can’t make a JPEG.");
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
    if (!target.buffer) throw new Error("The encoded video is empty.");
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
