import { Worker } from "node:worker_threads";
// Both travel as text inside the bundle: found from sources, from tests, and from a built host without node_modules.
import encoderSource from "h264-mp4-encoder/embuild/dist/h264-mp4-encoder.node.js?raw";
import type { ClipShape, Pixels } from "#sandbox/media/media-encoders.ts";
import workerSource from "./clip-worker.mjs?raw";

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

/** An MP4 with H.264, encoded in a worker thread while the caller paints. At most two frames are held. */
export async function encodeClip(
  frames: Iterable<Pixels> | AsyncIterable<Pixels>,
  shape: ClipShape,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, fps } = shape;
  const worker = new Worker(workerAddress(), { workerData: { width, height, fps } });
  const failure = new Promise<never>((_, reject) => {
    worker.once("error", reject);
  });
  failure.catch(() => undefined);
  const reply = (): Promise<WorkerReply> =>
    Promise.race([failure, new Promise<WorkerReply>((resolve) => worker.once("message", resolve))]);
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
    worker.postMessage({});
    const { bytes } = await finished;
    if (!bytes) throw new Error("The clip encoder gave no file.");
    return bytes;
  } finally {
    await worker.terminate();
  }
}
