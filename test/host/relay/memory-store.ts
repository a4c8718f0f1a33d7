import type { Attempt, AttemptStore } from "#host/attempts/attempt-store.ts";

/** What several hosts remember together, in a test's own memory. */
export interface SharedMemory {
  name: string;
  attempts: Map<string, Attempt>;
  alive: Set<string>;
}

export interface MemoryStore extends AttemptStore {
  /** Commands that are rejected from now on; `after` the write was done all the same. */
  failing: Partial<Record<"add" | "replace" | "remove" | "get", "before" | "after">>;
  isTrusted: boolean;
  /** Resolves when the host gives this command the next time. */
  nextCommand(name: keyof MemoryStore["failing"]): Promise<void>;
}

export function sharedMemory(): SharedMemory {
  return { name: "memory-1", attempts: new Map(), alive: new Set() };
}

/** One host's view of a shared memory. */
export function memoryStore(memory: SharedMemory, owner: string): MemoryStore {
  memory.alive.add(owner);
  const awaited = new Map<string, (() => void)[]>();
  const command = async <T>(name: keyof MemoryStore["failing"], work: () => T): Promise<T> => {
    await Promise.resolve();
    for (const heard of awaited.get(name)?.splice(0) ?? []) heard();
    if (store.failing[name] === "before") throw new Error(`${name} failed`);
    const done = work();
    if (store.failing[name] === "after") throw new Error(`${name} failed`);
    return done;
  };
  const isOthers = (known: Attempt | undefined, attempt: Attempt) =>
    known !== undefined && (known.owner !== attempt.owner || known.run !== attempt.run);
  const store: MemoryStore = {
    owner,
    failing: {},
    isTrusted: true,
    nextCommand: (name) => new Promise((heard) => void awaited.set(name, [...(awaited.get(name) ?? []), heard])),
    memoryId: async () => memory.name,
    get: (id) => command("get", () => memory.attempts.get(id)),
    add: (id, attempt, name) =>
      command("add", () => {
        if (name !== undefined && name !== memory.name) return { kind: "other-memory" };
        const known = memory.attempts.get(id);
        if (known) return { kind: "known", attempt: known };
        memory.attempts.set(id, attempt);
        return { kind: "added" };
      }),
    replace: (id, attempt) =>
      command("replace", () => {
        if (!isOthers(memory.attempts.get(id), attempt)) memory.attempts.set(id, attempt);
      }),
    remove: (id, attempt) =>
      command("remove", () => {
        if (!isOthers(memory.attempts.get(id), attempt)) memory.attempts.delete(id);
      }),
    isAlive: async (name) => memory.alive.has(name),
    mayStillSend: () => store.isTrusted,
    close: async () => {},
  };
  return store;
}
