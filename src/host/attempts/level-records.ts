import type { Attempt } from "./attempt-store.ts";
import type { LevelDatabase, Write } from "./level-database.ts";
import { writeAttempt } from "./stored-attempt.ts";

/**
 * The records in the database, and the writes that change them. The counts are written with every change, so they
 * are always right.
 *
 *     memory          → the name of this memory
 *     counts          → { atMs, attempts, keptBytes }
 *     attempt/<id>    → the line of `stored-attempt.ts`, and its order
 *     answer/<id>     → its answer
 *     order/<order>   → id: the oldest first, to be forgotten
 *     kept/<order>    → "<bytes> <id>": the oldest answer first, to be dropped
 *
 * `atMs` counts only while a host runs, from where it stood at the last write. So no clock that jumps can shorten the
 * 24 hours, and a host that is off for a while remembers longer.
 */
export interface LevelRecords {
  memory: string | undefined;
  counts: Readonly<{ attempts: number; keptBytes: number }>;
  /** Now, on the clock of the database, in ms. */
  atMs(): number;
  find(id: string): FoundRecord | undefined;
  answerOf(id: string): Buffer | undefined;
  /** Writes of a record, in the order of an older one or after all others. */
  put(id: string, attempt: Attempt, order?: string): Write[];
  forget(id: string, order: string): Write[];
  /** Writes that drop an answer; none where it is not stored any more. */
  drop(id: string, order: string): Write[];
  /** The write of the counts as they are now. */
  countsWrite(): Write;
  /** The oldest attempts. */
  oldest(count: number): Promise<{ id: string; order: string }[]>;
  /** The oldest of the answers that are stored. */
  oldestAnswers(count: number): Promise<{ id: string; order: string }[]>;
}

interface FoundRecord {
  line: string;
  order: string;
}

/** The records of a database that was just opened. `elapsedMs` never goes back. */
export function readRecords({ get, list }: LevelDatabase, elapsedMs: () => number): LevelRecords {
  const stored: Record<string, number> = JSON.parse(get("counts")?.toString() ?? "{}");
  const { atMs: lastMs = 0, attempts = 0, keptBytes = 0 } = stored;
  const counts = { attempts, keptBytes };
  const startMs = lastMs + 1 - elapsedMs();
  const atMs = () => Math.floor(startMs + elapsedMs());
  let orders = 0;

  const newOrder = () => {
    orders += 1;
    return `${String(atMs()).padStart(15, "0")}-${String(orders).padStart(12, "0")}`;
  };

  const drop = (id: string, order: string): Write[] => {
    const stored = get(`kept/${order}`);
    if (!stored) return [];
    counts.keptBytes -= Number.parseInt(stored.toString(), 10);
    return [remove(`kept/${order}`), remove(`answer/${id}`)];
  };

  return {
    memory: get("memory")?.toString(),
    counts,
    atMs,
    find(id) {
      const text = get(`attempt/${id}`)?.toString();
      if (text === undefined) return undefined;
      const end = text.lastIndexOf(" ");
      return { line: text.slice(0, end), order: text.slice(end + 1) };
    },
    answerOf: (id) => get(`answer/${id}`),
    put(id, attempt, order = newOrder()) {
      const { line, answer } = writeAttempt(attempt);
      counts.attempts += 1;
      const writes: Write[] = [
        { key: `attempt/${id}`, value: `${line} ${order}` },
        { key: `order/${order}`, value: id },
      ];
      if (!answer) return writes;
      counts.keptBytes += answer.length;
      writes.push({ key: `answer/${id}`, value: answer }, { key: `kept/${order}`, value: `${answer.length} ${id}` });
      return writes;
    },
    forget(id, order) {
      counts.attempts -= 1;
      return [remove(`attempt/${id}`), remove(`order/${order}`), ...drop(id, order)];
    },
    drop,
    countsWrite: () => ({ key: "counts", value: JSON.stringify({ atMs: atMs(), ...counts }) }),
    async oldest(count) {
      const found = await list("order/", count);
      return found.map(([key, id]) => ({ id, order: key.slice("order/".length) }));
    },
    async oldestAnswers(count) {
      const found = await list("kept/", count);
      return found.map(([key, text]) => ({ id: text.slice(text.indexOf(" ") + 1), order: key.slice("kept/".length) }));
    },
  };
}

function remove(key: string): Write {
  return { key, value: null };
}
