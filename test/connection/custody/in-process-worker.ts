import { serveKeys } from "#connection/custody/key-service.ts";
import type { KeyWorker } from "#connection/custody/worker-holder.ts";
import type { PageMessage, WorkerMessage } from "#connection/custody/worker-messages.ts";

export interface InProcessWorker extends KeyWorker {
  /** All that reached the page, as text. */
  heard: string[];
  isTerminated: boolean;
  die(): void;
}

/** The Worker that holds keys, without a thread: messages are copied and arrive later, as between threads. */
export function inProcessWorker(fetch: typeof globalThis.fetch): InProcessWorker {
  const page: ((event: { data: WorkerMessage }) => void)[] = [];
  const inside: ((event: { data: PageMessage }) => void)[] = [];
  const deaths: (() => void)[] = [];
  const worker: InProcessWorker = {
    heard: [],
    isTerminated: false,
    postMessage(message) {
      const copy = structuredClone(message);
      setImmediate(() => {
        for (const listener of worker.isTerminated ? [] : inside) listener({ data: copy });
      });
    },
    addEventListener: (_type, listener) => void page.push(listener),
    terminate() {
      worker.isTerminated = true;
    },
    onDeath: (callback) => void deaths.push(callback),
    die() {
      for (const callback of deaths) callback();
    },
  };
  serveKeys(
    {
      postMessage(message) {
        const copy = structuredClone(message);
        worker.heard.push(JSON.stringify(copy, (_key, value) => (isBytes(value) ? decode(value) : value)));
        setImmediate(() => {
          for (const listener of worker.isTerminated ? [] : page) listener({ data: copy });
        });
      },
      addEventListener: (_type, listener) => void inside.push(listener),
    },
    fetch,
  );
  return worker;
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
