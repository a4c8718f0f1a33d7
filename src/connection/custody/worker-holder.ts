import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { type KeyHolder, type KeyOrder, refuseWithoutKey, reportLostKey } from "./key-holder.ts";
import workerAddress from "./key-worker.ts?worker&url";
import type {
  MessageEnd,
  PageMessage,
  Unlocked,
  UnlockOrder,
  WorkerFailure,
  WorkerMessage,
  WorkerRequest,
} from "./worker-messages.ts";

/** The part of a Worker that the page uses, so that a test can replace it. */
export interface KeyWorker extends MessageEnd<PageMessage, WorkerMessage> {
  terminate(): void;
  /** Calls back when the Worker could not be loaded, or has failed. */
  onDeath(callback: () => void): void;
}

export interface WorkerHolder extends KeyHolder {
  /** Decrypts a key that was stored on this device, and takes it. Rejects as `hold` does. */
  unlock(order: UnlockOrder): Promise<Unlocked>;
}

const WORKER_STOPPED = "Your key is no longer in memory. Enter it again.";
/** Sealing takes a second on a slow device. */
const ANSWER_MS = 30_000;

/** Has keys in one dedicated Worker, which is started with the first key and ended with the last. */
export function createWorkerHolder(openWorker: () => KeyWorker = openKeyWorker): WorkerHolder {
  let running: { worker: KeyWorker; requests: WorkerRequests } | undefined;
  const tickets = new Set<string>();

  /** Reports the keys of a Worker that has stopped as lost. */
  function handleDeath(dead: KeyWorker): void {
    if (running?.worker !== dead) return;
    end();
    const lost = [...tickets];
    tickets.clear();
    for (const ticket of lost) reportLostKey(ticket, WORKER_STOPPED);
  }

  /** Ends the Worker. Its requests fail as with a broken network, because it is not known how far they came. */
  function end(): void {
    running?.worker.terminate();
    running?.requests.end();
    running = undefined;
  }

  function start(): WorkerRequests {
    if (running) return running.requests;
    const worker = openWorker();
    const requests = createWorkerRequests(worker);
    worker.onDeath(() => handleDeath(worker));
    running = { worker, requests };
    return requests;
  }

  const ask = async (message: Question) => readAnswer(await start().ask(message, ANSWER_MS));

  async function forget(ticket: string): Promise<void> {
    if (!tickets.delete(ticket) || !running) return;
    if (tickets.size > 0) await ask({ kind: "forget", ticket });
    else end();
  }

  return {
    custody: "worker",
    async hold(order) {
      const answer = await ask({ kind: "hold", order: absolute(order) });
      if (answer.kind !== "stored") throw new NoAnswerError();
      tickets.add(answer.handle.ticket);
      return answer.handle;
    },
    async unlock(order) {
      const answer = await ask({ kind: "unlock", ...order });
      if (answer.kind === "unlocked") tickets.add(answer.handle.ticket);
      if (answer.kind === "unlocked" || answer.kind === "locked") return answer;
      throw new NoAnswerError();
    },
    fetchFor: (ticket) => async (input, init) => {
      if (!tickets.has(ticket) || !running) return refuseWithoutKey();
      return running.requests.fetch(ticket, String(input), init);
    },
    forget,
    drop: forget,
  };
}

/** Makes relative addresses absolute, because the Worker does not know the page's address. */
function absolute(order: KeyOrder): KeyOrder {
  const toAbsolute = (address: string) => new URL(address, location.href).href.replace(/\/+$/, "");
  return {
    ...order,
    queueBaseUrl: toAbsolute(order.queueBaseUrl),
    inferenceBaseUrl: toAbsolute(order.inferenceBaseUrl),
  };
}

const NOT_HERE = "This build of Safelight is for another service and can’t send a key to these URLs.";

function readAnswer(answer: WorkerMessage): WorkerMessage {
  if (answer.kind !== "failed") return answer;
  if (answer.reason === "not_here") throw new RefusedError({ status: 403, message: NOT_HERE });
  throw new NoAnswerError();
}

function openKeyWorker(): KeyWorker {
  const worker = new Worker(trustWorker(workerAddress), { type: "module", name: "key" });
  return {
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    addEventListener: (type, listener) => worker.addEventListener(type, listener),
    terminate: () => worker.terminate(),
    onDeath(callback) {
      worker.addEventListener("error", callback);
      worker.addEventListener("messageerror", callback);
    },
  };
}

/** The one Worker of this page. It is started with the first key. */
export const workerHolder = createWorkerHolder();

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
/** Messages that get exactly one response. */
type Question = WithoutId<Extract<PageMessage, { kind: "hold" | "unlock" | "forget" }>>;

type WorkerRequests = ReturnType<typeof createWorkerRequests>;

/** Statuses with which a `Response` cannot have a body. */
const WITHOUT_BODY = [101, 204, 205, 304];

/** The page's side of the messages to the Worker. */
function createWorkerRequests(worker: MessageEnd<PageMessage, WorkerMessage>) {
  const waiting = new Map<number, (answer: WorkerMessage) => void>();
  let lastId = 0;
  let hasEnded = false;

  worker.addEventListener("message", ({ data }) => waiting.get(data.id)?.(data));

  function open(onAnswer: (answer: WorkerMessage) => void): number {
    lastId += 1;
    waiting.set(lastId, onAnswer);
    return lastId;
  }

  return {
    /** Sends a question. Rejects with a `NoAnswerError` when no response comes in time, or the Worker has ended. */
    ask(question: Question, timeoutMs: number): Promise<WorkerMessage> {
      return new Promise((resolve, reject) => {
        if (hasEnded) throw new NoAnswerError();
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new NoAnswerError({ timedOut: true }));
        }, timeoutMs);
        const id = open((answer) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(answer);
        });
        worker.postMessage({ id, ...question }, []);
      });
    },

    /** Sends one request with the key of this ticket. Rejects as `fetch` does; `url` must be absolute. */
    async fetch(ticket: string, url: string, init: RequestInit = {}): Promise<Response> {
      const signal = init.signal ?? undefined;
      signal?.throwIfAborted();
      const request = await readRequest(url, init);
      signal?.throwIfAborted();
      if (hasEnded) throw toError("no_key");
      return new Promise((resolve, reject) => {
        let body: ReadableStreamDefaultController<Uint8Array> | undefined;
        /** Resolves the `pull` of the stream that waits for the next piece. */
        let onPiece: (() => void) | undefined;
        const close = () => {
          waiting.delete(id);
          signal?.removeEventListener("abort", onAbort);
          onPiece?.();
        };
        const fail = (error: unknown) => {
          close();
          body?.error(error);
          reject(error);
        };
        const stop = () => worker.postMessage({ id, kind: "stop" }, []);
        const onAbort = () => {
          stop();
          fail(signal?.reason);
        };
        const id = open((answer) => {
          if (answer.kind === "failed") fail(toError(answer.reason));
          else if (answer.kind === "chunk") {
            body?.enqueue(answer.bytes);
            onPiece?.();
          } else if (answer.kind === "end") {
            close();
            body?.close();
          } else if (answer.kind === "head") {
            const { status, statusText, headers, hasBody } = answer;
            if (!hasBody || WITHOUT_BODY.includes(status)) {
              if (hasBody) stop();
              close();
              resolve(new Response(null, { status, statusText, headers }));
              return;
            }
            const stream = new ReadableStream<Uint8Array>(
              {
                start(controller) {
                  body = controller;
                },
                pull() {
                  worker.postMessage({ id, kind: "pull" }, []);
                  return new Promise((onNext) => {
                    onPiece = onNext;
                  });
                },
                cancel() {
                  stop();
                  close();
                },
              },
              // 0: no piece is fetched before it is read, so the rest waits in the network.
              { highWaterMark: 0 },
            );
            resolve(new Response(stream, { status, statusText, headers }));
          }
        });
        signal?.addEventListener("abort", onAbort, { once: true });
        const transfer = request.body instanceof ArrayBuffer ? [request.body] : [];
        worker.postMessage({ id, kind: "fetch", ticket, ...request }, transfer);
      });
    },

    /** Ends everything that is under way, as a broken network would. */
    end(): void {
      hasEnded = true;
      for (const [id, answer] of [...waiting]) answer({ id, kind: "failed", reason: "network" });
      waiting.clear();
    },
  };
}

/** A request as a message. Not every browser can transfer a stream, so a streamed body is sent as bytes. */
async function readRequest(url: string, init: RequestInit): Promise<WorkerRequest> {
  const { method = "GET", body } = init;
  const isStreamed = body instanceof ReadableStream;
  const isText = body === undefined || body === null || typeof body === "string";
  const headers: WorkerRequest["headers"] = [...new Headers(init.headers)];
  return {
    method,
    url,
    headers,
    isStreamed,
    body: isText ? (body ?? undefined) : await new Response(body).arrayBuffer(),
  };
}

function toError(reason: WorkerFailure): Error {
  if (reason === "no_key") return new RefusedError({ status: 401, message: "Not connected." });
  const error = new TypeError("The request got no response.");
  return reason === "not_own" ? new NoAnswerError({ cause: error }) : error;
}
