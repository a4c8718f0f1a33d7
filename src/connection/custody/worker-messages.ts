import type { KeyHandle, KeyOrder } from "./key-holder.ts";

/**
 * Messages of the page to the Worker that has the keys. Responses have the same `id`. `pull` and `stop` have that of
 * the `fetch` that they are about.
 */
export type PageMessage = { id: number } & (
  | { kind: "hold"; order: KeyOrder }
  /** With the tries that the page has stored. The Worker also remembers tries, and counts the larger number. */
  | ({ kind: "unlock" } & UnlockOrder)
  | ({ kind: "fetch"; ticket: string } & WorkerRequest)
  /** Asks for the next piece of a response's body. The Worker reads one piece for each `pull`. */
  | { kind: "pull" }
  /** Ends the request of this id. It has no response. */
  | { kind: "stop" }
  | { kind: "forget"; ticket: string }
);

/** A sealed key with a passphrase to try. */
export interface UnlockOrder {
  sealed: string;
  passphrase: string;
  /** The random part of accounts' ids on this device. */
  salt: string;
  /** Wrong passphrases in a row so far. */
  wrongTries: number;
  /** The time since the last try. */
  sinceLastMs: number;
}

/** `locked`: not opened; the next try is possible after `waitMs`. `isEarly`: this passphrase was not tried. */
export type Unlocked =
  | { kind: "unlocked"; handle: KeyHandle; queueBaseUrl: string; inferenceBaseUrl: string; name: string }
  | { kind: "locked"; waitMs: number; isEarly: boolean };

export interface WorkerRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | ArrayBuffer | undefined;
  /** The Worker makes a stream of the body: a browser cannot repeat a request whose body is a stream. */
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
 * Why a request failed. `network`: `fetch` rejected, and nothing more is known. Nothing was sent in the other cases:
 * `not_own`: it is no request of Safelight. `no_key`: the ticket is unknown. `not_here`: this build does not allow the
 * addresses.
 */
export type WorkerFailure = "network" | "not_own" | "no_key" | "not_here";

/** One end of the channel between page and Worker: a `Worker`, the Worker's global scope, or a port in a test. */
export interface MessageEnd<Out, In> {
  postMessage(message: Out, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: { data: In }) => void): void;
}

/** Wrong passphrases without a wait, for typing errors. */
const FREE_TRIES = 2;
/** After the first wrong passphrase that is not free. Doubled with each further one. */
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 3_600_000;

/**
 * The wait after `wrongTries` wrong passphrases in a row, in ms: none after the first two, then 5 s, doubling up to an
 * hour.
 */
export function waitAfter(wrongTries: number): number {
  // Negated, so that a stored count that is NaN means no wait.
  if (!(wrongTries > FREE_TRIES)) return 0;
  // The exponent is bounded, so that a large stored count gives no infinite power.
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(wrongTries - FREE_TRIES - 1, 30), MAX_WAIT_MS);
}
