import type { QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import type { Api } from "#api/create-api.ts";
import { isFinal } from "#api/final-status.ts";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { perConnection } from "#connection/per-connection.ts";
import { jobQueries } from "#jobs/job-queries.ts";
import { pollControlOf } from "#jobs/poll/poll-control.ts";
import { fuller, type HistoryEntry, isLean, toEntry } from "./history-entry.ts";

// A service's list may give no more of a job than its id and its status. What the job's own record tells is asked for
// once the job is in view, a few at a time, and shown in the list.

const MOST_AT_ONCE = 2;
/** After so many records in a row that told nothing of what was missing, none is asked for it any more. */
const MOST_UNHELPFUL = 4;
/** Answers are shown together, so that the list does not render for each. */
const SHOW_AFTER_MS = 200;

/** What a job's line lacks, in words that tell one lack from another. */
function lackOf({ payload, status, media, failureReason }: HistoryEntry): string {
  const lacks = [
    payload === undefined && "payload",
    status === "success" && media.length === 0 && "media",
    status === "failed" && failureReason === undefined && "reason",
  ];
  return lacks.filter(Boolean).join(" ");
}

/** A job is asked for once in each of its states. */
const keyOf = ({ requestId, status }: HistoryEntry) => `${requestId} ${status}`;

/** Lean entries are filled in here. `subscribe` and `filled` fit `useSyncExternalStore`. */
interface LeanFill {
  /** These are in view. Those of an earlier call that are not among them are asked for no more. */
  want(entries: readonly HistoryEntry[]): void;
  filled(): ReadonlyMap<string, HistoryEntry>;
  subscribe(listener: () => void): () => void;
}

interface LeanFillOptions {
  /** The job's own record. It waits for the budget of requests by itself. */
  ask: (requestId: string) => Promise<Job>;
  isPaused: () => boolean;
  /** Runs something a little later. */
  later: (run: () => void) => void;
}

/** Asks for what lean entries lack: each job once, two at a time, and not for what no record tells. Never throws. */
export function createLeanFill({ ask, isPaused, later }: LeanFillOptions): LeanFill {
  let filled: ReadonlyMap<string, HistoryEntry> = new Map();
  let waiting: HistoryEntry[] = [];
  let running = 0;
  let isShowing = false;
  const fresh = new Map<string, HistoryEntry>();
  const asked = new Set<string>();
  const unhelpful = new Map<string, number>();
  const listeners = new Set<() => void>();

  function show() {
    if (isShowing) return;
    isShowing = true;
    later(() => {
      isShowing = false;
      filled = new Map([...filled, ...fresh]);
      fresh.clear();
      for (const listener of listeners) listener();
    });
  }
  async function fill(entry: HistoryEntry) {
    const lack = lackOf(entry);
    try {
      const found = toEntry(await ask(entry.requestId));
      const isHelp = lackOf(fuller(entry, found)) !== lack || found.status !== entry.status;
      unhelpful.set(lack, isHelp ? 0 : (unhelpful.get(lack) ?? 0) + 1);
      if (!isHelp) return;
      fresh.set(entry.requestId, found);
      show();
    } catch {
      // Shown as the list has it, and asked for again when it comes into view the next time.
      asked.delete(keyOf(entry));
      unhelpful.set(lack, (unhelpful.get(lack) ?? 0) + 1);
    }
  }
  function next() {
    while (running < MOST_AT_ONCE && !isPaused()) {
      const entry = waiting.shift();
      if (entry === undefined) return;
      if (asked.has(keyOf(entry)) || (unhelpful.get(lackOf(entry)) ?? 0) >= MOST_UNHELPFUL) continue;
      asked.add(keyOf(entry));
      running += 1;
      void fill(entry).finally(() => {
        running -= 1;
        next();
      });
    }
  }
  return {
    want(entries) {
      waiting = entries.filter((entry) => isLean(entry) && !asked.has(keyOf(entry)));
      next();
    },
    filled: () => filled,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const leanFillOf = perConnection((api: Api, client: QueryClient) =>
  createLeanFill({
    ask: (requestId) => client.fetchQuery(jobQueries(api).detail(requestId)),
    isPaused: () => pollControlOf(api).isPaused(),
    later: (run) => void setTimeout(run, SHOW_AFTER_MS),
  }),
);

/**
 * The jobs with what is known of them: by this visit's own look, else by `known` (the index). `onInView` asks for what
 * the ones in view lack.
 */
export function useFuller(
  entries: readonly HistoryEntry[],
  known: (requestId: string) => HistoryEntry | undefined,
): { entries: readonly HistoryEntry[]; filled: ReadonlyMap<string, HistoryEntry>; onInView: LeanFill["want"] } {
  const fill = leanFillOf(useApi(), useQueryClient());
  const filled = useSyncExternalStore(fill.subscribe, fill.filled);
  const full = useMemo(() => {
    if (!entries.some(isLean)) return entries;
    return entries.map((entry) => {
      if (!isLean(entry)) return entry;
      const seen = filled.get(entry.requestId);
      // A tile keeps its shape while it is looked at: the list would jump with each answer.
      if (seen) return { ...fuller(withLaterStatus(entry, seen), seen), aspect: entry.aspect };
      const before = known(entry.requestId);
      return before && before !== entry ? fuller(entry, before) : entry;
    });
  }, [entries, filled, known]);
  return { entries: full, filled, onInView: fill.want };
}

function withLaterStatus(entry: HistoryEntry, seen: HistoryEntry): HistoryEntry {
  const status = isFinal(entry.status) ? entry.status : seen.status;
  // Its own record was read: files that it names are there.
  return { ...entry, status, lacksOutcome: true };
}
