import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { connectRedis } from "../attempts/redis-connection.ts";

/** Ids of sessions that were ended, until they would have ended by themselves. */
export interface EndedSessions {
  has(id: string): Promise<boolean>;
  /** Rejects where it cannot be written down; the id counts as ended at this host all the same. */
  add(id: string, untilMs: number): Promise<void>;
  close(): Promise<void>;
}

type Clock = () => number;

/** Remembers ended sessions in a file of this host, beyond a restart. Without a file, as long as the process lives. */
export function endedInFile(path: string | undefined, nowMs: Clock = Date.now): EndedSessions {
  let reading: Promise<Map<string, number>> | undefined;
  /** What this process ended, also where the file cannot be read. */
  const endedHere = new Map<string, number>();
  const read = async () => {
    if (path === undefined) return new Map<string, number>();
    const text = await readFile(path, "utf8").catch(nothingYet);
    const known = forgetPast(new Map(text.split("\n").flatMap(entryOf)), nowMs());
    // Written anew at a start, so it does not grow for ever, and a line that was cut by a crash does not spoil the next.
    if (linesOf(known) === text) return known;
    await writeFile(`${path}.new`, linesOf(known), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
    return known;
  };
  const readOnce = () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  return {
    async has(id) {
      if (endedHere.has(id)) return true;
      // A file that cannot be read may name any session, so each counts as ended.
      return readOnce().then(
        (all) => all.has(id),
        () => true,
      );
    },
    async add(id, untilMs) {
      endedHere.set(id, untilMs);
      forgetPast(endedHere, nowMs());
      if (path === undefined) return;
      await readOnce();
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, linesOf(new Map([[id, untilMs]])), { mode: 0o600, flush: true });
    },
    async close() {},
  };
}

function nothingYet(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
  throw error;
}

function entryOf(line: string): [string, number][] {
  const [, id, untilMs] = /^([\w-]+) (\d+)$/.exec(line) ?? [];
  return id === undefined ? [] : [[id, Number(untilMs)]];
}

function forgetPast(ended: Map<string, number>, nowMs: number): Map<string, number> {
  for (const [id, untilMs] of ended) if (untilMs <= nowMs) ended.delete(id);
  return ended;
}

function linesOf(ended: Map<string, number>): string {
  return [...ended].map(([id, untilMs]) => `${id} ${untilMs}\n`).join("");
}

/**
 * Remembers ended sessions in the Redis that several hosts share. While it cannot be reached, only what this host ended
 * itself counts as ended. Reads still work then; submits are refused anyway, since their attempts cannot be written down.
 */
export function endedInRedis(url: string, nowMs: Clock = Date.now): EndedSessions {
  const connection = connectRedis(url, () => {});
  const endedHere = new Map<string, number>();
  const nameOf = (id: string) => `safelight:ended-session:${id}`;
  return {
    async has(id) {
      if (endedHere.has(id)) return true;
      const found = await connection
        .connected()
        .then(({ redis }) => redis.exists(nameOf(id)))
        .catch(() => 0);
      return found > 0;
    },
    async add(id, untilMs) {
      endedHere.set(id, untilMs);
      forgetPast(endedHere, nowMs());
      const { redis } = await connection.connected();
      await redis.set(nameOf(id), "1", "PX", Math.max(1, Math.round(untilMs - nowMs())));
    },
    close: () => connection.close(),
  };
}
