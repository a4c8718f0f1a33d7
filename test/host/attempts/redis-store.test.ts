import { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Attempt } from "#host/attempts/attempt-store.ts";
import { createRedisStore, type RedisStoreOptions } from "#host/attempts/redis-store.ts";
import { hasRedis, NO_REDIS, type RedisServer, startRedisServer } from "./redis-server.ts";

describe.skipIf(!hasRedis)(hasRedis ? "a Redis" : `a Redis: ${NO_REDIS}`, () => {
  let server: RedisServer;
  let reported: string[];
  beforeEach(async () => {
    // Written before it answers: with one write a second, a Redis that is killed on a busy disk has lost what it answered.
    server = await startRedisServer("--appendonly", "yes", "--appendfsync", "always");
    reported = [];
  });
  afterEach(() => server.stop());

  function open(options: Partial<RedisStoreOptions> = {}) {
    const store = createRedisStore({ url: server.url, report: (line) => reported.push(line), ...options });
    onTestFinished(() => store.close());
    return store;
  }

  const attempt = (owner: string): Attempt => ({ fingerprint: "f", owner, run: 1, state: { kind: "sent" } });

  it("is shared: two hosts see the same attempts, and whether the other is there", async () => {
    const [one, two] = [open(), open()];
    await one.add("a", attempt(one.owner));
    expect(await two.memoryId()).toBe(await one.memoryId());
    expect((await two.add("a", attempt(two.owner))).kind).toBe("known");
    expect(await two.isAlive(one.owner)).toBe(true);
    await one.close();
    expect(await two.isAlive(one.owner)).toBe(false);
  });

  it("gives a host up that gives no sign of life for 15 seconds", async () => {
    const [one, two] = [open(), open()];
    await one.add("a", attempt(one.owner));
    const redis = new Redis(server.url);
    onTestFinished(() => redis.disconnect());
    expect(await redis.pttl(`{safelight}:host:${one.owner}`)).toBeGreaterThan(10_000);
    expect(await redis.pttl(`{safelight}:host:${one.owner}`)).toBeLessThanOrEqual(15_000);
    await redis.del(`{safelight}:host:${one.owner}`);
    expect(await two.isAlive(one.owner)).toBe(false);
  });

  it("does not let a host send that stood still for ten seconds, until it writes again", async () => {
    let nowMs = 0;
    const store = open({ elapsedMs: () => nowMs });
    expect(store.mayStillSend()).toBe(false);
    await store.add("a", attempt(store.owner));
    nowMs = 9_999;
    expect(store.mayStillSend()).toBe(true);
    nowMs = 10_000;
    expect(store.mayStillSend()).toBe(false);
    await store.add("a", attempt(store.owner));
    expect(store.mayStillSend()).toBe(false);
    await store.add("b", attempt(store.owner));
    expect(store.mayStillSend()).toBe(true);
    nowMs = 0;
    expect(store.mayStillSend()).toBe(false);
  });

  it("that is not there is said at once, and used as soon as it is", async () => {
    const store = open();
    await store.add("a", attempt(store.owner));
    await server.kill();
    await expect(store.add("b", attempt(store.owner))).rejects.toThrow(
      /^The Safelight server cannot use its Redis \(.+\)\.$/,
    );
    await expect(open().memoryId()).rejects.toThrow("The Safelight server cannot use its Redis (ECONNREFUSED).");
    await server.start();
    await expect.poll(() => store.get("a")).toMatchObject({ run: 1 });
    expect(reported).toContain("The Redis at SAFELIGHT_REDIS_URL cannot be used (ECONNREFUSED).");
  });

  it("that was started anew is another memory, even with what it had stored", async () => {
    const store = open();
    const name = await store.memoryId();
    await store.add("a", attempt(store.owner), name);
    await server.kill();
    await server.start();
    await expect.poll(() => store.memoryId().catch(() => name)).not.toBe(name);
    expect(await store.add("a", attempt(store.owner), name)).toEqual({ kind: "other-memory" });
    expect((await store.add("a", attempt(store.owner))).kind).toBe("known");
  });

  it("that gives no answer is not waited for, and late commands change nothing", async () => {
    const store = open();
    await store.add("a", attempt(store.owner));
    server.signal("SIGSTOP");
    const commands = [store.get("a"), store.add("b", attempt(store.owner)), store.memoryId(), open().memoryId()];
    for (const command of commands) await expect(command).rejects.toThrow("cannot use its Redis (no response in time)");
    server.signal("SIGCONT");
    await expect.poll(() => store.get("b").catch(() => undefined)).toMatchObject({ run: 1 });
    expect((await store.add("b", { ...attempt(store.owner), run: 2 })).kind).toBe("known");
  });

  it("that may drop attempts for space is refused", async () => {
    const redis = new Redis(server.url);
    onTestFinished(() => redis.disconnect());
    await redis.config("SET", "maxmemory", "100mb");
    await redis.config("SET", "maxmemory-policy", "allkeys-lru");
    await expect(open().memoryId()).rejects.toThrow("(maxmemory-policy allkeys-lru). The policy must be noeviction.");
    await redis.config("SET", "maxmemory-policy", "noeviction");
    const store = open();
    await store.memoryId();
    await redis.config("SET", "maxmemory", "1");
    await expect(store.add("a", attempt(store.owner))).rejects.toThrow("The Safelight server’s Redis is full.");
  });

  it("that asks for a password is named by its refusal, without the address", async () => {
    const redis = new Redis(server.url);
    await redis.config("SET", "requirepass", "secret");
    redis.disconnect();
    await expect(open().memoryId()).rejects.toThrow(
      /^The Safelight server cannot use its Redis \((NOAUTH|WRONGPASS)\)\.$/,
    );
    const url = server.url.replace("redis://", "redis://:secret@");
    expect(await open({ url }).memoryId()).toMatch(/^[\w-]+\.\w+$/);
    expect(reported.join()).not.toContain("secret");
  });
});
