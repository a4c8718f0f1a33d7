import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import type { HostSettings } from "../host-settings.ts";
import { RelayRefusal } from "../relay/relay-refusal.ts";
import { createSealedSessions, endedInFile, endedInRedis } from "./sealed-sessions.ts";
import { createMemorySessions, digestOf, isSame, randomToken, type Session, type SessionStore } from "./session.ts";

/** The header with the page's half: `<id>.<half>`. */
const SESSION_HEADER = "x-safelight-session";
const COOKIE = /^(?:__Host-)?safelight-session-([\w-]{22})$/;
/** Each may take 2 kB of every request to this host, and a server takes 16 kB of headers. */
const MOST_IN_BROWSER = 6;

export interface SessionLimits {
  /** Ends a session that was not used for so long. */
  idleMs: number;
  /** Ends every session so long after it was opened. */
  mostAgeMs: number;
}

/** A session that was found for a request. */
export interface HeldSession {
  session: Session;
  /** Aborted when the session is ended while the request is under way. */
  signal: AbortSignal;
  /** To be set on the answer, where the cookie has to be given anew. */
  setCookie: string | undefined;
  /** To be called when the request is over. */
  release: () => void;
}

export type Sessions = ReturnType<typeof openSessions>;

type SessionSettings = Pick<HostSettings, "sessionSecret" | "redisUrl" | "dataFolder" | "port">;

/** The store that the settings name. */
function storeOf({ sessionSecret, redisUrl, dataFolder, port }: SessionSettings, mostAgeMs: number): SessionStore {
  if (sessionSecret === undefined) return createMemorySessions();
  const file = port === 0 ? undefined : join(dataFolder, `ended-sessions-${port}`);
  const ended = redisUrl === undefined ? endedInFile(file) : endedInRedis(redisUrl);
  return createSealedSessions(sessionSecret, ended, mostAgeMs);
}

/**
 * The sessions of this host. A request belongs to one by two halves: the cookie, which no script reads, and the header,
 * which no other server of this machine receives although cookies do not separate ports. Either alone opens nothing.
 */
export function openSessions(
  settings: SessionSettings,
  { idleMs, mostAgeMs }: SessionLimits,
  { nowMs = Date.now, store = storeOf(settings, mostAgeMs) }: { nowMs?: () => number; store?: SessionStore } = {},
) {
  /** Requests that are under way, by session. */
  const underWay = new Map<string, Set<AbortController>>();

  async function sessionOf(id: string, headers: IncomingHttpHeaders): Promise<Session | undefined> {
    for (const { value } of cookiesOf(headers).filter((cookie) => cookie.id === id)) {
      const session = await store.get(id, value);
      if (session) return session;
    }
    return undefined;
  }

  function abort(id: string): void {
    for (const controller of underWay.get(id) ?? []) controller.abort();
    underWay.delete(id);
  }

  return {
    idleMs,
    mostAgeMs,
    isSealed: settings.sessionSecret !== undefined,

    /**
     * Takes a key. Gives the page's half, and the cookie for the browser. Throws a RelayRefusal where the browser holds
     * too many already.
     */
    async open(
      order: Pick<Session, "key" | "queueBaseUrl" | "inferenceBaseUrl" | "user">,
      headers: IncomingHttpHeaders,
      isHttps: boolean,
    ) {
      const known = new Set(cookiesOf(headers).map(({ id }) => id));
      const stale: string[] = [];
      for (const id of known) if (!(await sessionOf(id, headers))) stale.push(id);
      if (known.size - stale.length >= MOST_IN_BROWSER) {
        const message = `This browser has ${MOST_IN_BROWSER} connections open at this studio. Forget the key of one first.`;
        throw new RelayRefusal(409, "too_many_sessions", message);
      }
      const [id, half, atMs] = [randomToken(16), randomToken(), nowMs()];
      const session: Session = { ...order, id, halfDigest: digestOf(half), openedAtMs: atMs, usedAtMs: atMs };
      const value = await store.put(session);
      return {
        session,
        ticket: `${id}.${half}`,
        setCookies: [...stale.map((old) => removedCookie(old, isHttps)), cookieText(id, value, isHttps)],
      };
    },

    /** The session of a request. Throws a RelayRefusal of kind `no_session` where there is none, or none any more. */
    async require(headers: IncomingHttpHeaders, user: string | undefined, isHttps: boolean): Promise<HeldSession> {
      const [id = "", half = ""] = String(headers[SESSION_HEADER] ?? "").split(".");
      const session = id === "" ? undefined : await sessionOf(id, headers);
      if (!session || !isSame(session.halfDigest, digestOf(half)) || session.user !== user) throw noSession(GONE);
      const atMs = nowMs();
      if (atMs - session.openedAtMs > mostAgeMs || atMs - session.usedAtMs > idleMs) {
        const isIdle = atMs - session.usedAtMs > idleMs;
        await store.end(session).catch(() => {});
        throw noSession(isIdle ? `It was not used for ${inWords(idleMs)}.` : `It was open for ${inWords(mostAgeMs)}.`);
      }
      const value = await store.touch(session, atMs);
      const controller = new AbortController();
      const all = underWay.get(id) ?? new Set();
      underWay.set(id, all.add(controller));
      return {
        session,
        signal: controller.signal,
        setCookie: value && cookieText(id, value, isHttps),
        release() {
          all.delete(controller);
          if (all.size === 0 && underWay.get(id) === all) underWay.delete(id);
        },
      };
    },

    /**
     * Ends the session of a request, and every other one of this browser that holds the same key for the same service.
     * What is under way is cut. Gives the cookies to remove. Rejects where the end could not be written down: the session
     * has ended at this host, and may live on at another.
     */
    async end(headers: IncomingHttpHeaders, isHttps: boolean): Promise<string[]> {
      const [id = ""] = String(headers[SESSION_HEADER] ?? "").split(".");
      const own = await sessionOf(id, headers);
      const ending = new Map(own ? [[own.id, own]] : []);
      for (const cookie of own ? cookiesOf(headers) : []) {
        const other = await store.get(cookie.id, cookie.value);
        if (other?.key === own?.key && other?.queueBaseUrl === own?.queueBaseUrl && other) ending.set(other.id, other);
      }
      for (const ended of ending.keys()) abort(ended);
      await Promise.all([...ending.values()].map((session) => store.end(session)));
      return [...new Set([id, ...ending.keys()])].filter(isId).map((gone) => removedCookie(gone, isHttps));
    },

    async close(): Promise<void> {
      for (const id of [...underWay.keys()]) abort(id);
      await store.close();
    },
  };
}

const GONE = "It was restarted, or the key was forgotten.";

function noSession(why: string): RelayRefusal {
  return new RelayRefusal(
    401,
    "no_session",
    `This studio's host holds no key for this page any more. ${why} Nothing was sent.`,
  );
}

function inWords(ms: number): string {
  const hours = Math.round(ms / 3_600_000);
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  if (hours >= 2) return `${hours} hours`;
  return `${Math.max(1, Math.round(ms / 60_000))} minutes`;
}

const isId = (id: string) => /^[\w-]{22}$/.test(id);

function cookiesOf({ cookie = "" }: IncomingHttpHeaders): { id: string; value: string }[] {
  return cookie.split(/;\s*/).flatMap((pair) => {
    const equals = pair.indexOf("=");
    const id = COOKIE.exec(pair.slice(0, equals))?.[1];
    return id === undefined ? [] : [{ id, value: pair.slice(equals + 1) }];
  });
}

/** The prefix makes browsers refuse the cookie from anywhere but this very origin; it needs https. */
const cookieName = (id: string, isHttps: boolean) => `${isHttps ? "__Host-" : ""}safelight-session-${id}`;

function cookieText(id: string, value: string, isHttps: boolean): string {
  return `${cookieName(id, isHttps)}=${value}; Path=/; HttpOnly; SameSite=Strict${isHttps ? "; Secure" : ""}`;
}

function removedCookie(id: string, isHttps: boolean): string {
  return `${cookieText(id, "", isHttps)}; Max-Age=0`;
}
