import type { IncomingHttpHeaders } from "node:http";

/** The browser's half of a session, as it came. */
export interface SessionCookie {
  name: string;
  id: string;
  value: string;
}

const COOKIE = /^(?:__Host-)?safelight-session-([0-9a-f]{1,8})-([\w-]{22})$/;

/**
 * The session cookies of a request that are of one realm. Cookies do not separate ports, so the realm keeps apart what
 * another studio of the same machine has set.
 */
export function readCookies({ cookie = "" }: IncomingHttpHeaders, realm: string): SessionCookie[] {
  return cookie.split(/;\s*/).flatMap((pair) => {
    const equals = pair.indexOf("=");
    const [name, value] = [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)];
    const [, ofRealm, id] = COOKIE.exec(name) ?? [];
    return id !== undefined && ofRealm === realm && /^[\w.-]+$/.test(value) ? [{ name, id, value }] : [];
  });
}

/** The name of a cookie. Browsers take one with the prefix from this very origin only; that needs https. */
export function cookieName(realm: string, id: string, isHttps: boolean): string {
  return `${isHttps ? "__Host-" : ""}safelight-session-${realm}-${id}`;
}

/** The text of a `Set-Cookie` header. It ends with the browser, and no script reads it. */
export function cookieText(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${name.startsWith("__Host-") ? "; Secure" : ""}`;
}

export function removedCookie(name: string): string {
  return `${cookieText(name, "")}; Max-Age=0`;
}
