import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { HostSettings } from "../host-settings.ts";
import { type EndedSessions, openEndedSessions } from "../session/ended-sessions.ts";
import { addressMatcher } from "./access-settings.ts";
import { getClientAddress } from "./peer-address.ts";
import { createTryLimits, type TryLimits } from "./try-limits.ts";

/** A request as it came in. */
export interface Arrival {
  headers: IncomingHttpHeaders;
  /** The address at the other end of the connection. */
  peer?: string | undefined;
  /** Where this host listens. */
  port?: number | undefined;
}

/** Whom the gate lets in. */
export interface Member {
  /** What the trusted proxy calls them, or `shared` for everybody who knows the password. */
  name: string;
  /** The id of the sign-in, where a password lets people in. */
  signIn: string | undefined;
}

/** Says who may use the studio. */
export interface AccessGate {
  kind: "password" | "header";
  /** The person that a request comes from, or undefined for nobody who may use the studio. */
  memberOf(arrival: Arrival): Promise<Member | undefined>;
  /** The header that names the person, if there is one. It must not stand in a request twice. */
  onlyOnce: string | undefined;
}

/** A gate that a password opens. */
export interface PasswordGate extends AccessGate {
  kind: "password";
  /** Compares the password, unless the person has to wait after wrong ones. It stops waiting when `gone` is aborted. */
  signIn(arrival: Arrival, password: string, gone?: AbortSignal): Promise<SignInResult>;
  /**
   * Ends what a request was let in by. Gives the cookies that the browser is to forget, and whether the end is written
   * down: if not, it has ended at this host, and may live on at another or after a restart.
   */
  signOut(arrival: Arrival): Promise<{ setCookies: string[]; isWritten: boolean }>;
  /** The cookies to remove of those that a request brings: ours by name, and not set by this host or too old. */
  staleCookies(arrival: Arrival): Promise<string[]>;
}

/**
 * `setCookies` after the right password; otherwise how long to wait before the next try, in ms, 0 for not at all.
 * `isWrong` is false where the password was not looked at, because the wait is not over.
 */
export type SignInResult = { setCookies: string[] } | { waitMs: number; isWrong: boolean };

type GateSettings = Pick<HostSettings, "access" | "trustedProxies" | "sessionSecret" | "publicOrigin" | "tlsFiles"> &
  Parameters<typeof openEndedSessions>[0];

interface GateParts {
  nowMs?: () => number;
  /** What was ended before its time, and the time that it is. */
  ended?: EndedSessions;
  limits?: TryLimits;
}

/** The gate that the settings name, or undefined where everybody who reaches the host may use it. */
export function createAccessGate(
  settings: GateSettings,
  {
    nowMs = Date.now,
    ended = openEndedSessions(settings, nowMs),
    limits = createTryLimits({ nowMs: ended.nowMs }),
  }: GateParts = {},
): AccessGate | PasswordGate | undefined {
  const { access, trustedProxies } = settings;
  const isTrusted = addressMatcher(trustedProxies);
  if (access === undefined) return undefined;
  if (access.kind === "password") return passwordGate(access.password, settings, { ended, limits, isTrusted });
  const { name } = access;
  return {
    kind: "header",
    onlyOnce: name,
    async memberOf({ headers, peer }) {
      const user = headers[name];
      const isNamed = isTrusted(peer) && typeof user === "string" && isUserName(user);
      return isNamed ? { name: user, signIn: undefined } : undefined;
    },
  };
}

/** A name of up to 256 bytes. Proxies write UTF-8, whose bytes are no control characters by themselves. */
function isUserName(bytes: string): boolean {
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  const name = text.includes("\uFFFD") ? bytes : text;
  return bytes.length <= 256 && /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u.test(name);
}

const DAY_SECONDS = 86_400;
/** How long the cookies last. */
const SECONDS = { access: 7 * DAY_SECONDS, device: 180 * DAY_SECONDS };
const SHARED_USER = "shared";

interface Parts {
  ended: EndedSessions;
  limits: TryLimits;
  isTrusted: (address: string | undefined) => boolean;
}

type CookieKind = keyof typeof SECONDS;

/**
 * The cookie is a signed value that lasts for a week. It is SameSite=Lax, so that a link to the studio in a mail or a
 * chat opens it: the gate lets a person see the studio's files. Whatever spends money or reads from an API also
 * checks that the studio's own page asks, and needs the session, whose cookie is SameSite=Strict.
 *
 * A browser that was signed in before holds a second cookie. Its wrong tries are counted apart, so that somebody who
 * tries passwords from the same address, or from very many, does not keep it out.
 */
function passwordGate(password: string, settings: GateSettings, { ended, limits, isTrusted }: Parts): PasswordGate {
  const { publicOrigin } = settings;
  const isHttps = settings.tlsFiles !== undefined || publicOrigin?.startsWith("https:") === true;
  const signingKey = keyFor(settings.sessionSecret, password);
  const { nowMs } = ended;

  /**
   * Cookies do not separate ports, so the name of one has the port that people open, unless it is the usual one. Another
   * host of the same machine then neither replaces nor removes it.
   */
  function nameOf(kind: CookieKind, port: number | undefined): string {
    const opened = publicOrigin === undefined ? String(port ?? "") : new URL(publicOrigin).port;
    const name = `${isHttps ? "__Host-" : ""}safelight-${kind}`;
    return opened === "" ? name : `${name}-${opened}`;
  }

  const sign = (kind: CookieKind, body: string) =>
    createHmac("sha256", signingKey).update(`${kind}\0${body}`).digest("base64url");

  function issue(kind: CookieKind, port: number | undefined): string {
    const seconds = SECONDS[kind];
    const body = `${randomBytes(16).toString("base64url")}.${Math.ceil(nowMs() + seconds * 1000).toString(36)}`;
    return cookieText(nameOf(kind, port), `${body}.${sign(kind, body)}`, seconds);
  }

  /** The ids in cookies that this host signed and whose time is not over. */
  async function signedIn(kind: CookieKind, { headers, port }: Arrival): Promise<string[]> {
    // By then the clock knows the time that was written down before a restart.
    await ended.ready();
    return cookiesNamed(nameOf(kind, port), headers).flatMap((value) => {
      const [, body = "", id = "", until = "", signature = ""] =
        /^(([\w-]{22})\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(value) ?? [];
      if (id === "" || !isEqual(signature, sign(kind, body))) return [];
      const leftMs = Number.parseInt(until, 36) - nowMs();
      // One with far more left was made by a host whose clock was wrong. It would live as long as that was.
      return leftMs > 0 && leftMs < 2000 * SECONDS[kind] ? [id] : [];
    });
  }

  /** Those that were not ended either. */
  async function idsIn(kind: CookieKind, arrival: Arrival): Promise<string[]> {
    const ids: string[] = [];
    for (const id of await signedIn(kind, arrival)) if (!(await ended.has(endedName(id)))) ids.push(id);
    return ids;
  }

  const cookieText = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

  return {
    kind: "password",
    onlyOnce: undefined,
    async memberOf(arrival) {
      const [signIn] = await idsIn("access", arrival);
      return signIn === undefined ? undefined : { name: SHARED_USER, signIn };
    },
    async signIn(arrival, tried, gone) {
      const { headers, peer, port } = arrival;
      const [device] = await signedIn("device", arrival);
      const address = getClientAddress(headers, peer, isTrusted);
      const client = device ?? address;
      const isKnown = device !== undefined;
      // Looked at before and after, since others of the same client may have been wrong meanwhile.
      const waitMs =
        limits.waitMs(client) || (isKnown ? 0 : await limits.slowDown(address, gone)) || limits.waitMs(client);
      if (waitMs > 0) return { waitMs, isWrong: false };
      if (!isEqual(tried, password)) return { waitMs: limits.failed(client, isKnown), isWrong: true };
      limits.succeeded(client);
      return { setCookies: [issue("access", port), issue("device", port)] };
    },
    async signOut(arrival) {
      // Also those that count as ended because that cannot be read: the end is written down, or is told not to be.
      const ids = await signedIn("access", arrival);
      const untilMs = nowMs() + 2000 * SECONDS.access;
      const written = await Promise.allSettled(ids.map((id) => ended.add(endedName(id), untilMs)));
      return {
        setCookies: [cookieText(nameOf("access", arrival.port), "", 0)],
        isWritten: written.every(({ status }) => status === "fulfilled"),
      };
    },
    async staleCookies(arrival) {
      const stale: string[] = [];
      for (const kind of ["access", "device"] as const) {
        const name = nameOf(kind, arrival.port);
        const isThere = cookiesNamed(name, arrival.headers).length > 0;
        if (isThere && (await signedIn(kind, arrival)).length === 0) stale.push(cookieText(name, "", 0));
      }
      return stale;
    },
  };
}

/** As it stands among ended sessions, whose ids are shorter. */
function endedName(id: string): string {
  return `access-${id}`;
}

/** The key is made of the password as well: with another one, nobody is signed in any more. */
function keyFor(secret: string | undefined, password: string): Buffer {
  const source = secret ?? randomBytes(32);
  return Buffer.from(hkdfSync("sha256", source, password, "safelight access", 32));
}

const COMPARING_KEY = randomBytes(32);

/** Takes as long for every pair of texts of the same lengths. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHmac("sha256", COMPARING_KEY).update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function cookiesNamed(name: string, { cookie = "" }: IncomingHttpHeaders): string[] {
  return cookie
    .split(/;\s*/)
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
