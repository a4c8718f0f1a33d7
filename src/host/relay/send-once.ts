// Sends each attempt once, and remembers that it did. Pure: what it remembers in, and how it forwards, are given to it.
import { RelayRefusal } from "./relay-refusal.ts";

/** An answer of the service as it is kept for repeats: small, or not kept at all. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/**
 * What is remembered of an attempt. `sent`: it is under way, or was when its host died. `unknown`: it went out, and no
 * whole answer came or none that is kept. `withdrawn`: it never went out and never will.
 */
export type AttemptState =
  | { kind: "sent" }
  | { kind: "answered"; answer: KeptAnswer }
  | { kind: "unknown" }
  | { kind: "withdrawn" };

export interface Attempt {
  /** Digest of where it goes and what it says: the same id with another request is a mistake of the page. */
  fingerprint: string;
  /** The running host that forwards it. */
  owner: string;
  state: AttemptState;
}

/** Where attempts are remembered, for 24 hours. Each write is durable when its promise resolves; rejected, it may not be. */
export interface AttemptStore {
  /** Names this memory: another folder or another database has another id, for as long as it exists. */
  memoryId(): Promise<string>;
  get(id: string): Promise<Attempt | undefined>;
  /** Writes only where there is nothing. Resolves to what is there already, otherwise to undefined. */
  add(id: string, attempt: Attempt): Promise<Attempt | undefined>;
  replace(id: string, attempt: Attempt): Promise<void>;
  remove(id: string): Promise<void>;
  /** This running host. Another one, or the same one after a restart, has another name. */
  readonly owner: string;
  /** Whether a running host is still there. Its own name always is. */
  isAlive(owner: string): Promise<boolean>;
}

/** What forwarding came to. `lost`: it went out and no whole answer came back. */
export type Forwarded = { kind: "answer"; answer: KeptAnswer } | { kind: "passed-on" } | { kind: "lost" };

/** `passed-on`: the answer was too large to be kept, and went to the page as it came. */
export type Outcome = { kind: "answer"; answer: KeptAnswer } | { kind: "passed-on" };

export interface SendOnceOptions {
  /** A clock that never goes back, in ms. */
  monotonicMs: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** A host that stood still between its record and its request may have been given up: it must not send any more. */
const FRESH_MS = 10_000;
const POLL_MS = 200;

const unknown = () =>
  new RelayRefusal(
    409,
    "outcome_unknown",
    "The request was sent to the service and its answer is not known. It is not sent again.",
  );
const neverSent = () =>
  new RelayRefusal(410, "never_sent", "This attempt never reached the service, and will not be sent.");
const notRemembered = () =>
  new RelayRefusal(
    503,
    "store_unavailable",
    "This studio's host cannot write down what it sends, so it sent nothing. Ask whoever runs it to look at its data folder or its Redis.",
  );

/** Sends attempts once each, over one store. Every host that shares the store keeps the promise together. */
export function createSendOnce(store: AttemptStore, { monotonicMs, sleep }: SendOnceOptions) {
  /** Attempts that this process forwards now. */
  const underWay = new Map<string, Promise<unknown>>();

  /**
   * Forwards an attempt that is new, and gives the first answer to any that is known. `forward` runs at most once for an
   * id, over all hosts and restarts; it is told to call `beforePassingOn` before it gives an answer away that is not
   * kept. It must throw only when nothing was sent. Throws a `RelayRefusal`: `never_sent`, `outcome_unknown`,
   * `store_unavailable`, `intent_reused`, `other_memory`, or what `forward` throws.
   */
  async function send(
    id: string,
    fingerprint: string,
    forward: (beforePassingOn: () => Promise<void>) => Promise<Forwarded>,
    expectedMemory?: string,
  ): Promise<Outcome> {
    await requireMemory(expectedMemory, "other_memory");
    const startedMs = monotonicMs();
    const attempt: Attempt = { fingerprint, owner: store.owner, state: { kind: "sent" } };
    const known = await underWayHere(id, async () => {
      const before = await orRefuse(store.add(id, attempt));
      if (before) return before;
      return forwardNew(id, attempt, startedMs, forward);
    });
    if (!("fingerprint" in known)) return known;
    if (known.fingerprint !== fingerprint && known.state.kind !== "withdrawn") {
      throw new RelayRefusal(409, "intent_reused", "This intent id was already used for another request.");
    }
    return { kind: "answer", answer: await firstAnswer(id) };
  }

  /** Runs `work` unless this process runs it for the id already: then the id is known, once that has ended. */
  async function underWayHere(id: string, work: () => Promise<Attempt | Outcome>): Promise<Attempt | Outcome> {
    const running = underWay.get(id);
    if (running) {
      await running.catch(() => {});
      const known = await orRefuse(store.get(id));
      if (known) return known;
      return underWayHere(id, work);
    }
    const mine = work();
    underWay.set(id, mine);
    try {
      return await mine;
    } finally {
      underWay.delete(id);
    }
  }

  async function forwardNew(
    id: string,
    attempt: Attempt,
    startedMs: number,
    forward: (beforePassingOn: () => Promise<void>) => Promise<Forwarded>,
  ): Promise<Outcome> {
    const settle = (state: AttemptState) => store.replace(id, { ...attempt, state });
    if (monotonicMs() - startedMs > FRESH_MS) {
      await orRefuse(settle({ kind: "withdrawn" }));
      throw neverSent();
    }
    let came: Forwarded;
    try {
      came = await forward(() => settle({ kind: "unknown" }));
    } catch (error) {
      // Nothing was sent, so nothing is remembered. Where that cannot be written, it counts as sent, which is safe.
      await store.remove(id).catch(() => {});
      throw error;
    }
    if (came.kind === "passed-on") return came;
    // An answer that cannot be written is true all the same: the page gets it, and a repeat is told that it is unknown.
    await settle(came.kind === "answer" ? { kind: "answered", answer: came.answer } : { kind: "unknown" }).catch(
      () => {},
    );
    if (came.kind === "lost") throw unknown();
    return came;
  }

  /** The first answer of an attempt that is known. Waits for the host that forwards it. */
  async function firstAnswer(id: string): Promise<KeptAnswer> {
    for (;;) {
      const attempt = await orRefuse(store.get(id));
      // Removed meanwhile: it could not be sent, and the page may try again.
      if (!attempt || attempt.state.kind === "withdrawn") throw neverSent();
      if (attempt.state.kind === "answered") return attempt.state.answer;
      if (attempt.state.kind === "unknown") throw unknown();
      const isMine = attempt.owner === store.owner;
      if (isMine ? !underWay.has(id) : !(await store.isAlive(attempt.owner).catch(() => false))) throw unknown();
      await sleep(POLL_MS);
    }
  }

  /**
   * What became of an attempt. One that was never sent never will be from here on: `never_sent` is then a promise.
   * Otherwise as `send` for an attempt that is known. Throws the same refusals; with another memory than the expected
   * one nothing can be promised, and it throws `outcome_unknown`.
   */
  async function withdraw(id: string, expectedMemory?: string): Promise<KeptAnswer> {
    await requireMemory(expectedMemory, "outcome_unknown");
    const mark: Attempt = { fingerprint: "", owner: store.owner, state: { kind: "withdrawn" } };
    const known = await orRefuse(store.add(id, mark));
    if (!known) throw neverSent();
    return firstAnswer(id);
  }

  async function requireMemory(expected: string | undefined, kind: "other_memory" | "outcome_unknown"): Promise<void> {
    if (expected === undefined || (await orRefuse(store.memoryId())) === expected) return;
    if (kind === "outcome_unknown") throw unknown();
    throw new RelayRefusal(409, kind, "The memory of this studio's host is another one than before. Nothing was sent.");
  }

  return { send, withdraw, memoryId: () => orRefuse(store.memoryId()) };
}

async function orRefuse<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch {
    throw notRemembered();
  }
}
