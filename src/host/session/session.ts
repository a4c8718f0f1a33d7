import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A key that the host has for a page, and the only two addresses that it is sent to. */
export interface Session {
  id: string;
  key: string;
  /** The address as the page names it: absolute, or a path of the host's own sandbox. Without a slash at the end. */
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  /** Digest of whom the access gate had let in; undefined where there is no gate. */
  user: string | undefined;
  /** Digest of the half that the page sends as a header. */
  halfDigest: string;
  openedAtMs: number;
  usedAtMs: number;
}

/** Stores sessions. The cookie is the browser's half: neither a script nor a page of another origin reads it. */
export interface SessionStore {
  /**
   * A name that the hosts with the same sessions share, for the names of cookies: up to 8 hexadecimal digits. Undefined
   * where the sessions are this process's alone.
   */
  realm: string | undefined;
  /** Stores a session and gives the cookie's value. */
  put(session: Session): Promise<string>;
  /** The session of a cookie, or undefined. Never rejects for what a browser sent. */
  get(id: string, cookie: string): Promise<Session | undefined>;
  /** Notes that it is used at `atMs`. Gives a new value for the cookie where the cookie itself holds the time. */
  touch(session: Session, atMs: number): Promise<string | undefined>;
  /** Ends it, at every host that shares the store. Rejects where that could not be written down; it has ended here. */
  end(session: Session): Promise<void>;
  /** Whether it was ended, here or at another host that shares the store. */
  hasEnded(id: string): Promise<boolean>;
  /** Forgets the sessions that are over, if it stores any. */
  sweep(isOver: (session: Session) => boolean): void;
  close(): Promise<void>;
}

/** A random text that nobody guesses, for ids and halves. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Compares in constant time. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const MAX_SESSIONS = 10_000;

/** Stores sessions in this process alone: a restart ends them. Past 10,000, the one that was unused for longest ends. */
export function createMemorySessions(): SessionStore {
  const sessions = new Map<string, { session: Session; cookieDigest: string }>();
  return {
    realm: undefined,
    async put(session) {
      const cookie = randomToken();
      sessions.set(session.id, { session, cookieDigest: digestOf(cookie) });
      const [longestUnused] = sessions.keys();
      if (sessions.size > MAX_SESSIONS && longestUnused !== undefined) sessions.delete(longestUnused);
      return cookie;
    },
    async get(id, cookie) {
      const found = sessions.get(id);
      return found && isEqualInConstantTime(found.cookieDigest, digestOf(cookie)) ? { ...found.session } : undefined;
    },
    async touch({ id }, usedAtMs) {
      const found = sessions.get(id);
      if (!found) return undefined;
      // The map's order is the order of use.
      sessions.delete(id);
      sessions.set(id, { ...found, session: { ...found.session, usedAtMs } });
      return undefined;
    },
    async end({ id }) {
      sessions.delete(id);
    },
    hasEnded: async (id) => !sessions.has(id),
    sweep(isOver) {
      for (const [id, { session }] of sessions) if (isOver(session)) sessions.delete(id);
    },
    async close() {
      sessions.clear();
    },
  };
}
