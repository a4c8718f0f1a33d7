import { onChange } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { type JobMarks, jobMarkKey, jobMarkRows } from "#storage/job-marks.ts";
import { putChange, readAll } from "#storage/typed-rows.ts";

export type MarksById = ReadonlyMap<string, JobMarks>;

/** The marks of one key's jobs, read once and again whenever any tab wrote one. */
export interface MarksStore {
  snapshot(): MarksById;
  subscribe(listener: () => void): () => void;
}

const NONE: MarksById = new Map();
const stores = new Map<string, MarksStore>();

function createMarksStore(accountId: string): MarksStore {
  let marks = NONE;
  const listeners = new Set<() => void>();
  async function read(): Promise<void> {
    try {
      const found = await readAll(await openRows(), jobMarkRows, accountId);
      marks = new Map(found.map((mark) => [mark.requestId, mark]));
      for (const listener of listeners) listener();
    } catch {
      // The rows cannot be read just now. What is known stays; the next change tries again.
    }
  }
  let stop: (() => void) | undefined;
  return {
    snapshot: () => marks,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) {
        stop = onChange("marks", () => void read());
        void read();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop?.();
      };
    },
  };
}

/** The one store of a accountId, a connection's key fingerprint. */
export function marksStoreOf(accountId: string): MarksStore {
  const known = stores.get(accountId) ?? createMarksStore(accountId);
  stores.set(accountId, known);
  return known;
}

export type MarkChange = Partial<Omit<JobMarks, "requestId">>;

/**
 * Changes the marks of some jobs, all or none. `change` gets what is marked now.
 * @throws StorageError where nothing could be written.
 */
export async function changeMarks(
  accountId: string,
  requestIds: readonly string[],
  change: (marks: JobMarks) => MarkChange,
): Promise<void> {
  const [first, ...others] = requestIds.map((id) => ({ store: jobMarkRows.store, key: jobMarkKey(accountId, id) }));
  if (!first) return;
  // Read and written as one: a star that is set while a file is being archived must outlive both.
  await (await openRows()).edit({ ...first, reads: others }, (row, more) => {
    const changes = [row, ...more].map((stored, at) => {
      const requestId = requestIds[at] ?? "";
      const known = stored && jobMarkRows.read(stored.body, stored);
      const before = known ?? { requestId, isStarred: false, tags: [], note: "" };
      return putChange(jobMarkRows, accountId, jobMarkKey(accountId, requestId), { ...before, ...change(before), requestId });
    });
    return { changes, result: undefined };
  });
}
