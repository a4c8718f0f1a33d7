import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { isIP } from "node:net";
import { parseUrl } from "#lib/parse-url.ts";
import { isPlainHttpName } from "../host-settings.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayUse } from "./relay-target.ts";

/** What a request is for: a use of the relay, the sandbox beside the studio, or a form of the host's own. */
type GuardedUse = RelayUse | "sandbox" | "form";

// What a page may load as, by its browser's word. Scripts, styles, workers and frames are left out: `script-src 'self'`
// would take them for the studio's own.
const DESTINATIONS: Record<GuardedUse, readonly string[]> = {
  api: ["empty"],
  upload: ["empty"],
  media: ["empty", "image", "video", "audio"],
  sandbox: ["empty", "image", "video", "audio", "document"],
  form: ["document"],
};

/** What says who somebody is, where from, or where to: a second one may be another word than the one that was checked. */
const ONLY_ONCE = [
  "host",
  "origin",
  "authorization",
  "x-api-key",
  "content-length",
  "content-type",
  "transfer-encoding",
  "sec-fetch-site",
  "sec-fetch-mode",
  "sec-fetch-dest",
  "x-safelight-session",
  "x-safelight-intent",
  "x-safelight-memory",
];

/**
 * Throws a RelayRefusal for what no browser sends: two names of the host, of which a proxy may have checked the other
 * one, an address in place of a path, or a header twice that says who somebody is.
 */
export function requireWellFormed(incoming: IncomingMessage | Http2ServerRequest, onlyOnce?: string): void {
  const { headers, rawHeaders, url = "" } = incoming;
  const names = rawHeaders.flatMap((raw, at) => (at % 2 === 0 ? [raw.toLowerCase()] : []));
  const isTwice = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const authority = headers[":authority"];
  const hasOtherHost = authority !== undefined && headers.host !== undefined && headers.host !== authority;
  if (isTwice("host") || hasOtherHost) throw malformed("The request names two hosts.");
  const twice = [...ONLY_ONCE, ...(onlyOnce === undefined ? [] : [onlyOnce])].find(isTwice);
  if (twice !== undefined) throw malformed(`The request has the header ${twice} twice.`);
  // A path that begins with two slashes is another host's, wherever a browser reads it once more.
  if (!/^\/(?!\/)/.test(url)) throw malformed("The request has no path.");
  if (!METHODS.includes(incoming.method ?? ""))
    throw new RelayRefusal(405, "wrong_method", "No page sends this method.");
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Most bytes of a head, as HTTP/2 counts them: 32 for each header on top of its name and value. */
const MAX_HEAD_BYTES = 16_384;
/** Without cookies, which browsers send one by one over HTTP/2. */
const MAX_HEADERS = 100;

/** Whether a request brings more headers than this host takes. The servers below take more, so that they get an answer. */
export function isHeadTooLarge({ rawHeaders, url = "" }: IncomingMessage | Http2ServerRequest): boolean {
  let bytes = url.length;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    const isCookie = name.toLowerCase() === "cookie";
    bytes += name.length + value.length + (isCookie ? 2 : 32);
    if (!isCookie) count += 1;
  }
  return bytes > MAX_HEAD_BYTES || count > MAX_HEADERS;
}

function malformed(message: string): RelayRefusal {
  return new RelayRefusal(400, "malformed", message);
}

/**
 * Throws a RelayRefusal unless the request names this studio. The name must be an address, localhost or the configured
 * public name: any other may have been pointed at this machine by a stranger (DNS rebinding).
 */
export function requireOwnName(headers: IncomingHttpHeaders, publicOrigin: string | undefined): string {
  const host = (headers[":authority"] as string | undefined) ?? headers.host ?? "";
  if (isOwnName(host, publicOrigin)) return host;
  throw refuse(
    `${host} is not a URL of this Safelight server. Set SAFELIGHT_PUBLIC_ORIGIN to the URL that people open.`,
  );
}

/**
 * Throws a RelayRefusal unless the studio's own page asks, under a name of this studio. `method` is given where reading
 * over plain http is allowed: see `isPlainRead`.
 */
export function requireSameOrigin(
  headers: IncomingHttpHeaders,
  use: GuardedUse,
  publicOrigin: string | undefined,
  method?: string,
): void {
  const host = requireOwnName(headers, publicOrigin);
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (origin !== undefined && !isOwnOrigin(origin, host, publicOrigin)) {
    throw refuse("The request comes from another site.");
  }
  if (site !== undefined && site !== "same-origin") throw refuse("The request comes from another site.");
  if (site === undefined && origin === undefined && !isPlainRead(headers, use, publicOrigin, method)) {
    throw refuse("Only Safelight’s own page may request this.");
  }
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && !DESTINATIONS[use].includes(String(destination))) {
    throw refuse(`This URL cannot be loaded as ${destination}.`);
  }
}

/**
 * To a name over plain http browsers do not say which page reads, so reading is let through: an API needs the session's
 * half that only the page has, and no other site sees an answer. What makes the host fetch a file by itself needs a
 * cookie that browsers send for pages of this site alone.
 */
function isPlainRead(
  { cookie = "" }: IncomingHttpHeaders,
  use: GuardedUse,
  publicOrigin: string | undefined,
  method: string | undefined,
): boolean {
  if (!isPlainHttpName(publicOrigin) || (method !== "GET" && method !== "HEAD")) return false;
  if (use === "media") return /(^|;\s*)safelight-session-/.test(cookie);
  return use === "api" || use === "sandbox";
}

/**
 * Throws a RelayRefusal for a request of another site's page. A program, which names no site, may ask, and so may a person
 * who types the address. It is for the sandbox of one's own machine, which has nobody's data and is there for both.
 */
export function requireNoOtherSite(headers: IncomingHttpHeaders, publicOrigin: string | undefined): void {
  const { origin, "sec-fetch-site": site } = headers;
  const isNoPage = origin === undefined && (site === undefined || site === "none");
  if (!isNoPage) requireSameOrigin(headers, "sandbox", publicOrigin);
}

function isOwnName(host: string, publicOrigin: string | undefined): boolean {
  const url = parseUrl(`http://${host}`);
  if (url?.pathname !== "/" || url.username !== "") return false;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || isIP(name) !== 0 || (publicOrigin !== undefined && hostOf(publicOrigin) === host);
}

/**
 * Whether an origin is the studio's. The public origin is, whatever name the request has for the host, since a proxy may
 * have put its own name there. Under the public name no other origin is: plain http may have been changed on its way.
 */
function isOwnOrigin(origin: string, host: string, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined && (origin === publicOrigin || hostOf(publicOrigin) === host)) {
    return origin === publicOrigin;
  }
  return hostOf(origin) === host;
}

function hostOf(origin: string): string | undefined {
  return parseUrl(origin)?.host;
}

function refuse(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_same_origin", message);
}
