import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import type { Job } from "#api/types.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";

const SLOW_AFTER_LIMIT_MS = 60_000;
const GONE_AFTER_POLLS = 3;
const GONE_AFTER_MS = 60_000;

interface JobNotes {
  firstSeenMs: number;
  submittedAtMs: number | undefined;
  failures: number;
  pollsSinceFinal: number;
  /** When a poll was first answered with 404, and how many were since. */
  goneSinceMs: number | undefined;
  gonePolls: number;
}

/**
 * What the polls of one connection share: which jobs this tab polls, how fast, and how the last polls went. It lives
 * beside the query cache because the pace must not depend on which screen is open. Times are in ms.
 */
interface PollControl {
  /** Whether this tab polls this job by itself now. */
  isPolled(requestId: string): boolean;
  failures(requestId: string): number;
  pollsSinceFinal(requestId: string): number;
  /** At least three polls over a minute were answered with 404. */
  isGone(requestId: string): boolean;
  ageMs(requestId: string, createdAtSeconds: number | undefined): number;
  /** Factor on every interval: 2 for a minute after any 429, whose limit the whole organisation shares (spec 5.4). */
  slow(): number;
  /** Runs one poll when the budget allows it, and records how it went. Rejects as `ask` does. */
  poll<T>(requestId: string, ask: () => Promise<T>): Promise<T>;
  noteJob(job: Job): void;
  noteSubmitted(requestId: string, submittedAtMs: number): void;
  /**
   * Runs a request that never waits: a submit, or what belongs to one. It is taken from the shared budget, and a 429
   * slows the polls. Rejects as `ask` does.
   */
  sendUnpaced<T>(ask: () => Promise<T>): Promise<T>;
  /** A poll was refused with 401: none goes until `resume`. */
  isPaused(): boolean;
  resume(): void;
  /** Which jobs this tab polls: all, none, or all but those that a list call covers. */
  setPolled(rule: (requestId: string) => boolean): void;
  subscribe(listener: () => void): () => void;
  /** Changes with the rule of `setPolled` and with `isPaused`. */
  version(): number;
}

/** The control of a connection's client. */
export const pollControlOf = perConnection((_api: Api) => createPollControl());

/** The control with a clock of its own, in ms. Exported for tests. Never throws. */
export function createPollControl(nowMs: () => number = Date.now): PollControl {
  const notes = new Map<string, JobNotes>();
  const listeners = new Set<() => void>();
  let isPolledHere: (requestId: string) => boolean = () => true;
  let slowUntilMs = 0;
  let paused = false;

  const notesOf = (requestId: string): JobNotes => {
    const fresh = {
      firstSeenMs: nowMs(),
      submittedAtMs: undefined,
      failures: 0,
      pollsSinceFinal: 0,
      goneSinceMs: undefined,
      gonePolls: 0,
    };
    const known = notes.get(requestId) ?? fresh;
    notes.set(requestId, known);
    return known;
  };
  const budget = createRequestBudget({ nowMs, wait: (ms) => abortableDelay(ms) });
  let version = 0;
  const notify = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const noteError = (note: JobNotes, error: unknown) => {
    note.failures += 1;
    if (!(error instanceof RefusedError)) return;
    if (error.status === 429) slowUntilMs = nowMs() + SLOW_AFTER_LIMIT_MS;
    if (error.status === 401 && !paused) {
      paused = true;
      notify();
    }
    if (error.status === 404) {
      note.goneSinceMs ??= nowMs();
      note.gonePolls += 1;
    }
  };

  return {
    isPolled: (requestId) => !paused && isPolledHere(requestId),
    failures: (requestId) => notesOf(requestId).failures,
    pollsSinceFinal: (requestId) => notesOf(requestId).pollsSinceFinal,
    isGone: (requestId) => {
      const { goneSinceMs, gonePolls } = notesOf(requestId);
      return goneSinceMs !== undefined && gonePolls >= GONE_AFTER_POLLS && nowMs() - goneSinceMs >= GONE_AFTER_MS;
    },
    ageMs: (requestId, createdAtSeconds) => {
      const note = notesOf(requestId);
      const since = note.submittedAtMs ?? (createdAtSeconds === undefined ? note.firstSeenMs : createdAtSeconds * 1000);
      return Math.max(0, nowMs() - since);
    },
    slow: () => (nowMs() < slowUntilMs ? 2 : 1),
    poll: async (requestId, ask) => {
      const note = notesOf(requestId);
      await budget.turn();
      try {
        const answer = await ask();
        note.failures = 0;
        note.goneSinceMs = undefined;
        note.gonePolls = 0;
        return answer;
      } catch (error) {
        noteError(note, error);
        throw error;
      }
    },
    noteJob: (job) => {
      if (isFinal(job.status)) notesOf(job.requestId).pollsSinceFinal += 1;
    },
    noteSubmitted: (requestId, submittedAtMs) => {
      notesOf(requestId).submittedAtMs = submittedAtMs;
    },
    sendUnpaced: async (ask) => {
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
      notify();
    },
    setPolled: (rule) => {
      isPolledHere = rule;
      notify();
    },
    version: () => version,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const PER_SECOND = 2;
const BURST = 6;

/**
 * The requests of one connection share one budget, because the service limits them together (spec 5 rule 4). Submits and
 * what belongs to them never wait and are taken from the same budget, so it is the polls that slow down.
 */
interface RequestBudget {
  /** Resolves when a poll may go. */
  turn(): Promise<void>;
  /** A request was sent without waiting. */
  spend(): void;
}

/** Two requests a second after a burst of six. Exported for tests. Never throws. */
export function createRequestBudget({
  nowMs,
  wait,
}: {
  nowMs: () => number;
  wait: (ms: number) => Promise<void>;
}): RequestBudget {
  let tokens = BURST;
  let filledAtMs = nowMs();
  const fill = () => {
    const now = nowMs();
    tokens = Math.min(BURST, tokens + (Math.max(0, now - filledAtMs) / 1000) * PER_SECOND);
    filledAtMs = now;
  };
  return {
    turn: async () => {
      fill();
      tokens -= 1;
      if (tokens < 0) await wait((-tokens / PER_SECOND) * 1000);
    },
    spend: () => {
      fill();
      tokens = Math.max(-BURST, tokens - 1);
    },
  };
}
