import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useConnection } from "#connection/connection-store.ts";
import { asNumber, asRecords, asText, isRecord } from "#lib/read.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { onChange } from "#storage/changes.ts";
import { readIndex } from "#storage/seen-jobs.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { useTrackedJobs } from "../use-tracked-jobs.ts";
import { listedJobs } from "./listed-jobs.ts";
import { type PastJob, pastJob, pastTrackedJob, type UsualTime, usualTimeOf } from "./usual-time.ts";

interface Shown {
  past: readonly PastJob[];
  /** The index of the history is not read yet: more may be known in a moment. */
  isReading: boolean;
}

/** So many of the newest jobs of each model are held. */
const MOST_OF_MODEL = 200;

/** A job of the index of the history: untrusted, undefined where it is none that tells a time. */
function indexedJob(raw: unknown): PastJob | undefined {
  if (!isRecord(raw) || typeof raw.requestId !== "string" || typeof raw.status !== "string") return undefined;
  return pastJob({
    requestId: raw.requestId,
    status: raw.status,
    model: asText(raw.model),
    kind: asText(asRecords(raw.media)[0]?.kind),
    createdAtSeconds: asNumber(raw.createdAtSeconds),
    updatedAtSeconds: asNumber(raw.updatedAtSeconds),
  });
}

/** The newest jobs of each model, so that a history of a hundred thousand stays small. */
function newestOfEach(jobs: readonly PastJob[]): PastJob[] {
  const count = new Map<string | undefined, number>();
  return [...jobs]
    .sort((a, b) => b.endedAtMs - a.endedAtMs)
    .filter(({ model }) => {
      const held = (count.get(model) ?? 0) + 1;
      count.set(model, held);
      return held <= MOST_OF_MODEL;
    });
}

/**
 * What is known of the times of an account's past jobs: of this browser's own, of those that the index of the history
 * holds, and of those that the service listed meanwhile. The index is read once, chunk by chunk, when the page has
 * nothing else to do, and again when it has changed. Fits `useSyncExternalStore`. Nothing here throws or rejects.
 */
function createPastTimes(accountId: string) {
  let shown: Shown = { past: [], isReading: true };
  let tracked: readonly TrackedJob[] = [];
  let indexed: readonly PastJob[] = [];
  let isFresh = false;
  let isReading = false;
  const listeners = new Set<() => void>();
  onChange("seen", () => {
    isFresh = false;
  });

  function show() {
    const byId = new Map<string, PastJob>();
    for (const job of indexed) byId.set(job.requestId, job);
    for (const job of listedJobs(accountId)) {
      const past = pastJob({ ...job, kind: job.media[0]?.kind });
      if (past) byId.set(past.requestId, past);
    }
    for (const job of tracked) {
      const past = pastTrackedJob(job);
      if (past) byId.set(past.requestId, past);
    }
    shown = { past: [...byId.values()], isReading: isReading || !isFresh };
    for (const listener of listeners) listener();
  }
  async function read() {
    if (isFresh || isReading) return;
    isReading = true;
    const found: PastJob[] = [];
    const finish = () => {
      indexed = newestOfEach(found);
      isReading = false;
      isFresh = true;
      show();
    };
    try {
      const { chunks } = await readIndex(accountId);
      whenIdle((isLate) => {
        do {
          const chunk = chunks.shift();
          if (chunk) found.push(...chunk().flatMap((raw) => indexedJob(raw) ?? []));
        } while (chunks.length > 0 && !isLate());
        if (chunks.length > 0) return false;
        finish();
        return true;
      });
    } catch {
      finish();
    }
  }
  return {
    snapshot: () => shown,
    subscribe(listener: () => void) {
      listeners.add(listener);
      void read();
      return () => void listeners.delete(listener);
    },
    noteTracked(next: readonly TrackedJob[]) {
      if (next === tracked) return;
      tracked = next;
      show();
    },
  };
}

const stores = new Map<string, ReturnType<typeof createPastTimes>>();

function pastTimesOf(accountId: string) {
  const store = stores.get(accountId) ?? createPastTimes(accountId);
  stores.set(accountId, store);
  return store;
}

interface KnownTimes {
  /** The usual time of a model, else of its kind ("image", "video", "audio"); undefined where too few are known. */
  of: (model: string | undefined, kind?: string) => UsualTime | undefined;
  /** More may be known in a moment. */
  isReading: boolean;
}

/** How long jobs usually took this person, from everything that this browser knows of their past jobs. */
export function useUsualTimes(): KnownTimes {
  const store = pastTimesOf(useConnection()?.accountId ?? "");
  const tracked = useTrackedJobs();
  const { past, isReading } = useSyncExternalStore(store.subscribe, store.snapshot);
  useEffect(() => store.noteTracked(tracked), [store, tracked]);
  return useMemo(() => {
    const known = new Map<string, UsualTime | undefined>();
    return {
      isReading,
      of(model, kind) {
        const key = `${model ?? ""}\n${kind ?? ""}`;
        if (!known.has(key)) known.set(key, usualTimeOf(past, model, kind));
        return known.get(key);
      },
    };
  }, [past, isReading]);
}
