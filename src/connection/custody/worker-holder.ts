import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { type KeyHandle, type KeyHolder, type KeyOrder, reportLostKey } from "./key-holder.ts";
import workerAddress from "./key-worker.ts?worker&url";
import { refuseWithoutKey } from "./page-holder.ts";
import type { MessageEnd, PageMessage, WorkerMessage } from "./worker-messages.ts";
import { createWorkerRequests, type Question, type WorkerRequests } from "./worker-requests.ts";

/** What the page needs of a Worker, so that a test can bring another one. */
export interface KeyWorker extends MessageEnd<PageMessage, WorkerMessage> {
  terminate(): void;
  /** Calls back when the Worker could not be loaded, or has failed. */
  onDeath(callback: () => void): void;
}

/** A sealed key, and how often it was tried in vain so far. */
export interface UnlockOrder {
  sealed: string;
  passphrase: string;
  /** The random part of accounts' ids on this device. */
  salt: string;
  wrongTries: number;
  sinceLastMs: number;
}

/** `locked`: nothing was opened, and for `waitMs` no passphrase is tried. `isEarly`: this one was not tried either. */
export type Unlocked =
  | { kind: "unlocked"; handle: KeyHandle; queueBaseUrl: string; inferenceBaseUrl: string; name: string }
  | { kind: "locked"; waitMs: number; isEarly: boolean };

export interface WorkerHolder extends KeyHolder {
  /** Opens a key that was stored on this device, and holds it. Rejects as `hold` does. */
  unlock(order: UnlockOrder): Promise<Unlocked>;
}

const DIED = "The background worker that held the key has stopped, and the key is gone. Enter the key again.";
/** Sealing takes a second on a slow device. */
const ANSWER_MS = 30_000;

/** Holds keys in one dedicated Worker, which is started with the first key and ended with the last. */
export function createWorkerHolder(openWorker: () => KeyWorker = openKeyWorker): WorkerHolder {
  let running: { worker: KeyWorker; requests: WorkerRequests } | undefined;
  const tickets = new Set<string>();

  /** The Worker has died with its keys. */
  function die(dead: KeyWorker): void {
    if (running?.worker !== dead) return;
    end();
    const lost = [...tickets];
    tickets.clear();
    for (const ticket of lost) reportLostKey(ticket, DIED);
  }

  /** Everything under way fails as with a broken network: nobody knows how far it came. */
  function end(): void {
    running?.worker.terminate();
    running?.requests.end();
    running = undefined;
  }

  function start(): WorkerRequests {
    if (running) return running.requests;
    const worker = openWorker();
    const requests = createWorkerRequests(worker);
    worker.onDeath(() => die(worker));
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

/** The Worker knows no page: addresses below the page's own are made whole here. */
function absolute(order: KeyOrder): KeyOrder {
  const whole = (address: string) => new URL(address, location.href).href.replace(/\/+$/, "");
  return { ...order, queueBaseUrl: whole(order.queueBaseUrl), inferenceBaseUrl: whole(order.inferenceBaseUrl) };
}

const NOT_HERE = "This studio was built for another service and cannot send a key to these addresses.";

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
