import { createHash, createSecretKey, scryptSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { asNumber, asRecord, asText, parseSafely } from "#lib/read.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import type { Session, SessionStore } from "./session.ts";

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
  /** When this host sealed a cookie anew: requests that are under way still bring the one before. */
  const sealedAtMs = new Map<string, number>();
  return {
    realm: createHash("sha256").update("realm").update(bytes).digest("hex").slice(0, 8),
    put: seal,
    async get(id, cookie) {
      const opened = await compactDecrypt(cookie, sealKey, {
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
      }).catch(() => undefined);
      const session = opened && readSession(parseSafely(new TextDecoder().decode(opened.plaintext)));
      if (!session || session.id !== id || (await ended.has(id))) return undefined;
      return session;
    },
    async touch(session, usedAtMs) {
      const lastMs = Math.max(session.usedAtMs, sealedAtMs.get(session.id) ?? 0);
      if (usedAtMs - lastMs < resealMs) return undefined;
      // Moved to the end: the map is in the order of use.
      sealedAtMs.delete(session.id);
      sealedAtMs.set(session.id, usedAtMs);
      const [oldest] = sealedAtMs.keys();
      if (sealedAtMs.size > MAX_REMEMBERED && oldest !== undefined) sealedAtMs.delete(oldest);
      return seal({ ...session, usedAtMs });
    },
    end: ({ id, openedAtMs }) => ended.add(id, openedAtMs + maxAgeMs),
    hasEnded: (id) => ended.has(id),
    sweep() {},
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
