import { counted } from "#lib/numbers.ts";

/** An answer of the service as it is stored for repeats. Large ones are not stored. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/**
 * What is remembered of an attempt. `sent`: it is under way, or was when its host died. `unknown`: it went out, and no
 * whole answer came or none that is stored. `withdrawn`: it never went out and never will.
 */
export type AttemptState =
  | { kind: "sent" }
  | { kind: "answered"; answer: StoredAnswer }
  | { kind: "unknown" }
  | { kind: "withdrawn" };

export interface Attempt {
  /** Digest of where it goes and what it says: the same id with another request is a mistake of the page. */
  fingerprint: string;
  /** The running host that wrote it. */
  owner: string;
  /**
   * The number of the act of that host, which is one try to send or to withdraw an attempt. With it a late write does not
   * touch the record of another act.
   */
  run: number;
  state: AttemptState;
}

/** `other-memory`: nothing was written, because this is not the memory that was asked for. */
export type AddResult = { kind: "added" } | { kind: "known"; attempt: Attempt } | { kind: "other-memory" };

/**
 * Where attempts are remembered, for 24 hours. A write is done when its promise resolves. After a rejection it may or may
 * not be done, now or later. Rejects with `StoreUnavailable` where there is a sentence to say, else with any error.
 */
export interface AttemptStore {
  /** This running host. Another one, or the same one after a restart, has another name. */
  readonly owner: string;
  /** The name of this memory. Once it may have forgotten something, it has another name. */
  memoryId(): Promise<string>;
  get(id: string): Promise<Attempt | undefined>;
  /**
   * Writes where there is nothing, in one step with the look, and so that a loss of power does not undo it. With
   * `memory`, only in the memory of that name.
   */
  add(id: string, attempt: Attempt, memory?: string): Promise<AddResult>;
  /** Writes the new state of an attempt, unless another act's record stands there. Its 24 hours do not begin anew. */
  replace(id: string, attempt: Attempt): Promise<void>;
  /** Forgets an attempt, unless another act's record stands there. */
  remove(id: string, attempt: Attempt): Promise<void>;
  /** Whether a running host is still there. Its own name always is. */
  isAlive(owner: string): Promise<boolean>;
  /**
   * False once another host may have given this one up, because it stood still or could not renew its sign of life.
   * What it added before must not be sent then.
   */
  mayStillSend(): boolean;
  /** Ends every connection and lock. Whatever is asked afterwards is rejected. */
  close(): Promise<void>;
}

/** The message is a sentence for a person: why a store cannot remember, and where to look. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** How long an attempt is remembered. */
export const RETENTION_MS = 24 * 60 * 60 * 1000;
/** An answer with a larger body is not stored. */
export const MAX_STORED_BODY_BYTES = 64 * 1024;
/** The most attempts in 24 hours. Past it none is added. */
export const MAX_ATTEMPTS = 1_000_000;
/** The most bytes of all stored bodies together. Past it the oldest answers become `unknown`. */
export const MAX_STORED_BYTES = 256 * 1024 * 1024;

/** Why a store that has reached its number of attempts takes none. */
export function storeFull(maxAttempts: number): StoreUnavailable {
  return new StoreUnavailable(
    `The Safelight server has recorded ${counted(maxAttempts, "run")} in the last 24 hours, which is its limit.`,
  );
}
