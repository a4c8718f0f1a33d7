import { createHash, createSecretKey, scryptSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { asNumber, asRecord, asText, parseSafely } from "#lib/read.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { type Session, type SessionStore, SharedMap } from "./session.ts";

/**
 * How old the time of the last use in a cookie may get before the cookie is sealed anew. A restarted host knows that time
 * alone.
 */
const RESEAL_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Stores no sessions: the cookie is the session, encrypted (A256GCM) under the secret, so that restarts and several hosts
 * with one secret share it. A session that was ended before its time stands in `ended`.
 */
export function createSealedSessions(
  secret: string,
  ended: EndedSessions,
  { idleMs, maxAgeMs }: { idleMs: number; maxAgeMs: number },
): SessionStore {
  // Slow on purpose: other servers of the machine receive the cookie, and could try secrets on it at leisure.
  const bytes = scryptSync(secret, "safelight session", 32);
  const sealKey = createSecretKey(bytes);
  const resealMs = Math.min(RESEAL_MS, idleMs / 10);
  const seal = (session: Session) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify(session)))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(sealKey);
  async function open(id: string, cookie: string): Promise<Session | undefined> {
    const opened = await compactDecrypt(cookie, sealKey, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
    }).catch(() => undefined);
    const session = opened && readSession(parseSafely(new TextDecoder().decode(opened.plaintext)));
    return session?.id === id ? session : undefined;
  }
  /** When this host sealed a cookie anew: requests that are under way still bring the one before. */
  const sealedAtMs = new SharedMap<number>(MAX_REMEMBERED);
  return {
    realm: createHash("sha256").update("realm").update(bytes).digest("hex").slice(0, 8),
    put: seal,
    opens: open,
    async get(id, cookie) {
      const session = await open(id, cookie);
      return session && !(await ended.has(id)) ? session : undefined;
    },
    async touch(session, usedAtMs) {
      const lastMs = Math.max(session.usedAtMs, sealedAtMs.get(session.id) ?? 0);
      if (usedAtMs - lastMs < resealMs) return undefined;
      sealedAtMs.set(session.id, usedAtMs, session.user ?? "");
      return seal({ ...session, usedAtMs });
    },
    end: ({ id, openedAtMs }) => ended.add(id, openedAtMs + maxAgeMs),
    hasEnded: (id) => ended.has(id),
    sweep: () => void ended.noteTime(),
    async close() {},
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
  const [user, member] = [asText(record.user), asText(record.member)];
  return { id, key, halfDigest, queueBaseUrl, inferenceBaseUrl, openedAtMs, usedAtMs, user, member };
}
