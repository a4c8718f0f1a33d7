import type { KeyHandle, KeyOrder } from "./key-holder.ts";

/**
 * What the page asks of the Worker that holds keys. Answers carry the same `id`; `pull` and `stop` have the `id` of the fetch
 * that they are about.
 */
export type PageMessage = { id: number } & (
  | { kind: "hold"; order: KeyOrder }
  /** `wrongTries` and `sinceLastMs` as stored: the Worker goes by what is worse, this or what it remembers itself. */
  | ({ kind: "unlock" } & UnlockOrder)
  | ({ kind: "fetch"; ticket: string } & WorkerRequest)
  /** The next piece of an answer's body. The Worker reads none before it is asked, so it holds one at a time. */
  | { kind: "pull" }
  /** Ends the request of this id. It has no answer. */
  | { kind: "stop" }
  | { kind: "forget"; ticket: string }
);

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

export interface WorkerRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | ArrayBuffer | undefined;
  /** The Worker makes a stream of the body, which a network stack cannot send twice. */
  isStreamed: boolean;
}

export type WorkerMessage = { id: number } & (
  | { kind: "stored"; handle: KeyHandle }
  | Unlocked
  | { kind: "head"; status: number; statusText: string; headers: [name: string, value: string][]; hasBody: boolean }
  | { kind: "chunk"; bytes: Uint8Array<ArrayBuffer> }
  | { kind: "end" }
  | { kind: "forgotten" }
  | { kind: "failed"; reason: WorkerFailure }
);

/**
 * Why a request ended. `network`: as `fetch` rejects, with nothing known. `not_own`: not a request of the studio, and not
 * sent. `no_key`: the ticket is not known, and nothing was sent. `not_here`: the addresses are not allowed in this build.
 */
export type WorkerFailure = "network" | "not_own" | "no_key" | "not_here";

/** One end of what joins page and Worker: a `Worker`, the Worker's own scope, or a port in a test. */
export interface MessageEnd<Out, In> {
  postMessage(message: Out, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: { data: In }) => void): void;
}

const FREE_TRIES = 2;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * The wait after `wrongTries` wrong passphrases in a row, in ms: none after the first two, then 5 s, doubling up to an hour.
 */
export function waitAfter(wrongTries: number): number {
  // Written so that a stored count that is no number means no wait.
  if (!(wrongTries > FREE_TRIES)) return 0;
  // The exponent is bounded, so that a large stored count makes no huge power.
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(wrongTries - FREE_TRIES - 1, 30), LONGEST_WAIT_MS);
}
