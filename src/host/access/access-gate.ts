import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { HostSettings } from "../host-settings.ts";
import { addressMatcher } from "./access-settings.ts";
import { getClientAddress } from "./peer-address.ts";
import { createTryLimits, type TryLimits } from "./try-limits.ts";

/** Says who may use the studio. */
export interface AccessGate {
  kind: "password" | "header";
  /**
   * The person that a request comes from: what the trusted proxy calls them, or `shared` for everybody who knows the
   * password. Undefined: nobody who may use the studio. `peer` is the address at the other end of the connection.
   */
  userOf(headers: IncomingHttpHeaders, peer: string | undefined): string | undefined;
  /** The header that names the person, if there is one. It must not stand in a request twice. */
  onlyOnce: string | undefined;
}

/** A gate that a password opens. */
export interface PasswordGate extends AccessGate {
  kind: "password";
  /** Compares the password, unless the person has to wait after wrong ones. */
  signIn(headers: IncomingHttpHeaders, peer: string | undefined, password: string): SignInResult;
  /** Ends what a request was let in by, and gives the cookies that the browser is to forget. */
  signOut(headers: IncomingHttpHeaders): string[];
}

/**
 * `setCookies` after the right password; otherwise how long to wait before the next try, in ms, 0 for not at all.
 * `isWrong` is false where the password was not looked at, because the wait is not over.
 */
export type SignInResult = { setCookies: string[] } | { waitMs: number; isWrong: boolean };

type GateSettings = Pick<HostSettings, "access" | "trustedProxies" | "sessionSecret" | "publicOrigin" | "tlsFiles">;

/** The gate that the settings name, or undefined where everybody who reaches the host may use it. */
export function createAccessGate(
  settings: GateSettings,
  { nowMs = Date.now, limits = createTryLimits({ nowMs }) }: { nowMs?: () => number; limits?: TryLimits } = {},
): AccessGate | PasswordGate | undefined {
  const { access, trustedProxies } = settings;
  const isTrusted = addressMatcher(trustedProxies);
  if (access === undefined) return undefined;
  if (access.kind === "password") return passwordGate(access.password, settings, { nowMs, limits, isTrusted });
  const { name } = access;
  return {
    kind: "header",
    onlyOnce: name,
    userOf(headers, peer) {
      const user = headers[name];
      return isTrusted(peer) && typeof user === "string" && isUserName(user) ? user : undefined;
    },
  };
}

function isUserName(name: string): boolean {
  return name.length <= 256 && /^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u.test(name);
}

const DAY_SECONDS = 86_400;
const ACCESS_SECONDS = 7 * DAY_SECONDS;
const DEVICE_SECONDS = 180 * DAY_SECONDS;
const MAX_ENDED = 10_000;
const SHARED_USER = "shared";

interface Parts {
  nowMs: () => number;
  limits: TryLimits;
  isTrusted: (address: string | undefined) => boolean;
}

/**
 * The cookie is a signed value that lasts for a week. It is SameSite=Lax, so that a link to the studio in a mail or a
 * chat opens it: the gate lets a person see the studio's files. Whatever spends money or reads data also checks that
 * the studio's own page asks, and needs the session, whose cookie is SameSite=Strict.
 *
 * A browser that was signed in before holds a second cookie. Its wrong tries are counted apart, so that somebody who
 * tries passwords from the same address does not keep it out.
 */
function passwordGate(password: string, settings: GateSettings, { nowMs, limits, isTrusted }: Parts): PasswordGate {
  const isHttps = settings.tlsFiles !== undefined || settings.publicOrigin?.startsWith("https:") === true;
  const prefix = isHttps ? "__Host-" : "";
  const names = { access: `${prefix}safelight-access`, device: `${prefix}safelight-device` };
  const signingKey = keyFor(settings.sessionSecret, password);
  /** Ids of what was signed out here, with the time of its own end. */
  const ended = new Map<string, number>();

  const sign = (kind: keyof typeof names, body: string) =>
    createHmac("sha256", signingKey).update(`${kind}\0${body}`).digest("base64url");

  function issue(kind: keyof typeof names, seconds: number): string {
    const body = `${randomBytes(16).toString("base64url")}.${(nowMs() + seconds * 1000).toString(36)}`;
    return cookieText(names[kind], `${body}.${sign(kind, body)}`, seconds);
  }

  /** The id in a cookie that this host signed and that has not ended. */
  function idIn(kind: keyof typeof names, headers: IncomingHttpHeaders): string | undefined {
    for (const value of cookiesNamed(names[kind], headers)) {
      const [, body = "", id = "", until = "", signature = ""] =
        /^(([\w-]{22})\.([0-9a-z]{1,12}))\.([\w-]{43})$/.exec(value) ?? [];
      if (id === "" || !isEqual(signature, sign(kind, body))) continue;
      if (Number.parseInt(until, 36) > nowMs() && !ended.has(id)) return id;
    }
    return undefined;
  }

  const cookieText = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;

  return {
    kind: "password",
    onlyOnce: undefined,
    userOf: (headers) => (idIn("access", headers) === undefined ? undefined : SHARED_USER),
    signIn(headers, peer, tried) {
      const client = idIn("device", headers) ?? getClientAddress(headers, peer, isTrusted);
      const waitMs = limits.waitMs(client);
      if (waitMs > 0) return { waitMs, isWrong: false };
      if (!isEqual(tried, password)) return { waitMs: limits.failed(client), isWrong: true };
      limits.succeeded(client);
      return { setCookies: [issue("access", ACCESS_SECONDS), issue("device", DEVICE_SECONDS)] };
    },
    signOut(headers) {
      const id = idIn("access", headers);
      if (id !== undefined) ended.set(id, nowMs() + ACCESS_SECONDS * 1000);
      for (const [old, untilMs] of ended) if (untilMs <= nowMs() || ended.size > MAX_ENDED) ended.delete(old);
      return [cookieText(names.access, "", 0)];
    },
  };
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
