import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import type { MessageEnd, PageMessage, WorkerFailure, WorkerMessage, WorkerRequest } from "./worker-messages.ts";

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
/** What is answered once. */
export type Question = WithoutId<Extract<PageMessage, { kind: "hold" | "unlock" | "forget" }>>;

export interface WorkerRequests {
  /** Asks once. Rejects with a `NoAnswerError` when no answer comes in time, or the Worker has ended. */
  ask(question: Question, timeoutMs: number): Promise<WorkerMessage>;
  /** Sends one request with the key of this ticket. Rejects as `fetch` does; `url` must be absolute. */
  fetch(ticket: string, url: string, init: RequestInit | undefined): Promise<Response>;
  /** Ends everything that is under way, as a broken network would. */
  end(): void;
}

/** Statuses that come without a body: a `Response` refuses to be made with one. */
const WITHOUT_BODY = [101, 204, 205, 304];

/** The page's side of the messages to the Worker that holds keys. */
export function createWorkerRequests(worker: MessageEnd<PageMessage, WorkerMessage>): WorkerRequests {
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
    ask(question, timeoutMs) {
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

    async fetch(ticket, url, init = {}) {
      const signal = init.signal ?? undefined;
      signal?.throwIfAborted();
      const request = await readRequest(url, init);
      signal?.throwIfAborted();
      if (hasEnded) throw errorOf("no_key");
      return new Promise((resolve, reject) => {
        let body: ReadableStreamDefaultController<Uint8Array> | undefined;
        /** The stream waits for this piece. */
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
          if (answer.kind === "failed") fail(errorOf(answer.reason));
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
              // Nothing is fetched ahead: what is not read yet waits in the network.
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

    end() {
      hasEnded = true;
      for (const [id, answer] of [...waiting]) answer({ id, kind: "failed", reason: "network" });
      waiting.clear();
    },
  };
}

/** As messages carry it: a stream cannot go along in every browser, so the Worker makes one again. */
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

function errorOf(reason: WorkerFailure): Error {
  if (reason === "no_key") return new RefusedError({ status: 401, message: "Not connected." });
  const error = new TypeError("The request got no response.");
  return reason === "not_own" ? new NoAnswerError({ cause: error }) : error;
}
