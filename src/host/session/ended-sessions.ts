import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connectRedis } from "../attempts/redis-connection.ts";
import type { HostSettings } from "../host-settings.ts";

/**
 * What was ended before its time, until it would have ended by itself: ids of sessions, and of sign-ins. And the time
 * that it is: what was forgotten since it was over must not live again where the machine's clock goes back.
 */
export interface EndedSessions {
  /** The time in ms. It never goes back, also not over a restart where the ids outlive one. */
  nowMs(): number;
  /** Resolves when the time is known that was written down before. Never rejects. */
  ready(): Promise<void>;
  has(id: string): Promise<boolean>;
  /** Rejects where it cannot be written down; the id counts as ended at this host all the same. */
  add(id: string, untilMs: number): Promise<void>;
  /** Writes the time down, if that is due. Never rejects. */
  noteTime(): Promise<void>;
  close(): Promise<void>;
}

type Clock = () => number;

/** How much of the time a restart may lose where the machine's clock goes back meanwhile. */
const NOTE_EVERY_MS = 10 * 60_000;

/** A clock that goes on from the latest time it has shown where the machine's goes back. */
function steadyClock(clock: Clock) {
  let lastMs = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  const nowMs = () => {
    const atMs = clock();
    if (atMs < lastMs) aheadMs += lastMs - atMs;
    lastMs = atMs;
    return atMs + aheadMs;
  };
  return {
    nowMs,
    notBefore(ms: number): void {
      aheadMs += Math.max(0, ms - nowMs());
    },
  };
}

type EndedSettings = Pick<HostSettings, "sessionSecret" | "redisUrl" | "dataFolder" | "port">;

/** The memory that the settings name. Without a secret a restart ends everything anyway, so nothing is written down. */
export function openEndedSessions(settings: EndedSettings, clock: Clock = Date.now): EndedSessions {
  const { sessionSecret, redisUrl, dataFolder, port } = settings;
  if (sessionSecret === undefined) return endedInFile(undefined, clock);
  if (redisUrl !== undefined) return endedInRedis(redisUrl, clock);
  return endedInFile(port === 0 ? undefined : join(dataFolder, `ended-sessions-${port}`), clock);
}

/** Remembers what ended in a file of this host, beyond a restart. Without a file, as long as the process lives. */
export function endedInFile(path: string | undefined, clock: Clock = Date.now): EndedSessions {
  const { nowMs, notBefore } = steadyClock(clock);
  let reading: Promise<Map<string, number>> | undefined;
  let notedMs = Number.NEGATIVE_INFINITY;
  /** What this process ended, also where the file cannot be read. */
  const endedHere = new Map<string, number>();
  const read = async () => {
    if (path === undefined) return new Map<string, number>();
    const text = await readFile(path, "utf8").catch(nothingYet);
    const lines = text.split("\n");
    for (const line of lines) notBefore(Number(/^\.latest (\d{1,15})$/.exec(line)?.[1] ?? Number.NEGATIVE_INFINITY));
    notedMs = nowMs();
    const known = forgetPast(new Map(lines.flatMap(entryOf)), notedMs);
    // Written anew at a start, so it does not grow for ever, and a line that was cut by a crash does not spoil the next.
    if (linesOf(known) === text) return known;
    await writeFile(`${path}.new`, linesOf(known) + timeLine(notedMs), { mode: 0o600, flush: true });
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
  const append = async (lines: string) => {
    if (path === undefined) return;
    await readOnce();
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await appendFile(path, lines, { mode: 0o600, flush: true });
  };
  const noteTime = async (everyMs: number) => {
    const atMs = nowMs();
    if (atMs - notedMs < everyMs) return;
    notedMs = atMs;
    await append(timeLine(atMs)).catch(() => {});
  };
  return {
    nowMs,
    ready: () =>
      readOnce().then(
        () => {},
        () => {},
      ),
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
      await append(linesOf(new Map([[id, untilMs]])));
    },
    noteTime: () => noteTime(NOTE_EVERY_MS),
    close: () => noteTime(1),
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

function timeLine(ms: number): string {
  return `.latest ${Math.max(0, Math.round(ms))}\n`;
}

const nameOf = (id: string) => `safelight:ended-session:${id}`;
/** No id has a dot. */
const LATEST = nameOf(".latest");

/**
 * Remembers what ended in the Redis that several hosts share. While it cannot be reached, only what this host ended
 * itself counts as ended. Reads still work then; submits are refused anyway, since their attempts cannot be written down.
 */
export function endedInRedis(url: string, clock: Clock = Date.now): EndedSessions {
  const connection = connectRedis(url, () => {});
  const { nowMs, notBefore } = steadyClock(clock);
  let reading: Promise<void> | undefined;
  let notedMs = Number.NEGATIVE_INFINITY;
  const readOnce = () => {
    reading ??= readLatest().catch(() => {
      reading = undefined;
    });
    return reading;
  };
  const readLatest = async () => {
    const { redis } = await connection.connected();
    notBefore(Number((await redis.get(LATEST)) ?? Number.NEGATIVE_INFINITY));
  };
  const noteTime = async (everyMs: number) => {
    const atMs = nowMs();
    if (atMs - notedMs < everyMs) return;
    notedMs = atMs;
    await readOnce();
    const { redis } = await connection.connected();
    if (Number((await redis.get(LATEST)) ?? 0) < atMs) await redis.set(LATEST, String(Math.round(atMs)));
  };
  const endedHere = new Map<string, number>();
  return {
    nowMs,
    ready: readOnce,
    async has(id) {
      if (endedHere.has(id)) return true;
      await readOnce();
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
    noteTime: () => noteTime(NOTE_EVERY_MS).catch(() => {}),
    async close() {
      await noteTime(1).catch(() => {});
      await connection.close();
    },
  };
}
