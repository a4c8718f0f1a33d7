import type { IncomingHttpHeaders } from "node:http";
import type { HostSettings } from "../host-settings.ts";
import { type EndedSessions, openEndedSessions } from "./ended-sessions.ts";
import { createSealedSessions } from "./sealed-sessions.ts";
import {
  createMemorySessions,
  digestOf,
  isEqualInConstantTime,
  randomToken,
  type Session,
  type SessionStore,
  SharedMap,
} from "./session.ts";
import { formatDuration, noSession, REASON_UNKNOWN, tooManySessions } from "./session-refusals.ts";

/** The header with the page's half: `<id>.<half>`. */
const SESSION_HEADER = "x-safelight-session";
const TICKET = /^([\w-]{22})\.([\w-]{43})$/;
/** Each tab may have one of its own. */
const MAX_IN_BROWSER = 24;
/** A server takes 16 kB of headers, and each request brings all of them. */
const MAX_COOKIE_BYTES = 10 * 1024;
/** The time without use after which a session makes room for a new one: its tab may be gone. */
const STALE_MS = 60 * 60_000;
/** How often sessions with requests under way are checked for an end at another host. */
const WATCH_MS = 1000;
const SWEEP_MS = 60_000;
const MAX_REASONS = 10_000;

interface SessionLimits {
  /** The time without use after which a session ends. */
  idleMs: number;
  /** The time after its opening at which every session ends. */
  maxAgeMs: number;
}

/** Who asks, and where. */
export interface SessionRequest {
  headers: IncomingHttpHeaders;
  /** The page's origin is https. */
  isHttps: boolean;
  /** Where this host listens. */
  port: number | undefined;
  /** Whom the access gate has let in. */
  user: string | undefined;
  /** By which sign-in, where everybody is one user. */
  signIn?: string | undefined;
}

/** A session that was found for a request. */
export interface ActiveSession {
  session: Session;
  /** Aborted when the session is ended while the request is under way. */
  signal: AbortSignal;
  /** The cookie to set on the answer, where it has to be given anew. */
  setCookie: string | undefined;
  /** Has to be called when the request is over. */
  release: () => void;
}

export type Sessions = ReturnType<typeof openSessions>;

interface SessionParts {
  nowMs?: () => number;
  /** What was ended before its time, and the time that it is. It is closed with the sessions. */
  ended?: EndedSessions;
}

type SessionSettings = Pick<HostSettings, "sessionSecret" | "redisUrl" | "dataFolder" | "port">;

/**
 * The sessions of this host. A request belongs to one by two halves: the cookie, which no script reads, and the header,
 * which no other server of this machine receives although cookies do not separate ports. Either alone opens nothing.
 */
export function openSessions(
  settings: SessionSettings,
  { idleMs, maxAgeMs }: SessionLimits,
  { nowMs: clock = Date.now, ended = openEndedSessions(settings, clock) }: SessionParts = {},
) {
  const { sessionSecret } = settings;
  const { nowMs } = ended;
  const store: SessionStore =
    sessionSecret === undefined
      ? createMemorySessions()
      : createSealedSessions(sessionSecret, ended, { idleMs, maxAgeMs });
  const underWay = createUnderWay();
  /** Why sessions ended by themselves, for the tabs that ask later. */
  const reasons = new SharedMap<string>(MAX_REASONS);

  const realmOf = ({ port }: SessionRequest) => store.realm ?? (port ?? 0).toString(16);
  const cookiesOf = (asked: SessionRequest, values: "sealed" | "any value" = "sealed") =>
    readCookies(asked, realmOf(asked)).filter(({ value }) => values === "any value" || SEALED_FORM.test(value));

  async function find(id: string, asked: SessionRequest, get: SessionStore["get"]) {
    for (const cookie of cookiesOf(asked)) {
      const session = cookie.id === id ? await get(id, cookie.value) : undefined;
      if (session) return { session, cookie };
    }
    return undefined;
  }

  /**
   * The session of a request; undefined where its cookie is missing or its session over. Throws a RelayRefusal where the
   * page's half or the user is another one.
   */
  async function findOwn({ id, half }: Ticket, asked: SessionRequest, get = store.get) {
    const found = await find(id, asked, get);
    if (!found) return undefined;
    const { halfDigest, user } = found.session;
    if (!isEqualInConstantTime(halfDigest, digestOf(half)) || user !== userDigest(asked))
      throw noSession(REASON_UNKNOWN);
    return found;
  }

  /** Why a session is over by itself; undefined while it is not. */
  function reasonOf(session: Session): string | undefined {
    const { usedAtMs, openedAtMs } = session;
    const atMs = nowMs();
    // A time far ahead is of a host whose clock was wrong: the session would live as long as that was.
    const [isIdle, isOld] = [atMs - usedAtMs > idleMs, Math.abs(atMs - openedAtMs) > maxAgeMs];
    if (!isIdle && !isOld) return undefined;
    const reason = isOld
      ? `The session ended after ${formatDuration(maxAgeMs)}.`
      : `The session ended after ${formatDuration(idleMs)} without use.`;
    noteReason(session, reason);
    return reason;
  }

  function noteReason({ id, user }: Session, reason: string): void {
    reasons.set(id, reason, user ?? "");
  }

  /**
   * Ends sessions and the requests under way. These are aborted once more after the end was stored, since others may have
   * begun meanwhile. Resolves with whether every end could be stored.
   */
  async function endAll(sessions: Session[]): Promise<boolean> {
    for (const { id } of sessions) underWay.abort(id);
    const written = await Promise.allSettled(sessions.map((session) => store.end(session)));
    for (const { id } of sessions) underWay.abort(id);
    return written.every(({ status }) => status === "fulfilled");
  }

  /** Makes room among a browser's cookies for one of these bytes. Gives the names of those to remove. */
  async function makeRoom(bytes: number, asked: SessionRequest): Promise<string[]> {
    const removed: string[] = [];
    const live: { session: Session; name: string; bytes: number }[] = [];
    for (const { id, name, value } of cookiesOf(asked)) {
      const session = await store.get(id, value);
      if (session && !reasonOf(session)) live.push({ session, name, bytes: `${name}=${value}; `.length });
      else removed.push(name);
    }
    live.sort((a, b) => a.session.usedAtMs - b.session.usedAtMs);
    const sum = () => live.reduce((all, each) => all + each.bytes, bytes);
    while (live.length >= MAX_IN_BROWSER || sum() > MAX_COOKIE_BYTES) {
      const longestUnused = live.shift();
      if (!longestUnused || nowMs() - longestUnused.session.usedAtMs < STALE_MS) throw tooManySessions(live.length + 1);
      noteReason(longestUnused.session, "The session was replaced by another connection of this browser.");
      await endAll([longestUnused.session]);
      removed.push(longestUnused.name);
    }
    return removed;
  }

  /** Ends what is under way of sessions that have ended elsewhere, or are as old as they may be. */
  async function watch(): Promise<void> {
    await Promise.all(
      underWay.sessions().map(async ({ id, endsAtMs }) => {
        if (nowMs() > endsAtMs || (await store.hasEnded(id))) underWay.abort(id);
      }),
    );
  }

  let isWatching = false;
  const watcher = setInterval(async () => {
    if (isWatching) return;
    isWatching = true;
    await watch();
    isWatching = false;
  }, WATCH_MS).unref();
  const sweep = () => store.sweep((session) => reasonOf(session) !== undefined);
  const sweeper = setInterval(sweep, SWEEP_MS).unref();

  return {
    idleMs,
    maxAgeMs,
    /** How many sessions have requests under way. */
    underWay: () => underWay.sessions().length,
    /** Forgets the keys of sessions that are over. Done once a minute. */
    sweep,

    /**
     * Takes a key. Gives the page's half, and the cookie for the browser. Throws a RelayRefusal where the browser holds
     * too many already.
     */
    async open(order: Pick<Session, "key" | "queueBaseUrl" | "inferenceBaseUrl">, asked: SessionRequest) {
      await ended.ready();
      const [id, half, atMs] = [randomToken(16), randomToken(), nowMs()];
      const times = { openedAtMs: atMs, usedAtMs: atMs };
      const whose = { user: userDigest(asked), member: asked.user };
      const session: Session = { ...order, id, halfDigest: digestOf(half), ...whose, ...times };
      const removed = await makeRoom(maxCookieBytes(session), asked);
      const name = cookieName(realmOf(asked), id, asked.isHttps);
      const setCookies = [...removed.map(removedCookie), cookieText(name, await store.put(session, ownerOf(asked)))];
      return { session, ticket: `${id}.${half}`, setCookies };
    },

    /** The session of a request. Throws a RelayRefusal of kind `no_session` where it has none, or an ended one. */
    async require(asked: SessionRequest): Promise<ActiveSession> {
      const ticket = ticketOf(asked);
      if (!ticket) throw noSession(REASON_UNKNOWN);
      // Noted before the session is looked up, so that an end meanwhile is not missed.
      const { signal, release, endsAt } = underWay.add(ticket.id);
      try {
        const found = await findOwn(ticket, asked);
        if (!found) throw noSession(reasons.get(ticket.id) ?? REASON_UNKNOWN);
        const { session, cookie } = found;
        const endReason = reasonOf(session);
        if (endReason !== undefined) {
          await store.end(session).catch(() => {});
          throw noSession(endReason);
        }
        endsAt(session.openedAtMs + maxAgeMs);
        const value = await store.touch(session, nowMs());
        if (signal.aborted) throw noSession(REASON_UNKNOWN);
        return { session, signal, setCookie: value && cookieText(cookie.name, value), release };
      } catch (error) {
        release();
        throw error;
      }
    },

    /** The sessions of a request’s cookies alone: of the browser, and of the user whom the gate let in. */
    async ofBrowser(asked: SessionRequest): Promise<Session[]> {
      await ended.ready();
      const cookies = cookiesOf(asked).slice(0, MAX_CHECKED);
      const found = await Promise.all(cookies.map(({ id, value }) => store.get(id, value)));
      const user = userDigest(asked);
      return found.flatMap((session) => (session && session.user === user && !reasonOf(session) ? session : []));
    },

    /**
     * Ends the session of a request and, unless `onlyThis`, every other one of this browser with the same key for the same
     * service. Requests under way are cut. Gives the cookies to remove, and whether the end is written down: if not, the
     * session has ended at this host, and may live on at another or after a restart. Throws a RelayRefusal where only one
     * half is right.
     */
    async end(asked: SessionRequest, { onlyThis = false } = {}): Promise<{ setCookies: string[]; isWritten: boolean }> {
      const ticket = ticketOf(asked);
      if (!ticket) throw noSession(REASON_UNKNOWN);
      // Also where it counts as ended because that cannot be read: the end is written down, or is told not to be.
      const own = await findOwn(ticket, asked, store.opens);
      const ending = new Map<string, Session>();
      const names = new Set<string>();
      for (const { id, name, value } of cookiesOf(asked)) {
        const session = own && (await store.opens(id, value));
        const isSameAccount = session?.key === own?.session.key && session?.queueBaseUrl === own?.session.queueBaseUrl;
        if (session && (onlyThis ? id === ticket.id : isSameAccount)) ending.set(id, session);
        if (id === ticket.id || ending.has(id)) names.add(name);
      }
      const isWritten = await endAll([...ending.values()]);
      return { setCookies: [...names].map(removedCookie), isWritten };
    },

    /**
     * The cookies to remove of those that a request brings: ours by their names, and not set by this host, or too old.
     * So many are looked at, and the next answers remove the others.
     */
    async staleCookies(asked: SessionRequest): Promise<string[]> {
      await ended.ready();
      const names = new Set<string>();
      const live = new Set<string>();
      for (const { id, name, value } of cookiesOf(asked, "any value").slice(0, MAX_CHECKED)) {
        const session = SEALED_FORM.test(value) ? await store.opens(id, value) : undefined;
        (session && !reasonOf(session) ? live : names).add(name);
      }
      return [...names].filter((name) => !live.has(name)).map(removedCookie);
    },

    async close(): Promise<void> {
      clearInterval(watcher);
      clearInterval(sweeper);
      for (const { id } of underWay.sessions()) underWay.abort(id);
      await store.close();
      await ended.close();
    },
  };
}

interface Ticket {
  id: string;
  half: string;
}

function ticketOf({ headers }: SessionRequest): Ticket | undefined {
  const [, id, half] = TICKET.exec(String(headers[SESSION_HEADER] ?? "")) ?? [];
  return id === undefined || half === undefined ? undefined : { id, half };
}

/** Whose entries make room where there are too many: the user’s, or the sign-in’s where everybody is one user. */
export function ownerOf(asked: SessionRequest): string {
  return `${userDigest(asked)} ${asked.signIn}`;
}

function userDigest({ user }: SessionRequest): string | undefined {
  return user === undefined ? undefined : digestOf(user);
}

/** The most bytes that a sealed cookie of a session takes: in base64, with 160 for its name and the parts of the seal. */
function maxCookieBytes(session: Session): number {
  return Math.ceil((Buffer.byteLength(JSON.stringify(session)) * 4) / 3) + 160;
}

// The cookies of sessions.

/** The browser's half of a session, as it came. */
interface SessionCookie {
  name: string;
  id: string;
  value: string;
}

const SEALED_FORM = /^[\w.-]+$/;
/** How many cookies of one request are checked for being stale. */
const MAX_CHECKED = 40;
const COOKIE = /^(__Host-)?safelight-session-([0-9a-f]{1,8})-([\w-]{22})$/;

/**
 * The session cookies of a request that are of one realm. Cookies do not separate ports, so the realm keeps apart what
 * another studio of the same machine has set.
 */
function readCookies({ headers: { cookie = "" }, isHttps }: SessionRequest, realm: string): SessionCookie[] {
  return cookie.split(/;\s*/).flatMap((pair) => {
    const equals = pair.indexOf("=");
    const [name, value] = [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)];
    const [, prefix, cookieRealm, id] = COOKIE.exec(name) ?? [];
    // Over https, one without the prefix may have been set by anybody who shares the name of this host.
    const isOwn = cookieRealm === realm && (prefix !== undefined) === isHttps;
    return id !== undefined && isOwn ? [{ name, id, value }] : [];
  });
}

/** The name of a cookie. Browsers take one with the prefix from this very origin only; that needs https. */
function cookieName(realm: string, id: string, isHttps: boolean): string {
  return `${isHttps ? "__Host-" : ""}safelight-session-${realm}-${id}`;
}

/** The text of a `Set-Cookie` header. It ends with the browser, and no script reads it. */
function cookieText(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${name.startsWith("__Host-") ? "; Secure" : ""}`;
}

function removedCookie(name: string): string {
  return `${cookieText(name, "")}; Max-Age=0`;
}

interface Requests {
  controllers: Set<AbortController>;
  endsAtMs: number;
}

/** The requests that are under way at this host, by session, so that they end with it. */
function createUnderWay() {
  const all = new Map<string, Requests>();
  return {
    /** Ids of sessions with requests under way, and when each ends by itself. */
    sessions: () => [...all].map(([id, { endsAtMs }]) => ({ id, endsAtMs })),

    /** Notes a request. Its signal is aborted with the session; `release` is to be called when it is over. */
    add(id: string) {
      const controller = new AbortController();
      const requests = all.get(id) ?? { controllers: new Set(), endsAtMs: Number.POSITIVE_INFINITY };
      all.set(id, requests);
      requests.controllers.add(controller);
      return {
        signal: controller.signal,
        endsAt(ms: number) {
          requests.endsAtMs = ms;
        },
        release() {
          requests.controllers.delete(controller);
          if (requests.controllers.size === 0 && all.get(id) === requests) all.delete(id);
        },
      };
    },

    abort(id: string): void {
      const requests = all.get(id);
      all.delete(id);
      for (const controller of requests?.controllers ?? []) controller.abort();
    },
  };
}
