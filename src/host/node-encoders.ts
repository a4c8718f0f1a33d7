import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { constants, deflate } from "node:zlib";
import encoderSource from "h264-mp4-encoder/embuild/dist/h264-mp4-encoder.node.js?raw";
import { encode } from "jpeg-js";
import { encodePng } from "#sandbox/media/encode-png.ts";
import { encodeWav } from "#sandbox/media/encode-wav.ts";
import type { ClipShape, MediaEncoders, Pixels } from "#sandbox/media/media-encoders.ts";
import workerSource from "./clip-worker.mjs?raw";

const deflateAsync = promisify<Uint8Array, { strategy: number }, Uint8Array>(deflate);

/** Encoders for Node. Clips are encoded in a worker thread, so the host goes on answering. */
export const nodeEncoders: MediaEncoders = {
  png: (pixels) => encodePng(pixels, deflateFast),
  jpeg: (pixels, quality) => Promise.resolve(new Uint8Array(encode(pixels, quality).data)),
  mp4(frames, shape) {
    // One clip at a time: two would only slow each other down.
    const clip = latest.then(() => encodeClip(frames, shape));
    latest = clip.then(
      () => undefined,
      () => undefined,
    );
    return clip;
  },
  wav: (samples, rate) => Promise.resolve(encodeWav(samples, rate)),
};

/** Run lengths alone pack filtered rows nearly as well as a full search, in a tenth of the time. */
async function deflateFast(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await deflateAsync(bytes, { strategy: constants.Z_RLE }));
}

let latest: Promise<void> = Promise.resolve();

// The encoder and its worker travel as text inside the bundle: found from sources, from tests, and from a built host
// without node_modules.

/** What a CommonJS file expects around itself, for a module that has no place on the disk. */
const PRELUDE = `import { createRequire } from "node:module";
const require = createRequire("file:///");
const module = { exports: {} };
const __dirname = "/";
const __filename = "/clip-encoder.js";
`;

let address: URL | undefined;

function workerAddress(): URL {
  const source = [PRELUDE, encoderSource, ";globalThis.clipEncoder = module.exports;", workerSource].join("\n");
  address ??= new URL(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
  return address;
}

type WorkerReply = { taken: true; bytes?: undefined } | { bytes: Uint8Array<ArrayBuffer> };

/**
 * An MP4 with H.264, encoded in a worker thread while the caller paints. At most two frames are in memory.
 *
 * The thread is asked to end and never terminated: Node 20 takes a terminated thread away while V8 may still compile for
 * it in the background, and then aborts the whole process. One that ends by itself waits for that first.
 */
async function encodeClip(
  frames: Iterable<Pixels> | AsyncIterable<Pixels>,
  shape: ClipShape,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, fps } = shape;
  const worker = new Worker(workerAddress(), { workerData: { width, height, fps } });
  const ended = new Promise((resolve) => worker.once("exit", resolve));
  const failure = new Promise<never>((_, reject) => {
    worker.once("error", reject);
  });
  failure.catch(() => undefined);
  const reply = (): Promise<WorkerReply> => {
    const answered = Promise.race([failure, new Promise<WorkerReply>((resolve) => worker.once("message", resolve))]);
    // Where the frames fail first, nobody waits for it any more.
    answered.catch(() => {});
    return answered;
  };
  try {
    let ready = reply();
    for await (const { data } of frames) {
      await ready;
      ready = reply();
      const frame = new Uint8Array(data.buffer);
      worker.postMessage({ frame }, [frame.buffer]);
    }
    await ready;
    const finished = reply();
    worker.postMessage({ isComplete: true });
    const { bytes } = await finished;
    if (!bytes) throw new Error("The video encoder gave no file.");
    return bytes;
  } finally {
    worker.postMessage({ isComplete: false });
    await ended;
  }
}
