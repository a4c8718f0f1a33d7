import type { Attempt, AttemptStore } from "../../src/host/attempts/attempt-store.ts";
import type { FaultKind } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

/** How long a Redis believes in a host that has not been heard of, and how long a host believes that it does. */
const LEASE_MS = 15_000;
const TRUSTED_MS = 10_000;

/** What hosts remember attempts in: a folder, which belongs to one host, or a Redis, which several share. */
export interface SimMemory {
  kind: "folder" | "redis";
  id: string;
  attempts: Map<string, Attempt>;
  /** Reads and writes are rejected until then. */
  failsUntilMs: number;
  /** Another folder, another database, or one that has lost its last writes: it has another name. */
  lose(isLost: (id: string) => boolean): void;
}

export function createSimMemory(kind: SimMemory["kind"]): SimMemory {
  const attempts = new Map<string, Attempt>();
  let losses = 0;
  const memory: SimMemory = {
    kind,
    id: "memory-0",
    attempts,
    failsUntilMs: 0,
    lose: (isLost) => {
      losses += 1;
      memory.id = `memory-${losses}`;
      for (const id of attempts.keys()) if (isLost(id)) attempts.delete(id);
    },
  };
  return memory;
}

/** One run of a host, from its start to its crash. */
export interface HostLife {
  owner: string;
  isAlive(): boolean;
  /** When it was last able to renew its lease, by the world's clock and by its own. */
  heard(): { atMs: number; elapsedMs: number };
  /** It has just renewed its lease. */
  noteHeard(): void;
  /** A clock of the host that may have stood still with it. */
  elapsedMs(): number;
  /** One effect of the host: happens unless it is dead, and its result comes back unless it has died since. */
  effect<T>(act: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T>;
}

/** The store of one life of a host, over a memory that survives it. */
export function createSimStore(
  memory: SimMemory,
  life: HostLife,
  lives: ReadonlyMap<string, HostLife>,
  { time, random, note }: { time: VirtualTime; random: Random; note: (fault: FaultKind) => void },
): AttemptStore {
  /** A command reaches the memory, and its result comes back, each a little later. */
  const command = <T>(work: () => T): Promise<T> =>
    life.effect((resolve, reject) => {
      if (time.nowMs() < memory.failsUntilMs) {
        note("store-failed");
        // A write that was rejected may have happened.
        if (random.chance(0.3)) work();
        return time.after(random.between(1, 200), () => reject(new Error("The store failed.")));
      }
      if (random.chance(0.5)) return resolve(work());
      time.after(random.between(0, 10), () => {
        // What a process had not handed to its disk is lost with it; what is on its way to a Redis is not.
        if (memory.kind === "folder" && !life.isAlive()) return;
        const value = work();
        time.after(random.between(0, 10), () => resolve(value));
      });
    });

  const { attempts } = memory;
  /** The record that stands there, unless another act wrote it. */
  const isOwn = (id: string, { owner, run }: Attempt) => {
    const known = attempts.get(id);
    return known === undefined || (known.owner === owner && known.run === run);
  };
  return {
    owner: life.owner,
    memoryId: () => command(() => memory.id),
    get: (id) => command(() => attempts.get(id)),
    add: (id, attempt, expected) =>
      command(() => {
        if (expected !== undefined && expected !== memory.id) return { kind: "other-memory" };
        const known = attempts.get(id);
        if (known) return { kind: "known", attempt: known };
        attempts.set(id, attempt);
        life.noteHeard();
        return { kind: "added" };
      }),
    replace: (id, attempt) => command(() => void (isOwn(id, attempt) && attempts.set(id, attempt))),
    remove: (id, attempt) => command(() => void (isOwn(id, attempt) && attempts.delete(id))),
    isAlive: (owner) =>
      command(() => {
        if (owner === life.owner) return true;
        const other = lives.get(owner);
        return memory.kind === "redis" && other !== undefined && time.nowMs() - other.heard().atMs < LEASE_MS;
      }),
    mayStillSend: () => memory.kind === "folder" || life.elapsedMs() - life.heard().elapsedMs < TRUSTED_MS,
    close: async () => {},
  };
}
