// Sends each attempt once, and remembers that it did. Pure: what it remembers in, and how it forwards, are given to it.
import {
  type Attempt,
  type AttemptState,
  type AttemptStore,
  type StoredAnswer,
  StoreUnavailable,
} from "../attempts/attempt-store.ts";
import { RelayRefusal } from "./relay-refusal.ts";

/** What forwarding came to. `lost`: it went out and no whole answer came back. */
export type Forwarded = { kind: "answer"; answer: StoredAnswer } | { kind: "passed-on" } | { kind: "lost" };

/**
 * What a `Forward` function gets. `requireFresh` throws when the attempt must not be sent any more: to be called when
 * the first byte is about to leave. `beforePassingOn` is to be awaited before an answer is passed on that is not stored;
 * it never rejects.
 */
export interface ForwardSteps {
  requireFresh: () => void;
  beforePassingOn: () => Promise<void>;
}

/** Runs at most once for an id, over all hosts and restarts. Must throw only when nothing was sent. */
export type Forward = (steps: ForwardSteps) => Promise<Forwarded>;

/** `passed-on`: the answer was too large to be stored, and went to the page as it came. */
type Outcome = { kind: "answer"; answer: StoredAnswer; isRepeat: boolean } | { kind: "passed-on" };

const POLL_MS = 200;
/** A little longer than a forwarded request may take. */
const MAX_POLLS = (11 * 60_000) / POLL_MS;
/** How often a write of an outcome is tried again after it failed: after 1, 2, 4, 8 and 16 s. */
const MAX_LATE_TRIES = 5;
/** How many outcomes at a time are waiting to be written again. */
const MAX_LATE_WRITES = 200;
/** How many ids and acts are remembered in memory, each. */
const MAX_NAMES = 10_000;

const outcomeUnknown = (reason = "The request may have reached the service, but its response is not known.") =>
  new RelayRefusal(409, "outcome_unknown", `${reason} The request won’t be sent again.`);
const neverSent = () =>
  new RelayRefusal(410, "never_sent", "This request never reached the service and will not be sent.");
const reused = () => new RelayRefusal(409, "intent_reused", "This intent ID was already used for another request.");
const unavailable = (error: unknown, what: string) => {
  const why = error instanceof StoreUnavailable ? error.message : "The Safelight server cannot reach its records.";
  return new RelayRefusal(503, "store_unavailable", `${why} ${what}`);
};
/** The memory cannot be read: nothing is said about what was sent before. */
const unreadable = (error: unknown) => unavailable(error, "It is not known whether the request was sent.");

/**
 * Sends attempts once each, over one store, also when several hosts share that store. Call it once for each store object,
 * since it numbers the acts of the store's owner: an act is one try to send or to withdraw an attempt.
 */
export function createSendOnce(store: AttemptStore, { sleep }: { sleep: (ms: number) => Promise<void> }) {
  let acts = 0;
  let lateWrites = 0;
  /** What this process sends at the moment, and what a repeat gets meanwhile. */
  const underWay = new Map<string, { fingerprint: string; repeat: Promise<StoredAnswer> }>();
  /** Acts of this process that still have to write what became of them. */
  const unsettled = new Map<number, Promise<void>>();
  /** Acts that sent nothing, though their record may stand in the store: adding it was rejected. */
  const neverForwarded = new Set<number>();
  /** Ids that left this process lately. It knows of them even where the store does not. */
  const forwarded = new Set<string>();

  /**
   * Forwards an attempt that is new, and gives the first answer to any that is known. Throws a `RelayRefusal`:
   * `never_sent`, `outcome_unknown`, `store_unavailable`, `intent_reused`, `other_memory`, or what `forward` throws.
   * `store_unavailable` and `other_memory` are about this request alone: an earlier one may have been sent by a host that
   * still could write, and only the store knows.
   */
  async function send(id: string, fingerprint: string, forward: Forward, memory?: string): Promise<Outcome> {
    const first = underWay.get(id);
    if (first) {
      if (first.fingerprint !== fingerprint) throw reused();
      return { kind: "answer", answer: await first.repeat, isRepeat: true };
    }
    const { promise: repeat, resolve, reject } = withResolvers<StoredAnswer>();
    underWay.set(id, { fingerprint, repeat });
    try {
      const outcome = await sendOrWait(id, fingerprint, memory, (attempt) =>
        untilSettled(attempt.run, () => forwardNew(id, attempt, forward, () => reject(outcomeUnknown()))),
      );
      if (outcome.kind === "answer") resolve(outcome.answer);
      return outcome;
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      underWay.delete(id);
    }
  }

  async function sendOrWait(
    id: string,
    fingerprint: string,
    memory: string | undefined,
    forwardNow: (attempt: Attempt) => Promise<Outcome>,
  ): Promise<Outcome> {
    for (;;) {
      const claim = await claimFor(id, fingerprint, { kind: "sent" }, memory);
      if (claim.kind === "rejected") throw unavailable(claim.error, "This request was not sent.");
      if (claim.kind === "other-memory") {
        const message = "The Safelight server now has different records than before. This request was not sent.";
        throw new RelayRefusal(409, "other_memory", message);
      }
      if (claim.kind === "ours") return forwardNow(claim.attempt);
      const { attempt: known } = claim;
      if (known.fingerprint !== fingerprint && known.state.kind !== "withdrawn") throw reused();
      const answer = await firstAnswer(id);
      if (answer) return { kind: "answer", answer, isRepeat: true };
    }
  }

  /**
   * Adds a record, or finds what is there. That is `ours`, too, where an earlier act of this process wrote it, saw
   * that it could not, and so sent nothing. Throws `outcome_unknown` where only this process knows that it was sent.
   */
  async function claimFor(id: string, fingerprint: string, state: AttemptState, memory: string | undefined) {
    acts += 1;
    const attempt: Attempt = { fingerprint, owner: store.owner, run: acts, state };
    const adding = untilSettled(attempt.run, () => store.add(id, attempt, memory));
    const added = await adding.catch((error: unknown) => {
      note(neverForwarded, attempt.run);
      return { kind: "rejected" as const, error };
    });
    if (added.kind === "added") return { kind: "ours" as const, attempt };
    if (added.kind !== "known") {
      if (forwarded.has(id)) throw outcomeUnknown();
      return added;
    }
    const { attempt: known } = added;
    const isSame = state.kind === "withdrawn" || known.fingerprint === fingerprint;
    const isFree = known.state.kind === "sent" && known.owner === store.owner && neverForwarded.has(known.run);
    if (!isFree || !isSame) return added;
    neverForwarded.delete(known.run);
    return { kind: "ours" as const, attempt: known };
  }

  async function forwardNew(
    id: string,
    attempt: Attempt,
    forward: Forward,
    rejectRepeats: () => void,
  ): Promise<Outcome> {
    let isStale = false;
    const requireFresh = () => {
      isStale ||= !store.mayStillSend();
      if (isStale) throw neverSent();
    };
    const beforePassingOn = async () => {
      await settle(id, { ...attempt, state: { kind: "unknown" } });
      rejectRepeats();
    };
    let came: Forwarded;
    try {
      requireFresh();
      note(forwarded, id);
      came = await forward({ requireFresh, beforePassingOn });
    } catch (error) {
      forwarded.delete(id);
      if (isStale) await settle(id, { ...attempt, state: { kind: "withdrawn" } });
      // Nothing was sent, so nothing is remembered. Where that cannot be written, it counts as sent, which is safe.
      else await store.remove(id, attempt).catch(() => {});
      throw error;
    }
    if (came.kind === "passed-on") return came;
    if (came.kind === "lost") {
      await settle(id, { ...attempt, state: { kind: "unknown" } });
      throw outcomeUnknown();
    }
    await settle(id, { ...attempt, state: { kind: "answered", answer: came.answer } });
    return { ...came, isRepeat: false };
  }

  /**
   * Writes what became of an attempt. Never rejects: an answer that cannot be written is true all the same, so the page
   * gets it. The write is tried again for half a minute, for a repeat that asks later.
   */
  async function settle(id: string, attempt: Attempt): Promise<void> {
    const write = () =>
      store.replace(id, attempt).then(
        () => true,
        () => false,
      );
    if ((await write()) || lateWrites >= MAX_LATE_WRITES) return;
    lateWrites += 1;
    void untilSettled(attempt.run, async () => {
      for (let tries = 0; tries < MAX_LATE_TRIES; tries += 1) {
        await sleep(1000 * 2 ** tries);
        if (await write()) break;
      }
      lateWrites -= 1;
    });
  }

  /** Does work of an act, which counts as under way until all of its work has ended. */
  function untilSettled<T>(run: number, work: () => Promise<T>): Promise<T> {
    const earlier = unsettled.get(run);
    const working = work();
    const all: Promise<void> = Promise.allSettled([earlier, working]).then(() => {
      if (unsettled.get(run) === all) unsettled.delete(run);
    });
    unsettled.set(run, all);
    return working;
  }

  /** Waits for the first answer of a known attempt. Undefined where its record was removed, because nothing was sent. */
  async function firstAnswer(id: string): Promise<StoredAnswer | undefined> {
    for (let polls = 0; ; polls += 1) {
      const attempt = await read(id);
      if (attempt?.state.kind !== "sent") return answerOf(attempt);
      if (polls >= MAX_POLLS || !(await isWorkedOn(attempt))) {
        // Whoever worked on it may have written what became of it since the look.
        const latest = await read(id);
        if (latest?.state.kind !== "sent") return answerOf(latest);
        const isSame = latest.owner === attempt.owner && latest.run === attempt.run;
        if (isSame && (polls >= MAX_POLLS || !(await isWorkedOn(latest)))) throw outcomeUnknown();
      }
      await sleep(POLL_MS);
    }
  }

  const read = (id: string) =>
    store.get(id).catch((error: unknown) => {
      throw unreadable(error);
    });

  async function isWorkedOn({ owner, run }: Attempt): Promise<boolean> {
    if (owner === store.owner) return unsettled.has(run);
    return store.isAlive(owner).catch((error: unknown) => {
      throw unreadable(error);
    });
  }

  /**
   * What became of an attempt. One that was never sent never will be from here on: `never_sent` is then a promise.
   * Otherwise as `send` for an attempt that is known. Throws the same refusals; another memory than the expected one can
   * promise nothing, and then it throws `outcome_unknown`.
   */
  async function withdraw(id: string, memory?: string): Promise<StoredAnswer> {
    for (;;) {
      const claim = await claimFor(id, "", { kind: "withdrawn" }, memory);
      if (claim.kind === "rejected") throw unreadable(claim.error);
      if (claim.kind === "other-memory") {
        throw outcomeUnknown("The Safelight server no longer has its record of this request.");
      }
      if (claim.kind === "ours") {
        // The record of an earlier act that sent nothing.
        if (claim.attempt.state.kind === "sent") await settle(id, { ...claim.attempt, state: { kind: "withdrawn" } });
        throw neverSent();
      }
      const answer = await firstAnswer(id);
      if (answer) return answer;
    }
  }

  /** Resolves when nothing is forwarded any more and everything is written that can be. */
  async function idle(): Promise<void> {
    while (unsettled.size > 0) await Promise.all(unsettled.values());
  }

  return { send, withdraw, idle, memoryId: () => store.memoryId() };
}

export type SendOnce = ReturnType<typeof createSendOnce>;

/** Throws unless the attempt has an answer, or is not there. */
function answerOf(attempt: Attempt | undefined): StoredAnswer | undefined {
  if (!attempt) return undefined;
  if (attempt.state.kind === "answered") return attempt.state.answer;
  throw attempt.state.kind === "withdrawn" ? neverSent() : outcomeUnknown();
}

/** Adds a name, and removes the oldest one beyond `MAX_NAMES`. */
function note<T>(names: Set<T>, name: T): void {
  names.add(name);
  if (names.size <= MAX_NAMES) return;
  const [oldest] = names;
  names.delete(oldest as T);
}

/** A promise with its functions. Mostly nobody waits for it, so a rejection must not count as unhandled. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((...both) => {
    [resolve, reject] = both;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
