import { mkdir } from "node:fs/promises";
import type { ClassicLevel } from "classic-level";

/** A value to write, or null to remove what is there. */
export interface Write {
  key: string;
  value: Buffer | string | null;
}

/** A LevelDB in a folder. One process at a time may have it open. */
export interface LevelDatabase {
  /** What stands there, writes that are not done yet included. */
  get(key: string): Buffer | undefined;
  /**
   * Writes all or nothing. Resolves when a crash of the process no longer undoes it, or with `sync` a loss of power.
   * After one rejection every write is rejected, until the folder is opened again.
   */
  write(writes: readonly Write[], options: { sync: boolean }): Promise<void>;
  /** The first keys that begin so, with their values; without writes that are not done yet. */
  list(prefix: string, count: number): Promise<[key: string, value: string][]>;
  isBroken(): boolean;
  close(): Promise<void>;
}

/** Opens the folder, and makes it where there is none. Rejects with the error of the system or of LevelDB. */
export async function openLevelDatabase(folder: string): Promise<LevelDatabase> {
  // Loaded late: a platform without a build of it still gets everything else of the host.
  const { ClassicLevel } = await import("classic-level");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Small: what is written here is hardly ever read.
  const memory = { cacheSize: 1024 * 1024, writeBufferSize: 1024 * 1024 };
  const level: ClassicLevel<string, Buffer> = new ClassicLevel(folder, { valueEncoding: "buffer", ...memory });
  try {
    await level.open();
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }

  const unwritten = new Map<string, Write>();
  let next = newBatch();
  let isWriting = false;
  let failure: unknown;

  /** One batch after the other: what comes while one is on its way to the disk goes with the next, in one `fsync`. */
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (next.writes.length > 0) {
      const batch = next;
      next = newBatch();
      try {
        if (failure) throw failure;
        await level.batch(batch.writes.map(operation), { sync: batch.sync });
        for (const write of batch.writes) if (unwritten.get(write.key) === write) unwritten.delete(write.key);
        batch.done.resolve();
      } catch (error) {
        failure ??= error;
        batch.done.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    get(key) {
      const write = unwritten.get(key);
      if (write) return write.value === null ? undefined : Buffer.from(write.value);
      return level.getSync(key);
    },
    write(writes, { sync }) {
      for (const write of writes) unwritten.set(write.key, write);
      next.writes.push(...writes);
      next.sync ||= sync;
      const { promise } = next.done;
      if (!isWriting) void writeAll();
      return promise;
    },
    async list(prefix, limit) {
      const found = await level.iterator({ gte: prefix, lt: `${prefix}\uffff`, limit }).all();
      return found.map(([key, value]) => [key, value.toString()]);
    },
    isBroken: () => failure !== undefined,
    close: () => level.close(),
  };
}

function operation({ key, value }: Write) {
  return value === null ? { type: "del" as const, key } : { type: "put" as const, key, value: Buffer.from(value) };
}

function newBatch() {
  return { writes: [] as Write[], sync: false, done: newPromise() };
}

function newPromise() {
  let resolve = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<void>((...both) => {
    [resolve, reject] = both;
  });
  // Housekeeping waits for none of its writes.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
