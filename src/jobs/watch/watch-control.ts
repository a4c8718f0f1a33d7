import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/job-status.ts";
import type { Job } from "#api/types.ts";
import { abortableDelay } from "#lib/delay.ts";
import { createRequestBudget } from "./request-budget.ts";

const SLOW_AFTER_LIMIT_MS = 60_000;
const GONE_AFTER_LOOKS = 3;
const GONE_AFTER_MS = 60_000;

interface JobNotes {
  firstSeenMs: number;
  submittedAtMs: number | undefined;
  failures: number;
  finalLooks: number;
  /** When a look first said that the job is not known, and how many looks said so since. */
  goneSinceMs: number | undefined;
  goneLooks: number;
}

/**
 * What the polls of one connection share: who asks, how fast, and how the last looks went. It lives beside the query
 * cache because the pace must not depend on which screen is open.
 */
export interface WatchControl {
  /** Whether this tab asks after this job one by one now. */
  asksFor(requestId: string): boolean;
  failures(requestId: string): number;
  looksSinceFinal(requestId: string): number;
  /** Three looks over a minute said that the service does not know the job. */
  isGone(requestId: string): boolean;
  ageMs(requestId: string, createdAtSeconds: number | undefined): number;
  /** Factor on every interval: 2 for a minute after any 429, whose limit the whole organisation shares (spec 5.4). */
  slow(): number;
  /** Runs one look when it is its turn, and notes how it went. */
  look<T>(requestId: string, ask: () => Promise<T>): Promise<T>;
  noteJob(job: Job): void;
  noteSubmitted(requestId: string, submittedAtMs: number): void;
  /**
   * Runs a request that never waits: a submit, or what belongs to one. It is paid from the shared purse, and a 429 slows
   * the polls.
   */
  watchLimit<T>(ask: () => Promise<T>): Promise<T>;
  /** Refused for the key: every look waits until the person has seen to it. */
  isPaused(): boolean;
  resume(): void;
  /** Which jobs this tab asks after: all, none, or all but those a list call covers. */
  setAsking(rule: (requestId: string) => boolean): void;
  subscribe(listener: () => void): () => void;
  /** Changes whenever who asks, or whether anybody does, has changed. */
  version(): number;
}

const controls = new WeakMap<Api, WatchControl>();

/** The one control of a connection's client. */
export function watchControlOf(api: Api): WatchControl {
  const known = controls.get(api) ?? createWatchControl();
  controls.set(api, known);
  return known;
}

export function createWatchControl(nowMs: () => number = Date.now): WatchControl {
  const notes = new Map<string, JobNotes>();
  const listeners = new Set<() => void>();
  let asking: (requestId: string) => boolean = () => true;
  let slowUntilMs = 0;
  let paused = false;

  const of = (requestId: string): JobNotes => {
    const fresh = {
      firstSeenMs: nowMs(),
      submittedAtMs: undefined,
      failures: 0,
      finalLooks: 0,
      goneSinceMs: undefined,
      goneLooks: 0,
    };
    const known = notes.get(requestId) ?? fresh;
    notes.set(requestId, known);
    return known;
  };
  const budget = createRequestBudget({ nowMs, wait: (ms) => abortableDelay(ms) });
  let version = 0;
  const tell = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const noteError = (note: JobNotes, error: unknown) => {
    note.failures += 1;
    if (!(error instanceof RefusedError)) return;
    if (error.status === 429) slowUntilMs = nowMs() + SLOW_AFTER_LIMIT_MS;
    if (error.status === 401 && !paused) {
      paused = true;
      tell();
    }
    if (error.status === 404) {
      note.goneSinceMs ??= nowMs();
      note.goneLooks += 1;
    }
  };

  return {
    asksFor: (requestId) => !paused && asking(requestId),
    failures: (requestId) => of(requestId).failures,
    looksSinceFinal: (requestId) => of(requestId).finalLooks,
    isGone: (requestId) => {
      const { goneSinceMs, goneLooks } = of(requestId);
      return goneSinceMs !== undefined && goneLooks >= GONE_AFTER_LOOKS && nowMs() - goneSinceMs >= GONE_AFTER_MS;
    },
    ageMs: (requestId, createdAtSeconds) => {
      const note = of(requestId);
      const since = note.submittedAtMs ?? (createdAtSeconds === undefined ? note.firstSeenMs : createdAtSeconds * 1000);
      return Math.max(0, nowMs() - since);
    },
    slow: () => (nowMs() < slowUntilMs ? 2 : 1),
    look: async (requestId, ask) => {
      const note = of(requestId);
      await budget.turn();
      try {
        const told = await ask();
        note.failures = 0;
        note.goneSinceMs = undefined;
        note.goneLooks = 0;
        return told;
      } catch (error) {
        noteError(note, error);
        throw error;
      }
    },
    noteJob: (job) => {
      if (isFinal(job.status)) of(job.requestId).finalLooks += 1;
    },
    noteSubmitted: (requestId, submittedAtMs) => {
      of(requestId).submittedAtMs = submittedAtMs;
    },
    watchLimit: async (ask) => {
      budget.spend();
      try {
        return await ask();
      } catch (error) {
        if (error instanceof RefusedError && error.status === 429) slowUntilMs = nowMs() + SLOW_AFTER_LIMIT_MS;
        throw error;
      }
    },
    isPaused: () => paused,
    resume: () => {
      paused = false;
      tell();
    },
    setAsking: (rule) => {
      asking = rule;
      tell();
    },
    version: () => version,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
