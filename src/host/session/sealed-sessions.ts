import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CompactEncrypt, compactDecrypt } from "jose";
import { asNumber, asRecord, asText } from "#lib/read.ts";
import { connectRedis } from "../attempts/redis-connection.ts";
import type { Session, SessionStore } from "./session.ts";

/** A cookie is sealed anew after so much use, so that a restarted host knows when it was used last. */
const RESEAL_MS = 5 * 60_000;
const MOST_REMEMBERED = 10_000;

/** Ids of sessions that were ended, until they would have ended by themselves. */
export interface EndedSessions {
  has(id: string): Promise<boolean>;
  add(id: string, untilMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Holds nothing: the cookie is the session, encrypted (A256GCM) under the secret, so that restarts and several hosts with
 * one secret share it. What was ended before its time stands in `ended`.
 */
export function createSealedSessions(secret: string, ended: EndedSessions, mostAgeMs: number): SessionStore {
  const sealKey = new Uint8Array(createHash("sha256").update(`safelight session\0${secret}`).digest());
  const seal = (session: Session) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify(session)))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(sealKey);
  /** When this host sealed a cookie anew: requests that are under way still bring the one before. */
  const sealedAtMs = new Map<string, number>();
  return {
    put: seal,
    async get(id, cookie) {
      const opened = await compactDecrypt(cookie, sealKey, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
      }).catch(() => undefined);
      const session = opened && readSession(JSON.parse(new TextDecoder().decode(opened.plaintext)));
      if (!session || session.id !== id || (await ended.has(id))) return undefined;
      return session;
    },
    async touch(session, usedAtMs) {
      const lastMs = Math.max(session.usedAtMs, sealedAtMs.get(session.id) ?? 0);
      if (usedAtMs - lastMs < RESEAL_MS) return undefined;
      sealedAtMs.delete(session.id);
      sealedAtMs.set(session.id, usedAtMs);
      const [oldest] = sealedAtMs.keys();
      if (sealedAtMs.size > MOST_REMEMBERED && oldest !== undefined) sealedAtMs.delete(oldest);
      return seal({ ...session, usedAtMs });
    },
    end: ({ id, openedAtMs }) => ended.add(id, openedAtMs + mostAgeMs),
    close: () => ended.close(),
  };
}

function readSession(raw: unknown): Session | undefined {
  const record = asRecord(raw);
  const [id, key, halfDigest] = [asText(record.id), asText(record.key), asText(record.halfDigest)];
  const [queueBaseUrl, inferenceBaseUrl] = [asText(record.queueBaseUrl), asText(record.inferenceBaseUrl)];
  const [openedAtMs, usedAtMs] = [asNumber(record.openedAtMs), asNumber(record.usedAtMs)];
  if (id === undefined || key === undefined || halfDigest === undefined) return undefined;
  if (queueBaseUrl === undefined || inferenceBaseUrl === undefined) return undefined;
  if (openedAtMs === undefined || usedAtMs === undefined) return undefined;
  const user = asText(record.user);
  return { id, key, halfDigest, queueBaseUrl, inferenceBaseUrl, openedAtMs, usedAtMs, user };
}

/** In a file of this host, so that a restart remembers them. Without a file, as long as the process lives. */
export function endedInFile(path: string | undefined, nowMs: () => number = Date.now): EndedSessions {
  let reading: Promise<Map<string, number>> | undefined;
  const read = async () => {
    const text = path === undefined ? "" : await readFile(path, "utf8").catch(() => "");
    const lines = text.split("\n").map((line) => line.split(" ") as [string, string]);
    const known = new Map(lines.map(([id, untilMs]) => [id, Number(untilMs)]).filter(isOpen(nowMs())));
    // Rewritten once for each start, so it does not grow for ever.
    if (path !== undefined && known.size < lines.length - 1) await writeFile(path, linesOf(known), { mode: 0o600 });
    return known;
  };
  return {
    async has(id) {
      reading ??= read();
      return (await reading).has(id);
    },
    async add(id, untilMs) {
      reading ??= read();
      (await reading).set(id, untilMs);
      if (path === undefined) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await appendFile(path, linesOf(new Map([[id, untilMs]])), { mode: 0o600 });
    },
    async close() {},
  };
}

function isOpen(nowMs: number) {
  return (entry: (string | number)[]): entry is [string, number] => typeof entry[1] === "number" && entry[1] > nowMs;
}

function linesOf(ended: Map<string, number>): string {
  return [...ended].map(([id, untilMs]) => `${id} ${untilMs}\n`).join("");
}

/**
 * In the Redis that several hosts share. While it cannot be reached, only what this host ended itself counts as ended:
 * reading goes on, and submits are refused for want of the memory of attempts anyway.
 */
export function endedInRedis(url: string): EndedSessions {
  const connection = connectRedis(url, () => {});
  const own = new Set<string>();
  const nameOf = (id: string) => `safelight:ended-session:${id}`;
  return {
    async has(id) {
      if (own.has(id)) return true;
      const found = await connection
        .connected()
        .then(({ redis }) => redis.exists(nameOf(id)))
        .catch(() => 0);
      return found > 0;
    },
    async add(id, untilMs) {
      own.add(id);
      const { redis } = await connection.connected();
      await redis.set(nameOf(id), "1", "PX", Math.max(1, untilMs - Date.now()));
    },
    close: () => connection.close(),
  };
}
