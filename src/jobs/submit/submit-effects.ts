import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { RowStore } from "#storage/row.ts";
import type { SubmitState } from "./submit-state.ts";

/**
 * How the body of a submit travels. `stream`: a stream over HTTP/2, which the browser cannot send twice. `relay`: the
 * relay takes an intent id and forwards each id once. `plain`: text, which a browser's network stack may deliver twice
 * when the connection dies, so an audit follows.
 */
export type BodyKind = "stream" | "relay" | "plain";

export interface SendOptions {
  /** Names this attempt, and no other, to the relay. */
  attemptId: string;
  body: BodyKind;
}

/** The requests a submit makes. `submit` is exactly one POST. */
export interface SubmitApi {
  listJobs: Api["listJobs"];
  submit(request: JobRequest, options: SendOptions): ReturnType<Api["submit"]>;
  /** The price of this very payload, at most 60 s old. */
  price(request: JobRequest): Promise<MicroUsd>;
  /** Which body the way to the service takes, found out by the free estimate call. */
  bodyKind(request: JobRequest): Promise<BodyKind>;
}

export interface Locks {
  /** Runs `work` while holding the lock, or tells at once that somebody else holds it. */
  tryHold<T>(name: string, work: () => Promise<T>): Promise<{ held: true; result: T } | { held: false }>;
}

/** Everything a submit does to the world. Injected whole, so that a simulation can stand in for all of it. */
export interface SubmitEffects {
  /** Whose rows these are: the key fingerprint of the connection. */
  accountId: string;
  /** The wall clock in ms. It may jump. */
  nowMs(): number;
  /** A clock that never goes back, in ms. All durations come from it. */
  monotonicMs(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  random(): number;
  /** A fresh id that nobody can guess or mint twice. */
  newId(): string;
  isOnline(): boolean;
  /** The record outlives the page, or the person accepted that it does not. */
  isRecordSafe(): boolean;
  api: SubmitApi;
  rows: RowStore;
  locks: Locks;
  /** Tells the screen where the attempt for a model stands. */
  show(model: string, state: SubmitState): void;
}

/** One attempt at a time per model and key, over all tabs. */
export const submitLockName = (accountId: string, model: string) => `submit:${accountId}:${model}`;
/** One auditor per key, over all tabs. */
export const auditLockName = (accountId: string) => `audit:${accountId}`;
/** One reconciler per intent, over all tabs. */
export const settleLockName = (intentId: string) => `settle:${intentId}`;
