import { useEffect, useMemo, useSyncExternalStore } from "react";
import { isAbort } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { useConnection } from "#connection/connection-store.ts";
import type { MarksById } from "#jobs/marks/marks-store.ts";
import { findOffsetUnit } from "#jobs/offset-unit.ts";
import type { MicroUsd } from "#lib/money.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { type HistoryEntry, toEntry } from "../history-entry.ts";
import type { HistorySearch } from "../history-search.ts";
import { isComplete, NOTHING_READ, planOfVisit, planOfWhole, type ReadPlan, readAllJobs } from "./read-all.ts";
import { searchIndex } from "./search-index.ts";
import { createSeenJobs, type SeenJobs } from "./seen-jobs.ts";
import { loadSeen, saveSeen, storedEntry } from "./seen-rows.ts";

export interface IndexState {
  phase: "opening" | "ready" | "reading";
  entries: readonly HistoryEntry[];
  /** The text of each job that a search goes through, at the same places as `entries`. */
  texts: () => readonly string[];
  /** Everything up to the last reading is known. */
  isComplete: boolean;
  /** Why the last reading ended early. */
  error: unknown;
}

/** The jobs of one key that this browser has seen: searched here, and completed on request. */
interface JobIndex {
  state(): IndexState;
  subscribe(listener: () => void): () => void;
  /** A job as it was last seen. */
  get(requestId: string): HistoryEntry | undefined;
  /** Adds jobs that were seen anywhere. `isWhole`: the service has no others. */
  note(entries: readonly HistoryEntry[], isWhole?: boolean): void;
  /** Reads every job that is not indexed yet. Goes on where it stopped, also after a restart. */
  readAll(api: Api): Promise<void>;
  stop(): void;
}

const SHOW_EVERY_MS = 400;

/** The index of one account (its key's fingerprint), opened from what this browser has stored. */
export function createJobIndex(accountId: string): JobIndex {
  let seen: SeenJobs = createSeenJobs();
  let plan: ReadPlan = NOTHING_READ;
  let state: IndexState = { phase: "opening", entries: [], texts: seen.texts, isComplete: false, error: undefined };
  let running: AbortController | undefined;
  let shownAt = 0;
  let stopMakingTexts = () => {};
  const early: HistoryEntry[] = [];
  let earlyWhole: ReadPlan | undefined;
  const dirty = new Set<number>();
  const listeners = new Set<() => void>();

  function show(change: Partial<IndexState> = {}) {
    shownAt = Date.now();
    state = { ...state, entries: seen.entries(), texts: seen.texts, isComplete: isComplete(plan), ...change };
    for (const listener of listeners) listener();
    // The texts of a hundred thousand jobs take a while: they are made when the page has nothing else to do.
    stopMakingTexts();
    if (state.phase === "ready") stopMakingTexts = whenIdle(seen.makeTexts);
  }
  function take(entries: readonly HistoryEntry[]) {
    for (const chunk of seen.note(entries.map(storedEntry))) dirty.add(chunk);
  }
  async function save() {
    const chunks = new Map(Array.from(dirty, (place) => [place, seen.chunk(place)]));
    dirty.clear();
    // Without room on the disk the index lives as long as the page.
    await saveSeen(accountId, chunks, plan).catch(() => undefined);
  }
  const opened = loadSeen(accountId)
    .catch(() => ({ chunks: [], plan: NOTHING_READ }))
    .then((stored) => {
      seen = createSeenJobs(stored.chunks);
      plan = earlyWhole ?? stored.plan;
      take(early);
      show({ phase: "ready" });
    });

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (requestId) => seen.get(requestId),
    note(entries, isWhole = false) {
      const whole = isWhole ? planOfWhole(entries.map((entry) => entry.createdAtSeconds)) : undefined;
      if (state.phase === "opening") {
        early.push(...entries);
        earlyWhole = whole ?? earlyWhole;
        return;
      }
      take(entries);
      if (state.phase === "reading") return;
      const isNews = whole !== undefined && !(state.isComplete && whole.newestSeconds === plan.newestSeconds);
      if (dirty.size === 0 && !isNews) return;
      if (whole) plan = whole;
      show();
      void save();
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
            void save();
            if (Date.now() - shownAt > SHOW_EVERY_MS) show();
          },
        });
      plan = planOfVisit(plan);
      show({ phase: "reading", error: undefined });
      try {
        await read();
        // Jobs that were made while the others were read.
        if (!plan.isUntimed) {
          plan = planOfVisit(plan);
          await read();
        }
      } catch (error) {
        if (!isAbort(error)) state = { ...state, error };
      } finally {
        running = undefined;
        show({ phase: "ready" });
        await save();
      }
    },
    stop: () => running?.abort(new DOMException("Stopped.", "AbortError")),
  };
}

const indexes = new Map<string, JobIndex>();

/** The one index of an account. */
function jobIndexOf(accountId: string): JobIndex {
  const known = indexes.get(accountId) ?? createJobIndex(accountId);
  indexes.set(accountId, known);
  return known;
}

/** The index of the current key's jobs, and what it holds now. */
export function useJobIndex(): { index: JobIndex; state: ReturnType<JobIndex["state"]> } {
  const index = jobIndexOf(useConnection()?.accountId ?? "");
  const state = useSyncExternalStore(index.subscribe, index.state);
  return { index, state };
}

/** Takes a page of the service's list into the index. `isWhole`: it is the whole list. */
export function useNoteSeen(index: JobIndex, entries: readonly HistoryEntry[], isWhole = false): void {
  useEffect(() => {
    if (entries.length > 0 || isWhole) index.note(entries, isWhole);
  }, [index, entries, isWhole]);
}

interface IndexSearchOptions {
  search: HistorySearch;
  marks: MarksById;
  prices: ReadonlyMap<string, MicroUsd>;
  nowMs: number;
}

/** What the index finds for a search, or undefined while none is asked for. */
export function useIndexSearch(
  state: ReturnType<JobIndex["state"]>,
  options: IndexSearchOptions,
): readonly HistoryEntry[] | undefined {
  const { search, marks, prices, nowMs } = options;
  const { q, model, type, status, after, before } = search;
  const { entries, texts } = state;
  return useMemo(() => {
    if (q === undefined) return undefined;
    const filters = {
      ...(model && { model }),
      ...(type && { type }),
      ...(status && { status }),
      ...(after && { after }),
      ...(before && { before }),
    };
    return searchIndex({ entries, texts, query: q, filters, marks, prices, nowMs });
  }, [entries, texts, q, model, type, status, after, before, marks, prices, nowMs]);
}
