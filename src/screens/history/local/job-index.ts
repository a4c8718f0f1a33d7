import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { type HistoryEntry, toEntry } from "../history-entry.ts";
import { findOffsetUnit } from "../offset-unit.ts";
import { readAllJobs } from "./read-all.ts";
import { keptEntry } from "./read-entry.ts";
import { isComplete, NOTHING_READ, planOfVisit, type ReadPlan } from "./read-plan.ts";
import { rehearseSearch } from "./search-index.ts";
import { createSeenJobs, type SeenJobs } from "./seen-jobs.ts";
import { loadSeen, saveSeen } from "./seen-rows.ts";

export interface IndexState {
  phase: "opening" | "ready" | "reading";
  entries: readonly HistoryEntry[];
  /** What a search looks through, at the same places as `entries`. */
  texts: () => readonly string[];
  /** Everything up to the last reading is known. */
  isComplete: boolean;
  /** Why the last reading ended early. */
  error: unknown;
}

/** What this browser has seen of one key's jobs: searched here, read further on request. */
export interface JobIndex {
  state(): IndexState;
  subscribe(listener: () => void): () => void;
  /** Takes in jobs that were seen anywhere. */
  note(entries: readonly HistoryEntry[]): void;
  /** Reads everything that is not known. Goes on where it was left, also after a restart. */
  readAll(api: Api): Promise<void>;
  stop(): void;
}

const SHOW_EVERY_MS = 400;

/** The index of a accountId, a connection's key fingerprint, opened from what was kept. */
export function createJobIndex(accountId: string): JobIndex {
  let seen: SeenJobs = createSeenJobs();
  let plan: ReadPlan = NOTHING_READ;
  let state: IndexState = { phase: "opening", entries: [], texts: seen.texts, isComplete: false, error: undefined };
  let running: AbortController | undefined;
  let shownAt = 0;
  let rehearsals = 3;
  let stopWarming = () => {};
  const early: HistoryEntry[] = [];
  const dirty = new Set<number>();
  const listeners = new Set<() => void>();

  function show(change: Partial<IndexState> = {}) {
    shownAt = Date.now();
    state = { ...state, entries: seen.entries(), texts: seen.texts, isComplete: isComplete(plan), ...change };
    for (const listener of listeners) listener();
    stopWarming();
    if (state.phase === "ready") stopWarming = whenIdle(warm);
  }
  function warm(isLate: () => boolean): boolean {
    if (!seen.warm(isLate)) return false;
    if (rehearsals-- <= 0) return true;
    rehearseSearch(state);
    return false;
  }
  function take(entries: readonly HistoryEntry[]) {
    for (const chunk of seen.note(entries.map(keptEntry))) dirty.add(chunk);
  }
  async function keep() {
    const chunks = new Map(Array.from(dirty, (place) => [place, seen.chunk(place)]));
    dirty.clear();
    // Without room on the disk the index lives as long as the page.
    await saveSeen(accountId, chunks, plan).catch(() => undefined);
  }
  const opened = loadSeen(accountId)
    .catch(() => ({ chunks: [], plan: NOTHING_READ }))
    .then((kept) => {
      seen = createSeenJobs(kept.chunks);
      plan = kept.plan;
      take(early);
      show({ phase: "ready" });
    });

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    note(entries) {
      if (state.phase === "opening") {
        early.push(...entries);
        return;
      }
      take(entries);
      if (dirty.size === 0 || state.phase === "reading") return;
      show();
      void keep();
    },
    async readAll(api) {
      await opened;
      if (running) return;
      const controller = new AbortController();
      running = controller;
      const { signal } = controller;
      const read = () =>
        readAllJobs({
          api,
          plan,
          signal,
          offsetUnit: () => findOffsetUnit(api, signal),
          onPage: (jobs) => {
            const fresh = jobs.filter((job) => !seen.has(job.requestId)).length;
            take(jobs.map((job) => toEntry(job)));
            return fresh;
          },
          onPlan: (next) => {
            plan = next;
            void keep();
            if (Date.now() - shownAt > SHOW_EVERY_MS) show();
          },
        });
      plan = planOfVisit(plan);
      show({ phase: "reading", error: undefined });
      try {
        await read();
        // What arrived while the rest was read.
        if (!plan.isUntimed) {
          plan = planOfVisit(plan);
          await read();
        }
      } catch (error) {
        if (!isAbort(error)) state = { ...state, error };
      } finally {
        running = undefined;
        show({ phase: "ready" });
        await keep();
      }
    },
    stop: () => running?.abort(new DOMException("Stopped.", "AbortError")),
  };
}

const indexes = new Map<string, JobIndex>();

/** The one index of a accountId. */
export function jobIndexOf(accountId: string): JobIndex {
  const known = indexes.get(accountId) ?? createJobIndex(accountId);
  indexes.set(accountId, known);
  return known;
}
