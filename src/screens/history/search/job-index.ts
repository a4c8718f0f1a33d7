import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/final-status.ts";
import type { JobPage } from "#api/types.ts";
import { findOffsetUnit } from "#jobs/offset-unit.ts";
import { pollControlOf } from "#jobs/poll/poll-control.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { RETENTION_DAYS } from "#media/retention.ts";
import type { JobRecord, TrackedJob } from "#storage/job-records.ts";
import { joinRow } from "../job-facts.ts";
import { readAllJobs, readOf } from "./read-all.ts";
import {
  isComplete,
  isWhole,
  lacksOlder,
  NOTHING_READ,
  planAfterPage,
  planFrom,
  planOfVisit,
  type ReadPlan,
  reachSeconds,
} from "./read-plan.ts";
import { createSeenJobs } from "./seen-jobs.ts";
import { indexedRecord, loadSeen, saveSeen } from "./seen-rows.ts";

/** Measured: a hundred thousand jobs take about 150 MB of the page's memory, and a search of them 10 ms. */
export const MOST_INDEXED = 100_000;
/** So many more before the oldest are left out, because that writes all anew. */
const MOST_OVER = 5_000;
/** Up to so many jobs the index also reaches back beyond what still has its files. */
const ALWAYS_INDEXED = 10_000;
const DAY_SECONDS = 86_400;

export interface IndexState {
  phase: "opening" | "ready" | "reading";
  entries: readonly JobRecord[];
  /** The text of each job that a search goes through, at the same places as `entries`. */
  texts: () => readonly string[];
  /** Nothing is left to read: the index holds what it is meant to. */
  isComplete: boolean;
  /** It holds every job of the key. */
  isWhole: boolean;
  /** Down to which second it holds every job: see `reachSeconds` of `read-plan.ts`. */
  reachSeconds: number;
  isUntimed: boolean;
  /** Older jobs that it is meant to hold are not read yet. */
  lacksOlder: boolean;
  /** Why reading waits, or has ended early. */
  error: unknown;
}

/** The jobs of one key that this browser has seen: searched here, and completed in the background. */
export interface JobIndex {
  state(): IndexState;
  subscribe(listener: () => void): () => void;
  /** A job as it was last seen. */
  get(requestId: string): JobRecord | undefined;
  /** Adds jobs that were seen anywhere. */
  note(entries: readonly JobRecord[]): void;
  /** Adds what the records of single jobs told, as a whole: they were asked for because they are in view. */
  noteRead(jobs: readonly JobRecord[]): void;
  /**
   * Notes the jobs that this browser follows. Of those in the index their rows tell the price, what was sent and how they
   * ended; when they ran, and that the service no longer has one, stays with the row.
   */
  noteOwn(rows: readonly TrackedJob[]): void;
  /** Adds the newest page of the service's own list, without a filter: what it reaches down to needs no reading. */
  noteHead(entries: readonly JobRecord[], page: JobPage, limit: number): void;
  /**
   * Reads what is missing, in the background: one request at a time, within the connection's budget. Goes on where it
   * stopped, also after a restart. Resolves when it has ended, for whatever reason; never rejects.
   */
  fill(api: Api): Promise<void>;
  stop(): void;
}

/** Each showing lays all jobs out anew, so that many of them are shown more rarely. */
const showEveryMs = (jobs: number) => (jobs < 5_000 ? 400 : 3_000);
/** The newest page stands for a visit for so long. */
const HEAD_IS_NEW_MS = 30_000;
/** For so long a job without an end is looked for again. */
const UNSETTLED_SECONDS = 2 * DAY_SECONDS;

/** The index of one account (its key's fingerprint), opened from what this browser has stored. */
export function createJobIndex(accountId: string): JobIndex {
  const seen = createSeenJobs();
  let plan: ReadPlan = NOTHING_READ;
  let state: IndexState = { phase: "opening", ...shownOf(seen.entries()), error: undefined };
  let running: AbortController | undefined;
  let isWanted = false;
  let shownAt = 0;
  let headAt = Number.NEGATIVE_INFINITY;
  let own: ReadonlyMap<string, TrackedJob> = new Map();
  let stopMakingTexts = () => {};
  const early: (() => void)[] = [];
  const dirty = new Set<number>();
  const listeners = new Set<() => void>();

  function shownOf(entries: readonly JobRecord[]) {
    const reach = { reachSeconds: reachSeconds(plan), isUntimed: plan.isUntimed, lacksOlder: lacksOlder(plan) };
    return { entries, texts: seen.texts, isComplete: isComplete(plan), isWhole: isWhole(plan), ...reach };
  }
  function show(change: Partial<IndexState> = {}) {
    shownAt = Date.now();
    state = { ...state, ...shownOf(seen.entries()), ...change };
    for (const listener of listeners) listener();
    // The texts of a hundred thousand jobs take a while: they are made when the page has nothing else to do.
    stopMakingTexts();
    if (state.phase === "ready") stopMakingTexts = whenIdle(seen.makeTexts);
  }
  function take(entries: readonly JobRecord[]) {
    const from = plan.fromSeconds ?? Number.NEGATIVE_INFINITY;
    // What lies before it is left to the service's list.
    const taken = entries.filter(
      ({ requestId, createdAtSeconds }) => (createdAtSeconds ?? from) >= from || seen.has(requestId),
    );
    return put(taken.map((job) => indexedRecord(withOwn(job))));
  }
  /** Whether anything is new. */
  function put(jobs: readonly JobRecord[]): boolean {
    const changed = seen.note(jobs);
    for (const chunk of changed) dirty.add(chunk);
    return changed.size > 0;
  }
  /** What rows of this browser know is known of their jobs in the index, too. */
  function joinOwn(rows: Iterable<TrackedJob>) {
    return take(Array.from(rows).flatMap(({ requestId }) => seen.get(requestId) ?? []));
  }
  const withOwn = (job: JobRecord) => joinRow(own.get(job.requestId), job);
  /** While it reads, the pages show what they bring, which may take seconds. */
  function settleAtOnce(isNew: boolean) {
    if (state.phase === "reading" && isNew) show();
    else if (state.phase === "ready") settle(plan);
  }
  async function save() {
    if (seen.size() > MOST_INDEXED + MOST_OVER) {
      for (const chunk of seen.trim(MOST_INDEXED)) dirty.add(chunk);
      plan = planFrom(plan, (seen.entries().at(-1)?.createdAtSeconds ?? 0) + 1);
    }
    const chunks = new Map(Array.from(dirty, (place) => [place, seen.chunk(place)]));
    dirty.clear();
    // Without room on the disk the index lives as long as the page.
    await saveSeen(accountId, chunks, plan, seen.size()).catch(() => undefined);
  }
  function settle(before: ReadPlan) {
    if (dirty.size === 0 && JSON.stringify(before) === JSON.stringify(plan)) return;
    show();
    void save();
  }
  /** The plan without what the index is not meant to hold. */
  function bounded(next: ReadPlan, nowSeconds: number): ReadPlan {
    const reach = reachSeconds(next);
    const isFull = seen.size() >= MOST_INDEXED;
    const isOld = seen.size() >= ALWAYS_INDEXED && reach <= nowSeconds - RETENTION_DAYS * DAY_SECONDS;
    if (isComplete(next) || !(isFull || isOld)) return next;
    return planFrom(next, Number.isFinite(reach) ? reach : 0);
  }
  /** When the oldest job was made that had no end when it was last seen. */
  function unsettledSeconds(nowSeconds: number): number {
    return seen.entries().reduce((oldest, { status, createdAtSeconds: made = 0 }) => {
      return isFinal(status) || made < nowSeconds - UNSETTLED_SECONDS ? oldest : Math.min(oldest, made);
    }, Number.POSITIVE_INFINITY);
  }
  async function read(api: Api, signal: AbortSignal) {
    const control = pollControlOf(api);
    const nowSeconds = api.clock.nowSeconds() ?? Date.now() / 1000;
    const unsettled = unsettledSeconds(nowSeconds);
    if (Date.now() - headAt > HEAD_IS_NEW_MS || Number.isFinite(unsettled)) plan = planOfVisit(plan, unsettled);
    await readAllJobs({
      api: { listJobs: (params, within) => control.sendPaced(() => api.listJobs(params, within)) },
      plan,
      signal,
      offsetUnit: () => findOffsetUnit(api, signal),
      mostFailures: Number.POSITIVE_INFINITY,
      onFailure: (error, failures) => {
        if (failures >= TOLD_AFTER_FAILURES) show({ error });
      },
      onPage: (jobs) => {
        const fresh = jobs.filter((job) => !seen.has(job.requestId)).length;
        take(jobs);
        return fresh;
      },
      onPlan: (next) => {
        plan = bounded(next, nowSeconds);
        void save();
        if (state.error !== undefined) show({ error: undefined });
        else if (Date.now() - shownAt > showEveryMs(seen.size())) show();
        return plan;
      },
    });
  }
  const opened = loadSeen(accountId, seen.load)
    .catch(() => NOTHING_READ)
    .then((stored) => {
      plan = stored;
      state = { ...state, phase: "ready" };
      joinOwn(own.values());
      for (const note of early) note();
      show();
    });

  const index: JobIndex = {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (requestId) => seen.get(requestId),
    note(entries) {
      if (state.phase === "opening") return void early.push(() => index.note(entries));
      take(entries);
      if (state.phase === "ready") settle(plan);
    },
    noteRead(jobs) {
      if (state.phase === "opening") return void early.push(() => index.noteRead(jobs));
      settleAtOnce(put(jobs.map((job) => ({ ...withOwn(job), isReadHere: true, raw: {} }))));
    },
    noteOwn(rows) {
      const before = own;
      own = new Map(rows.map((row) => [row.requestId, row]));
      if (state.phase === "opening") return;
      settleAtOnce(joinOwn(rows.filter((row) => before.get(row.requestId) !== row)));
    },
    noteHead(entries, page, limit) {
      if (state.phase === "opening") return void early.push(() => index.noteHead(entries, page, limit));
      const before = plan;
      const fresh = entries.filter(({ requestId }) => !seen.has(requestId)).length;
      take(entries);
      // While it reads, the plan is that of the reading.
      if (state.phase !== "ready") return;
      plan = planAfterPage(planOfVisit(plan), readOf(page, limit, fresh));
      headAt = Date.now();
      settle(before);
    },
    async fill(api) {
      isWanted = true;
      await opened;
      if (running || !isWanted) return;
      const controller = new AbortController();
      running = controller;
      show({ phase: "reading", error: undefined });
      let error: unknown;
      try {
        await read(api, controller.signal);
      } catch (cause) {
        error = isAbort(cause) ? undefined : cause;
      }
      running = undefined;
      show({ phase: "ready", error });
      await save();
      // It was stopped and is wanted again.
      if (controller.signal.aborted && isWanted) await index.fill(api);
    },
    stop() {
      isWanted = false;
      running?.abort(new DOMException("Stopped.", "AbortError"));
    },
  };
  return index;
}

/** A service that is busy for a moment is nothing to tell. */
const TOLD_AFTER_FAILURES = 4;
