import { once } from "node:events";
import { platform, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type MadeMedia, type MediaSpec, makeMedia } from "#sandbox/media/make-media.ts";
import type { MediaEncoders, Pixels } from "#sandbox/media/media-encoders.ts";
import { nodeEncoders } from "./node-encoders.ts";

/*
 * The sandbox's files are painted in a thread of its own: a picture takes hundreds of milliseconds, in which the host
 * would answer nobody. The built host starts this same file as the thread.
 */

const ROLE = "sandbox-painter";
/** How long the thread lives after its last file. */
const IDLE_MS = 20_000;
/** How long the host waits for it at its own end. A picture takes less than a second on a quiet machine. */
const MAX_ENDING_MS = 10_000;

/** Asks the thread to end. */
const END = "end";

type Answer = { made: MadeMedia } | { problem: string };

/** Below the host's own thread and a browser on the same machine, but not so far that a busy machine paints nothing. */
const NICE = 5;

if (!isMainThread && workerData === ROLE) {
  // On Linux it counts for this thread, elsewhere for the whole process.
  if (platform() === "linux") setPriority(NICE);
  let isEnding = false;
  // A clip takes seconds: it is given up at its next frame.
  async function* untilEnd(frames: Iterable<Pixels> | AsyncIterable<Pixels>) {
    for await (const frame of frames) {
      if (isEnding) throw new Error("The thread ends.");
      yield frame;
    }
  }
  const encoders: MediaEncoders = {
    ...nodeEncoders,
    mp4: (frames, shape) => nodeEncoders.mp4(untilEnd(frames), shape),
  };
  parentPort?.on("message", async (spec: MediaSpec | typeof END) => {
    if (spec === END) {
      isEnding = true;
      return parentPort?.close();
    }
    try {
      const made = await makeMedia(spec, encoders);
      parentPort?.postMessage({ made } satisfies Answer, [made.bytes.buffer]);
    } catch (error) {
      parentPort?.postMessage({ problem: String(error) } satisfies Answer);
    }
  });
}

let painter: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;
/** Ends with the last file that was asked for. */
let queue: Promise<unknown> = Promise.resolve();
let isStopped = false;

/**
 * Makes one file beside the host's own thread, one after the other. Rejects where it cannot be made. From its source, as
 * in tests and under the dev server, there is no file to start a thread from: then it is made on the spot.
 */
export function makeMediaInThread(spec: MediaSpec): Promise<MadeMedia> {
  if (import.meta.url.endsWith(".ts")) return makeMedia(spec, nodeEncoders);
  const made = queue.then(() => askPainter(spec));
  queue = made.catch(() => undefined);
  return made;
}

async function askPainter(spec: MediaSpec): Promise<MadeMedia> {
  // Its connection is closed already: nobody waits for an answer, and an error would be logged as a failed request.
  if (isStopped) return new Promise<never>(() => {});
  clearTimeout(idleTimer);
  painter ??= startPainter();
  try {
    // Rejects with an error of the thread itself.
    const answered = once(painter, "message");
    painter.postMessage(spec);
    const [answer] = (await answered) as [Answer];
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.made;
  } catch (error) {
    void endPainter();
    throw error;
  } finally {
    idleTimer = setTimeout(endPainter, IDLE_MS).unref();
  }
}

function startPainter(): Worker {
  const started = new Worker(new URL(import.meta.url), { workerData: ROLE });
  started.unref();
  // One that ends between two files is no error of the host's: the next file gets another.
  started.on("error", () => {});
  started.once("exit", () => {
    if (painter === started) painter = undefined;
  });
  return started;
}

/** The thread is asked to end and never terminated: see encodeClip. */
async function endPainter(): Promise<void> {
  clearTimeout(idleTimer);
  const ending = painter;
  painter = undefined;
  if (!ending) return;
  const ended = new Promise((resolve) => ending.once("exit", resolve));
  // The process stays for it.
  ending.ref();
  ending.postMessage(END);
  await Promise.race([ended, sleep(MAX_ENDING_MS, undefined, { ref: false })]);
}

/**
 * Paints nothing more in this process. Resolves when the thread is gone, or after MAX_ENDING_MS. The process should not
 * exit before: see encodeClip.
 */
export async function stopPainting(): Promise<void> {
  isStopped = true;
  await endPainter();
}
