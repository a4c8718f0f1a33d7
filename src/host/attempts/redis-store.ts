import { randomUUID } from "node:crypto";
import { uptime } from "node:os";
import { type AttemptStore, MAX_ATTEMPTS, MAX_STORED_BYTES, RETENTION_MS, storeFull } from "./attempt-store.ts";
import { type Connected, connectRedis, type ScriptedRedis } from "./redis-connection.ts";
import { KEYS } from "./redis-scripts.ts";
import { actPrefix, readAttempt, writeAttempt } from "./stored-attempt.ts";

export interface RedisStoreOptions {
  url: string;
  /** A clock that never goes back and goes on while the process stands still or the machine sleeps, in ms. */
  elapsedMs?: () => number;
  maxAttempts?: number;
  maxStoredBytes?: number;
  /** Gets a line for whoever runs the host, when Redis cannot be used. */
  report?: (line: string) => void;
}

/** The time without a sign of life after which the others give a host up. */
const ALIVE_MS = 15_000;
const RENEW_MS = 5_000;
/** How long a host trusts its own sign of life: shorter than `ALIVE_MS`, by a margin for what is on its way. */
const TRUSTED_MS = 10_000;

/**
 * Remembers attempts in a Redis that several hosts may share. The name of its memory holds the run id of the Redis: one
 * that was restarted may have lost its last writes, so it counts as another memory, however it stores them.
 */
export function createRedisStore({
  url,
  elapsedMs = () => uptime() * 1000,
  maxAttempts = MAX_ATTEMPTS,
  maxStoredBytes = MAX_STORED_BYTES,
  report = (line) => process.stderr.write(`${line}\n`),
}: RedisStoreOptions): AttemptStore {
  const owner = randomUUID();
  const connection = connectRedis(url, report);
  let aliveAtMs = Number.NEGATIVE_INFINITY;

  /** Runs commands on the connection that stands. Rejects with a StoreUnavailable. */
  async function use<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    try {
      return await work(await connection.connected());
    } catch (error) {
      throw connection.explain(error);
    }
  }

  async function renew(redis: ScriptedRedis): Promise<void> {
    const askedAtMs = elapsedMs();
    await redis.set(KEYS.host(owner), "1", "PX", ALIVE_MS);
    aliveAtMs = askedAtMs;
  }

  // Without an attempt there is nothing that others could give up, and no need to connect.
  let isUsed = false;
  const timer = setInterval(() => {
    if (isUsed) use(({ redis }) => renew(redis)).catch(() => {});
  }, RENEW_MS);
  timer.unref();

  return {
    owner,
    memoryId: () =>
      use(async ({ redis, runId }) => {
        await redis.set(KEYS.memory, randomUUID(), "NX");
        return `${await redis.get(KEYS.memory)}.${runId}`;
      }),
    get: (id) =>
      use(async ({ redis }) => {
        const [line, answer] = await redis.mgetBuffer(KEYS.attempt(id), KEYS.answer(id));
        return line ? readAttempt(line.toString(), answer ?? undefined) : undefined;
      }),
    add: (id, attempt, memory) =>
      use(async ({ redis, runId }) => {
        isUsed = true;
        const [expected = "", expectedRun = runId] = memory?.split(".") ?? [];
        if (expectedRun !== runId) return { kind: "other-memory" };
        const keys = [KEYS.memory, KEYS.attempt(id), KEYS.answer(id), KEYS.host(owner), KEYS.added];
        const words = [randomUUID(), expected, writeAttempt(attempt).line, RETENTION_MS, ALIVE_MS, maxAttempts].map(
          String,
        );
        const askedAtMs = elapsedMs();
        const [kind, line, answer] = await redis.addAttemptBuffer(...keys, ...words);
        if (line) return { kind: "known", attempt: readAttempt(line.toString(), answer ?? undefined) };
        if (kind?.toString() === "full") throw storeFull(maxAttempts);
        if (kind?.toString() !== "added") return { kind: "other-memory" };
        aliveAtMs = askedAtMs;
        return { kind: "added" };
      }),
    replace: (id, attempt) =>
      use(async ({ redis }) => {
        const { line, answer = "" } = writeAttempt(attempt);
        const keys = [KEYS.attempt(id), KEYS.answer(id), KEYS.answers, KEYS.answerBytes];
        const limits = [RETENTION_MS, maxStoredBytes].map(String);
        await redis.replaceAttempt(...keys, actPrefix(attempt), line, answer, id, ...limits, KEYS.answer(""));
      }),
    remove: (id, attempt) =>
      use(async ({ redis }) => {
        await redis.removeAttempt(KEYS.attempt(id), actPrefix(attempt));
      }),
    isAlive: (name) => use(async ({ redis }) => name === owner || (await redis.exists(KEYS.host(name))) === 1),
    mayStillSend: () => {
      const silentMs = elapsedMs() - aliveAtMs;
      return silentMs >= 0 && silentMs < TRUSTED_MS;
    },
    async close() {
      clearInterval(timer);
      // The other hosts then need not wait for `ALIVE_MS`.
      if (isUsed) await use(({ redis }) => redis.del(KEYS.host(owner))).catch(() => {});
      await connection.close();
    },
  };
}
