import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Attempt,
  type AttemptState,
  type AttemptStore,
  RETENTION_MS,
  StoreUnavailable,
} from "#host/attempts/attempt-store.ts";
import { createLevelStore } from "#host/attempts/level-store.ts";
import { createRedisStore } from "#host/attempts/redis-store.ts";
import { hasRedis, NO_REDIS, type RedisServer, startRedisServer } from "./redis-server.ts";

interface Limits {
  maxAttempts?: number;
  maxStoredBytes?: number;
}

interface Place {
  /** A host that remembers there. */
  open(limits?: Limits): AttemptStore;
  /** Lets time pass by the clock of the store. */
  pass(ms: number): Promise<void>;
  /** Forgets everything, the name of the memory included. */
  clear(): Promise<void>;
  end(): Promise<void>;
}

async function levelPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "safelight-level-"));
  let nowMs = 0;
  return {
    open: (limits) => createLevelStore({ folder: () => folder, elapsedMs: () => nowMs, ...limits }),
    pass: async (ms) => {
      nowMs += ms;
    },
    clear: async () => rmSync(folder, { recursive: true, force: true }),
    end: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function redisPlace(): Promise<Place> {
  const server: RedisServer = await startRedisServer();
  const redis = new Redis(server.url);
  return {
    open: (limits) => createRedisStore({ url: server.url, ...limits }),
    pass: async (ms) => {
      for (const key of await redis.keys("*")) {
        const leftMs = await redis.pttl(key);
        if (leftMs >= 0) await redis.pexpire(key, Math.max(leftMs - ms, 0));
      }
      // The ends of kept answers stand in their list.
      const kept = "{safelight}:kept";
      const ends = await redis.lrange(kept, 0, -1);
      const earlier = ends.map((entry) => entry.replace(/^\d+/, (endsMs) => String(Number(endsMs) - ms)));
      await Promise.all(earlier.map((entry, at) => redis.lset(kept, at, entry)));
    },
    clear: async () => {
      await redis.flushall();
    },
    end: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}

const answered = (text: string): AttemptState => ({
  kind: "answered",
  answer: { status: 200, headers: { "content-type": "text/plain", "x-two": ["a", "b"] }, body: Buffer.from(text) },
});

describe.each([
  { name: "LevelDB", start: levelPlace, isThere: true },
  { name: hasRedis ? "Redis" : `Redis: ${NO_REDIS}`, start: redisPlace, isThere: hasRedis },
])("attempts in $name", ({ start, isThere }) => {
  let place: Place;
  let store: AttemptStore;
  beforeAll(async () => {
    if (isThere) place = await start();
  });
  beforeEach((context) => {
    if (!isThere) context.skip();
    store = place.open();
  });
  afterEach(async () => {
    await store?.close();
    await place?.clear();
  });
  afterAll(() => place?.end());

  const attempt = (state: AttemptState = { kind: "sent" }, run = 1): Attempt => ({
    fingerprint: "fingerprint",
    owner: store.owner,
    run,
    state,
  });

  /** The same memory, opened by a host that was started anew. */
  async function restart(limits?: Limits) {
    await store.close();
    store = place.open(limits);
  }

  it("adds an attempt once, and gives it back after a restart", async () => {
    const first = attempt();
    expect(await store.get("a")).toBeUndefined();
    expect(await store.add("a", first)).toEqual({ kind: "added" });
    expect(await store.add("a", attempt(undefined, 2))).toEqual({ kind: "known", attempt: first });
    await restart();
    expect(await store.get("a")).toEqual(first);
  });

  it("adds one of many that come at once", async () => {
    const all = Array.from({ length: 50 }, (_, run) => store.add("a", attempt(undefined, run)));
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "added")).toEqual(["added"]);
  });

  it("keeps an answer with its bytes, its headers and its age", async () => {
    const bytes = Buffer.from([0, 10, 255, 128, 13, 10]);
    const answer = { status: 429, headers: { a: "b", c: ["d", "e"] }, body: bytes };
    await store.add("a", attempt());
    await place.pass(RETENTION_MS - 60_000);
    await store.replace("a", attempt({ kind: "answered", answer }));
    await restart();
    expect((await store.get("a"))?.state).toEqual({ kind: "answered", answer });
    await place.pass(60_000);
    expect(await store.get("a")).toBeUndefined();
  });

  it("forgets after 24 hours, and not before", async () => {
    await store.add("a", attempt());
    await place.pass(RETENTION_MS - 60_000);
    expect((await store.add("a", attempt(undefined, 2))).kind).toBe("known");
    await place.pass(60_000);
    expect(await store.get("a")).toBeUndefined();
    expect((await store.add("a", attempt(undefined, 3))).kind).toBe("added");
    expect((await store.get("a"))?.run).toBe(3);
  });

  it("leaves what another act wrote when a late write comes", async () => {
    const other = attempt(undefined, 2);
    await store.add("a", other);
    await store.remove("a", attempt(undefined, 1));
    await store.replace("a", attempt({ kind: "unknown" }, 1));
    await store.replace("a", { ...attempt({ kind: "unknown" }, 2), owner: "another-host" });
    expect(await store.get("a")).toEqual(other);
    await store.remove("a", other);
    expect(await store.get("a")).toBeUndefined();
  });

  it("writes an outcome also where the record is gone", async () => {
    await store.replace("a", attempt({ kind: "unknown" }));
    expect((await store.add("a", attempt(undefined, 2))).kind).toBe("known");
  });

  it("refuses another attempt when it is full, until the oldest are 24 hours old", async () => {
    await restart({ maxAttempts: 3 });
    for (const id of ["a", "b", "c"]) await store.add(id, attempt());
    await expect(store.add("d", attempt())).rejects.toThrow(StoreUnavailable);
    await expect(store.add("d", attempt())).rejects.toThrow("recorded 3 runs in the last 24 hours");
    expect((await store.add("a", attempt())).kind).toBe("known");
    await place.pass(RETENTION_MS + 3_600_000);
    expect((await store.add("d", attempt())).kind).toBe("added");
  });

  it("drops the oldest answers for space, and never an attempt", async () => {
    await restart({ maxStoredBytes: 1000 });
    for (const id of ["a", "b", "c", "d"]) {
      await store.add(id, attempt());
      await store.replace(id, attempt(answered("x".repeat(300))));
    }
    const kinds = [];
    for (const id of ["a", "b", "c", "d"]) kinds.push((await store.get(id))?.state.kind);
    expect(kinds).toEqual(["unknown", "unknown", "answered", "answered"]);
    expect((await store.add("a", attempt())).kind).toBe("known");
  });

  it("gives the space of answers back that were forgotten", async () => {
    await restart({ maxStoredBytes: 1000 });
    await store.add("a", attempt());
    await store.replace("a", attempt(answered("x".repeat(500))));
    await place.pass(RETENTION_MS);
    for (const id of ["a", "b"]) {
      await store.add(id, attempt());
      await store.replace(id, attempt(answered("x".repeat(350))));
    }
    expect((await store.get("a"))?.state.kind).toBe("answered");
    expect((await store.get("b"))?.state.kind).toBe("answered");
  });

  it("keeps its name over a restart, and adds only in the memory that was asked for", async () => {
    const name = await store.memoryId();
    await restart();
    expect(await store.memoryId()).toBe(name);
    expect(await store.add("a", attempt(), "another")).toEqual({ kind: "other-memory" });
    expect(await store.get("a")).toBeUndefined();
    expect(await store.add("a", attempt(), name)).toEqual({ kind: "added" });
    await store.close();
    await place.clear();
    store = place.open();
    expect(await store.add("a", attempt(), name)).toEqual({ kind: "other-memory" });
    expect(await store.memoryId()).not.toBe(name);
  });

  it("knows itself as alive, and the host before the restart as gone", async () => {
    await store.add("a", attempt());
    const before = store.owner;
    expect(await store.isAlive(before)).toBe(true);
    expect(store.mayStillSend()).toBe(true);
    await restart();
    expect(store.owner).not.toBe(before);
    expect(await store.isAlive(before)).toBe(false);
  });

  it("rejects everything once it is closed", async () => {
    await store.add("a", attempt());
    await store.close();
    await expect(store.add("b", attempt())).rejects.toThrow(StoreUnavailable);
    await expect(store.get("a")).rejects.toThrow(StoreUnavailable);
  });
});
