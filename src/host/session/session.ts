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
  /** Their name as the gate gave it. Nothing shows it. */
  member: string | undefined;
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
  /** Stores a session and gives the cookie's value. `owner` is whose sessions make room where there are too many. */
  put(session: Session, owner: string): Promise<string>;
  /** The session of a cookie, also where it was ended; undefined where this host did not set that cookie. */
  opens(id: string, cookie: string): Promise<Session | undefined>;
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

/**
 * A map with a bound that nobody reaches at the cost of others: past `max`, the owner with the most entries loses the one
 * that was set first.
 */
export class SharedMap<T> {
  readonly #entries = new Map<string, { value: T; owner: string }>();
  readonly #owned = new Map<string, Set<string>>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(id: string): T | undefined {
    return this.#entries.get(id)?.value;
  }

  /** Puts it last in line. */
  set(id: string, value: T, owner: string): void {
    this.delete(id);
    this.#entries.set(id, { value, owner });
    const owned = this.#owned.get(owner) ?? new Set();
    this.#owned.set(owner, owned.add(id));
    if (this.#entries.size > this.#max) this.#dropOne();
  }

  /** Changes what stands there, as the last in line of the same owner. */
  renew(id: string, value: T): void {
    const owner = this.#entries.get(id)?.owner;
    if (owner !== undefined) this.set(id, value, owner);
  }

  delete(id: string): void {
    const owner = this.#entries.get(id)?.owner;
    if (owner === undefined) return;
    this.#entries.delete(id);
    const owned = this.#owned.get(owner);
    owned?.delete(id);
    if (owned?.size === 0) this.#owned.delete(owner);
  }

  *[Symbol.iterator](): Generator<[string, T]> {
    for (const [id, { value }] of this.#entries) yield [id, value];
  }

  #dropOne(): void {
    let most: Set<string> = new Set();
    for (const owned of this.#owned.values()) if (owned.size > most.size) most = owned;
    const [first] = most;
    if (first !== undefined) this.delete(first);
  }
}

const MAX_SESSIONS = 10_000;

interface StoredSession {
  session: Session;
  cookieDigest: string;
  owner: string;
}

/**
 * Stores sessions in this process alone: a restart ends them. Past 10,000 that were opened and never used, and past 10,000
 * others, whoever has the most of them loses the one that was unused for longest.
 */
export function createMemorySessions(): SessionStore {
  const unused = new SharedMap<StoredSession>(MAX_SESSIONS);
  const used = new SharedMap<StoredSession>(MAX_SESSIONS);
  const find = (id: string) => used.get(id) ?? unused.get(id);
  const get = async (id: string, cookie: string) => {
    const found = find(id);
    return found && isEqualInConstantTime(found.cookieDigest, digestOf(cookie)) ? { ...found.session } : undefined;
  };
  return {
    realm: undefined,
    async put(session, owner) {
      const cookie = randomToken();
      unused.set(session.id, { session, cookieDigest: digestOf(cookie), owner }, owner);
      return cookie;
    },
    get,
    opens: get,
    async touch({ id }, usedAtMs) {
      const found = find(id);
      if (!found) return undefined;
      unused.delete(id);
      used.set(id, { ...found, session: { ...found.session, usedAtMs } }, found.owner);
      return undefined;
    },
    async end({ id }) {
      unused.delete(id);
      used.delete(id);
    },
    hasEnded: async (id) => !find(id),
    sweep(isOver) {
      for (const kept of [unused, used]) {
        for (const [id, { session }] of kept) if (isOver(session)) kept.delete(id);
      }
    },
    async close() {
      for (const kept of [unused, used]) for (const [id] of kept) kept.delete(id);
    },
  };
}
