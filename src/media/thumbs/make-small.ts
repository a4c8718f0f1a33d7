import { trustWorker } from "#lib/trust-worker.ts";
import type { DrawnThumb, ThumbAnswer, ThumbQuestion } from "./draw-thumb.ts";
// The worker is a chunk of its own, loaded with the first picture.
import thumbWorker from "./thumb-worker.ts?worker&url";

/** A picture that takes longer is shown as it is. */
const LONGEST_MS = 30_000;

interface Open {
  worker: Worker;
  asked: Map<number, (thumb: DrawnThumb | undefined) => void>;
}

let open: Open | undefined;
let isBroken = false;
let asked = 0;

/** Whether this browser can make small pictures at all. */
export function canMakeSmall(): boolean {
  return !isBroken && typeof Worker !== "undefined" && typeof OffscreenCanvas !== "undefined";
}

/** Makes a picture small in the worker; undefined where it cannot be read, or not in time. Never rejects. */
export async function makeSmall(picture: Blob | ImageBitmap): Promise<DrawnThumb | undefined> {
  if (!canMakeSmall()) return undefined;
  try {
    open ??= start();
  } catch {
    isBroken = true;
    return undefined;
  }
  const { worker, asked: waiting } = open;
  const question: ThumbQuestion = { id: asked++, picture };
  return new Promise((resolve) => {
    const timer = setTimeout(() => waiting.get(question.id)?.(undefined), LONGEST_MS);
    waiting.set(question.id, (thumb) => {
      clearTimeout(timer);
      waiting.delete(question.id);
      resolve(thumb);
    });
    worker.postMessage(question, picture instanceof Blob ? [] : [picture]);
  });
}

function start(): Open {
  const worker = new Worker(trustWorker(thumbWorker), { type: "module" });
  const waiting: Open["asked"] = new Map();
  worker.onmessage = ({ data }: MessageEvent<ThumbAnswer>) => waiting.get(data.id)?.(data.thumb);
  // The file of the worker could not be loaded: without it the list shows the files themselves.
  worker.onerror = () => {
    isBroken = true;
    for (const give of [...waiting.values()]) give(undefined);
  };
  return { worker, asked: waiting };
}
