// How fast the jobs of a connection are polled, and the budget that all of its requests share.
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/jobs.ts";
import { LONGEST_RETRY_AFTER_MS } from "#api/retry-policy.ts";
import type { ServiceClock } from "#api/service-clock.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** No job that runs is polled less often than once a minute. */
const SLOWEST_MS = MINUTE;

/** How long until the next poll of a job, in ms, and why it is longer than the 10 s that the specification recommends. */
export interface PollPace {
  minMs: number;
  maxMs: number;
  /**
   * `old`: the job has run for half an hour. `limited`: the service limits our rate. `failing`: polls failed in a row.
   * The screen says it (`results/waiting/poll-times.ts`).
   */
  slowBecause?: "old" | "limited" | "failing";
}

/** Spec 8: 5 to 10 s. The spread lies within, so that many jobs do not ask at the same moment. */
const FAST: PollPace = { minMs: 5.2 * SECOND, maxMs: 6.2 * SECOND };
const USUAL: PollPace = { minMs: 8 * SECOND, maxMs: 10 * SECOND };
/** Outside the range of spec 8, for a job that has run for long and while the service limits the rate. */
const SLOW = { minMs: 13 * SECOND, maxMs: 15 * SECOND };
const VERY_SLOW = { minMs: 0.8 * SLOWEST_MS, maxMs: SLOWEST_MS };
const OLD_AFTER_MS = 30 * MINUTE;
const VERY_OLD_AFTER_MS = 6 * 60 * MINUTE;

function paceOfAge(ageMs: number): PollPace {
  if (ageMs < MINUTE) return FAST;
  if (ageMs < OLD_AFTER_MS) return USUAL;
  return { ...(ageMs < VERY_OLD_AFTER_MS ? SLOW : VERY_SLOW), slowBecause: "old" };
}

/**
 * The pace of a job's polls: within 5 to 10 s for half an hour, then 15 s, and once a minute after six hours. Under a rate
 * limit 15 s. From the second failure in a row on it doubles, up to a minute; a failed poll is never the last one.
 */
export function pollPace({
  ageMs,
  failures = 0,
  isLimited = false,
}: {
  /** How long the job has run. */
  ageMs: number;
  /** Polls that failed in a row. */
  failures?: number;
  isLimited?: boolean;
}): PollPace {
  const byAge = paceOfAge(ageMs);
  const pace: PollPace = isLimited && byAge.maxMs < SLOW.maxMs ? { ...SLOW, slowBecause: "limited" } : byAge;
  if (failures < 2) return pace;
  const factor = 2 ** Math.min(failures - 1, 6);
  return {
    minMs: Math.min(VERY_SLOW.minMs, pace.minMs * factor),
    maxMs: Math.min(SLOWEST_MS, pace.maxMs * factor),
    slowBecause: "failing",
  };
}

/**
 * A number in [0, 1) that depends only on the text, so that polls are spread without a new random number at every render.
 */
export function getPollSpread(text: string): number {
  // The hash is FNV-1a, 32 bits, with its usual constants.
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

/** The next poll waits at least this long after an answer, however slow that was. */
const SHORTEST_PAUSE_MS = 2 * SECOND;

/**
 * How long after an answer the next poll goes, in ms. The pace counts from one request to the next, so the time that the
 * last one took is part of it. `spread` is in [0, 1).
 */
export function pollWaitMs({ minMs, maxMs }: PollPace, spread: number, tookMs = 0): number {
  return Math.round(Math.max(SHORTEST_PAUSE_MS, minMs + (maxMs - minMs) * spread - tookMs));
}

/** The size of the request budget: see `createRequestBudget`. */
const REQUESTS_PER_SECOND = 2;
const BURST = 6;

/**
 * The requests of one connection share one budget, because the service limits them together (spec 5 rule 4): two requests a
 * second after a burst of six. Submits and what belongs to them never wait and are taken from the same budget, so it is the
 * polls that slow down. `nowMs` never goes back. Exported for tests.
 */
export function createRequestBudget({ nowMs, wait }: { nowMs: () => number; wait: (ms: number) => Promise<void> }) {
  let tokens = BURST;
  let filledAtMs = nowMs();
  const fill = () => {
    const atMs = nowMs();
    tokens = Math.min(BURST, tokens + (Math.max(0, atMs - filledAtMs) / 1000) * REQUESTS_PER_SECOND);
    filledAtMs = atMs;
  };
  return {
    /** Resolves when a poll, or an estimate for a list of rows, may go. */
    turn: async () => {
      fill();
      tokens -= 1;
      if (tokens < 0) await wait((-tokens / REQUESTS_PER_SECOND) * 1000);
    },
    /** Takes a request that is sent without waiting from the budget. */
    spend: () => {
      fill();
      tokens = Math.max(-BURST, tokens - 1);
    },
  };
}

/** After a 429 all polls are slow for this long. */
const SLOW_AFTER_LIMIT_MS = 60_000;
/** A job counts as gone after this many polls with 404 over this time: one 404 may come from a service that lags. */
const GONE_AFTER_POLLS = 3;
const GONE_AFTER_MS = 60_000;
/** Two polls of one job are at least this far apart, whoever asks for the second. Only the poll at waking may come earlier. */
export const SHORTEST_POLL_MS = 5_000;

/** What is known of the polls of one job, or of the list call. */
interface JobNotes {
  /** When the job began to run, as far as this browser knows, by the monotonic clock. */
  bornMs: number;
  /** Whether `bornMs` takes the service's own time into account. */
  isBornKnown: boolean;
  /** Polls that failed in a row. */
  failures: number;
  pollsSinceFinal: number;
  /** When the first of the last polls was answered with 404; undefined after any other answer. */
  goneSinceMs: number | undefined;
  /** How many polls in a row were answered with 404. */
  gonePolls: number;
  /** How many polls have ended. Each has a spread of its own. */
  polls: number;
  /** How long the last poll took. */
  tookMs: number;
  /** How long the service asked to wait after the last refusal. */
  retryAfterMs: number;
  /** While a poll is under way: when it began, by the monotonic clock and by the device's. */
  asking: { sinceMs: number; wallMs: number } | undefined;
  /** The pace until the next poll ends. It is fixed, because every change of it starts the cache's timer anew. */
  pace: PollPace | undefined;
  /** For the list call: the ids of the jobs that `pace` was made for. */
  paceJobIds: string | undefined;
}

/** A job as its pace needs it: `createdAtSeconds` is the service's word, and counts by the service's own clock. */
export interface PacedJob {
  requestId: string;
  createdAtSeconds: number | undefined;
}

/** Stands for a job id where the list call is meant. */
export const LIST = "list";

/** The control of a connection's client. */
export const getPollControl = perConnection((api: Api) => createPollControl(() => performance.now(), api.clock));

interface Polling {
  /** Which jobs this tab polls: all, none, or all but those that a list call covers. */
  rule: (requestId: string) => boolean;
  /** A poll was refused with 401: none goes until `resume`. */
  isPaused: boolean;
}

/**
 * What the polls of one connection share: which jobs this tab polls, how fast, and how the last polls went. It lives
 * beside the query cache because the pace must not depend on which screen is open. Times are in ms. The clock, in ms, never
 * goes back. Exported for tests.
 */
export function createPollControl(nowMs: () => number, clock?: Pick<ServiceClock, "nowSeconds">) {
  const notes = new Map<string, JobNotes>();
  const polling = createStore<Polling>(() => ({ rule: () => true, isPaused: false }));
  // So that two studios that watch the same job, or a list, do not ask at the same moments.
  const salt = Math.random();
  let slowUntilMs = Number.NEGATIVE_INFINITY;

  const isPolled = (requestId: string): boolean => {
    const { rule, isPaused } = polling.getState();
    return !isPaused && rule(requestId);
  };
  const getNotes = (requestId: string): JobNotes => {
    const fresh: JobNotes = {
      bornMs: nowMs(),
      isBornKnown: false,
      failures: 0,
      pollsSinceFinal: 0,
      goneSinceMs: undefined,
      gonePolls: 0,
      polls: 0,
      tookMs: 0,
      retryAfterMs: 0,
      asking: undefined,
      pace: undefined,
      paceJobIds: undefined,
    };
    const known = notes.get(requestId) ?? fresh;
    notes.set(requestId, known);
    return known;
  };
  const budget = createRequestBudget({ nowMs, wait: (ms) => abortableDelay(ms) });
  const noteLimit = (error: unknown) => {
    if (error instanceof RefusedError && error.status === 429) slowUntilMs = nowMs() + SLOW_AFTER_LIMIT_MS;
  };
  const noteError = (note: JobNotes, error: unknown) => {
    note.failures += 1;
    noteLimit(error);
    if (!(error instanceof RefusedError)) return;
    note.retryAfterMs = Math.min(LONGEST_RETRY_AFTER_MS, error.retryAfterMs ?? 0);
    if (error.status === 401 && !polling.getState().isPaused) polling.setState({ isPaused: true });
    if (error.status === 404) {
      note.goneSinceMs ??= nowMs();
      note.gonePolls += 1;
    }
  };
  const ageMs = ({ requestId, createdAtSeconds }: PacedJob): number => {
    const note = getNotes(requestId);
    const serviceSeconds = clock?.nowSeconds();
    if (!note.isBornKnown && createdAtSeconds !== undefined && serviceSeconds !== undefined) {
      note.isBornKnown = true;
      note.bornMs = Math.min(note.bornMs, nowMs() - (serviceSeconds - createdAtSeconds) * 1000);
    }
    return Math.max(0, nowMs() - note.bornMs);
  };

  const getPaceAt = (age: number, { failures }: JobNotes) =>
    pollPace({ ageMs: age, failures, isLimited: nowMs() < slowUntilMs });

  return {
    /** The part of the control that components follow. */
    polling,
    /** Whether this tab polls this job by itself now. */
    isPolled,
    failures: (requestId: string) => getNotes(requestId).failures,
    pollsSinceFinal: (requestId: string) => getNotes(requestId).pollsSinceFinal,
    /** Whether at least three polls over a minute were answered with 404. */
    isGone: (requestId: string) => {
      const { goneSinceMs, gonePolls } = getNotes(requestId);
      return goneSinceMs !== undefined && gonePolls >= GONE_AFTER_POLLS && nowMs() - goneSinceMs >= GONE_AFTER_MS;
    },
    /** How fast a job is polled: where this tab polls it, the same until its next poll has ended. */
    pace: (job: PacedJob): PollPace => {
      const note = getNotes(job.requestId);
      const pace = note.pace ?? getPaceAt(ageMs(job), note);
      if (isPolled(job.requestId)) note.pace = pace;
      return pace;
    },
    /** How fast the list is read that covers these jobs: at the pace of the youngest of them. */
    listPace: (jobs: readonly PacedJob[]): PollPace => {
      const note = getNotes(LIST);
      const jobIds = jobs.map(({ requestId }) => requestId).join(" ");
      if (note.pace === undefined || note.paceJobIds !== jobIds)
        note.pace = getPaceAt(Math.min(...jobs.map(ageMs)), note);
      note.paceJobIds = jobIds;
      return note.pace;
    },
    /** The pace of the list call that now polls for this tab, if there is one. */
    currentListPace: () => notes.get(LIST)?.pace,
    /** How long after an answer the next poll of this pace goes, and not before what the service asked for. */
    waitMs: (requestId: string, pace: PollPace) => {
      const { polls, tookMs, retryAfterMs } = getNotes(requestId);
      return Math.max(retryAfterMs, pollWaitMs(pace, getPollSpread(`${polls} ${requestId} ${salt}`), tookMs));
    },
    /** Whether a poll of this job is under way that began less than five seconds ago. */
    isAsking: (requestId: string) => {
      const { asking } = getNotes(requestId);
      // Either clock may have stood still or jumped while the machine slept.
      return (
        asking !== undefined &&
        nowMs() - asking.sinceMs < SHORTEST_POLL_MS &&
        Math.abs(Date.now() - asking.wallMs) < SHORTEST_POLL_MS
      );
    },
    /** Runs one poll when the budget allows it, and records how it went. Rejects as `ask` does. */
    poll: async <T>(requestId: string, ask: () => Promise<T>): Promise<T> => {
      const note = getNotes(requestId);
      note.asking = { sinceMs: nowMs(), wallMs: Date.now() };
      await budget.turn();
      const sinceMs = nowMs();
      try {
        const answer = await ask();
        note.failures = 0;
        note.retryAfterMs = 0;
        note.goneSinceMs = undefined;
        note.gonePolls = 0;
        return answer;
      } catch (error) {
        noteError(note, error);
        throw error;
      } finally {
        note.asking = undefined;
        note.polls += 1;
        note.tookMs = nowMs() - sinceMs;
        note.pace = undefined;
      }
    },
    noteJob: (job: Job) => {
      if (isFinal(job.status)) getNotes(job.requestId).pollsSinceFinal += 1;
    },
    /**
     * Runs a request that never waits: a submit, or what belongs to one. It is taken from the shared budget, and a 429
     * slows the polls. Rejects as `ask` does.
     */
    sendUnpaced: async <T>(ask: () => Promise<T>): Promise<T> => {
      budget.spend();
      try {
        return await ask();
      } catch (error) {
        noteLimit(error);
        throw error;
      }
    },
    /** Runs a read of low priority when the budget allows it; a 429 slows the polls. Rejects as `ask` does. */
    sendPaced: async <T>(ask: () => Promise<T>): Promise<T> => {
      await budget.turn();
      try {
        return await ask();
      } catch (error) {
        noteLimit(error);
        throw error;
      }
    },
    isPaused: () => polling.getState().isPaused,
    resume: () => polling.setState({ isPaused: false }),
    setPolled: (rule: Polling["rule"]) => polling.setState({ rule }),
  };
}

/** Renders again when this tab begins or ends to poll some job, so that the interval of every query is set anew. */
export function usePolling(api: Api): void {
  useStore(getPollControl(api).polling);
}

/** Whether all polls wait because the key was refused (spec 5.5), and a function that resumes them. */
export function usePollPause(): { isPaused: boolean; resume: () => void } {
  const control = getPollControl(useApi());
  return { isPaused: useStore(control.polling, ({ isPaused }) => isPaused), resume: control.resume };
}
