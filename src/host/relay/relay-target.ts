import { parseUrl } from "#lib/parse-url.ts";
import { type HostSettings, isForThisMachine, isLoopbackBind } from "../host-settings.ts";
import { type Session, SharedMap } from "../session/session.ts";
import { RelayRefusal } from "./relay-refusal.ts";

/** What a relayed request is for. Each use has its own methods, headers and allowed hosts. */
export type RelayUse = "api" | "upload" | "media";

export interface RelayTarget {
  use: RelayUse;
  /** The host's own sandbox, which is reached without a network. Its `origin` is only a name then. */
  isSandbox: boolean;
  /** Address upstream. Its path and query are exactly the characters the page sent. */
  origin: string;
  hostname: string;
  pathAndQuery: string;
}

const METHODS: Record<RelayUse, readonly string[]> = {
  api: ["GET", "POST", "DELETE"],
  upload: ["PUT"],
  media: ["GET", "HEAD"],
};

const SANDBOX_FORM = /^\/relay\/api(\/sandbox\/[^#]*)$/;
const FORM = /^\/relay\/(api|upload|media)\/(https?)\/([^/?#]+)(\/[^#]*)?$/;

/**
 * Reads where a request to the relay wants to go. The form is in `relay-routes.ts`. Anything that is not in its one
 * plain spelling (a number for an address, a user name, capitals, a trailing dot) is no target: undefined.
 */
export function readRelayTarget(rawUrl: string): RelayTarget | undefined {
  const ownPath = SANDBOX_FORM.exec(rawUrl)?.[1];
  if (ownPath !== undefined) {
    const name = "the sandbox";
    return { use: "api", isSandbox: true, origin: name, hostname: name, pathAndQuery: ownPath };
  }
  const found = FORM.exec(rawUrl);
  if (!found) return undefined;
  const [, use, scheme, host = "", pathAndQuery = "/"] = found;
  const origin = `${scheme}://${host}`;
  const url = parseUrl(origin);
  // The parser turns 0x7f.1 into 127.0.0.1 and drops user names: what it had to change was not plain.
  if (url?.origin !== origin || url.hostname.endsWith(".")) return undefined;
  const hostname = bareHostname(url.hostname);
  return { use: use as RelayUse, isSandbox: false, origin, hostname, pathAndQuery };
}

export function isMethodAllowed(use: RelayUse, method: string): boolean {
  return METHODS[use].includes(method);
}

/** An IPv6 address without its brackets; any other host as it is. */
function bareHostname(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/**
 * `configured`: to the addresses of SAFELIGHT_UPSTREAMS. `typed`: to what a person typed, on their own machine. `off`:
 * nowhere but the sandbox.
 */
type RelayMode = "configured" | "typed" | "off";

/**
 * Which addresses a name may turn out to have: those of the public internet, those of this machine's loopback, or any
 * for an origin that SAFELIGHT_UPSTREAMS lists by name.
 */
export type Reach = "public" | "loopback" | "listed";

interface RelayPolicy {
  mode: RelayMode;
  /** What the settings list; patterns among the storage. */
  listed: { origins: readonly string[]; storage: readonly string[] };
  /** Throws a RelayRefusal for the address of a service that a person may not type. `ownPort`: where this host listens. */
  requireTyped(origin: string, ownPort: number | undefined): void;
  /** Lets a session, whose page asks for it, use a file host. Throws a RelayRefusal where that may not be. */
  allow(origin: string, session: Session, owner: string, ownPort: number | undefined): void;
  /**
   * Throws a RelayRefusal unless the settings list the target or one of these sessions may use it. Returns how far it may
   * reach.
   */
  require(target: RelayTarget, sessions: readonly Session[], ownPort: number | undefined): Reach;
  /**
   * The same for a place to which the file host `from` redirects. Where a person’s word is the rule, a public https
   * address at its usual port need not have been named: the service chose its storage, and the storage this. To this
   * machine only what runs on it may redirect.
   */
  requireNext(target: RelayTarget, from: RelayTarget, sessions: readonly Session[], ownPort: number | undefined): Reach;
}

/** The settings that say where the relay may go. */
export type RelaySettings = Pick<HostSettings, "host" | "upstreams" | "publicOrigin" | "access" | "trustedProxies">;

/** File hosts of all sessions together: see `SharedMap`. */
const MAX_ALLOWED = 10_000;

/** The rules of where the relay may go, by the settings of the host and by the sessions of a browser. */
export function createRelayPolicy(settings: RelaySettings): RelayPolicy {
  const { host, upstreams } = settings;
  const mode: RelayMode = upstreams ? "configured" : isLoopbackBind(host) ? "typed" : "off";
  const mayReachThisMachine = isForThisMachine(settings);
  const listed = { origins: upstreams?.origins ?? [], storage: upstreams?.storagePatterns ?? [] };
  const allowed = new SharedMap<true>(MAX_ALLOWED);
  const isAllowed = ({ origin, use }: RelayTarget, session: Session) =>
    serviceOrigins(session).includes(origin) || (use !== "api" && allowed.get(`${session.id} ${origin}`) === true);

  function requireReachable(origin: string, ownPort: number | undefined): "public" | "loopback" {
    const { protocol, port } = new URL(origin);
    if (port !== "" && BLOCKED_PORTS.has(Number(port)))
      throw notAllowed(`No browser connects to port ${port}, nor does Safelight.`);
    if (!isThisMachine(origin)) {
      if (protocol === "https:") return "public";
      throw notAllowed(mayReachThisMachine ? HTTPS_OR_THIS_MACHINE : HTTPS_ONLY);
    }
    if (!mayReachThisMachine) throw notAllowed(onThisMachine(origin));
    if (isOwn(origin, ownPort)) throw ownAddress(origin);
    return "loopback";
  }

  return {
    mode,
    listed,
    requireTyped(origin, ownPort) {
      if (mode === "typed") requireReachable(origin, ownPort);
      else if (!listed.origins.includes(origin)) throw notAllowed(NOT_LISTED[mode](origin));
    },
    allow(origin, session, owner, ownPort) {
      if (mode !== "typed") throw notAllowed(NOT_LISTED[mode](origin));
      const reach = requireReachable(origin, ownPort);
      const service = serviceOrigins(session);
      // A service elsewhere must not send the page to what runs here.
      if (reach === "loopback" && !(service.length > 0 && service.every(isThisMachine))) {
        throw notAllowed(`${origin} is on this machine, but the service that gave this URL is not.`);
      }
      allowed.set(`${session.id} ${origin}`, true, owner);
    },
    require(target, sessions, ownPort) {
      const { origin, use } = target;
      if (mode === "typed") {
        if (sessions.some((session) => isAllowed(target, session))) return requireReachable(origin, ownPort);
      } else if (listed.origins.includes(origin)) {
        return "listed";
      } else if (use !== "api" && listed.storage.some((pattern) => matches(origin, pattern))) {
        return "public";
      }
      throw notAllowed(NOT_LISTED[mode](origin));
    },
    requireNext(target, from, sessions, ownPort) {
      if (mode !== "typed") return this.require(target, sessions, ownPort);
      const { origin } = target;
      const { protocol, port } = new URL(origin);
      if (protocol === "https:" && port === "") return "public";
      if (isThisMachine(origin) && !isThisMachine(from.origin)) throw notAllowed(FROM_ELSEWHERE);
      // What one session has here is not for a service of another session to lead to.
      const own = isThisMachine(origin) ? sessions.filter((session) => isAllowed(from, session)) : sessions;
      if (own.some((session) => isAllowed(target, session))) return requireReachable(origin, ownPort);
      throw notAllowed(HTTPS_REDIRECTS_ONLY);
    },
  };
}

/** The origins of a session’s two addresses. The host’s own sandbox has none. */
function serviceOrigins({ queueBaseUrl, inferenceBaseUrl }: Session): string[] {
  return [queueBaseUrl, inferenceBaseUrl].flatMap((address) => parseUrl(address)?.origin ?? []);
}

/** Plain http, as a service on this machine speaks it, in one of the three plain spellings of this machine. */
function isThisMachine(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function isOwn(origin: string, ownPort: number | undefined): boolean {
  return Number(new URL(origin).port || 80) === ownPort;
}

/** A pattern is an origin, or `https://*.example.com` for every host below that name, but not for the name itself. */
function matches(origin: string, pattern: string): boolean {
  if (!pattern.startsWith("https://*.")) return origin === pattern;
  return (
    origin.startsWith("https://") &&
    origin.length > pattern.length - 1 &&
    origin.endsWith(pattern.slice("https://*".length))
  );
}

const HTTPS_ONLY = "Without SAFELIGHT_UPSTREAMS, the Safelight server connects only to https URLs.";

const HTTPS_OR_THIS_MACHINE =
  "Without SAFELIGHT_UPSTREAMS, the Safelight server connects only to https URLs and, over http, to localhost, 127.0.0.1 and [::1].";

const onThisMachine = (origin: string) =>
  `${origin} is on the computer that runs Safelight. Other people can open Safelight, so this URL must be listed in SAFELIGHT_UPSTREAMS.`;

const HTTPS_REDIRECTS_ONLY =
  "Without SAFELIGHT_UPSTREAMS, the Safelight server follows redirects to https URLs on their default port only.";

const FROM_ELSEWHERE = "Only a file host on this machine may redirect to this machine.";

const NOT_LISTED: Record<RelayMode, (origin: string) => string> = {
  configured: (origin) =>
    `${origin} is not listed in SAFELIGHT_UPSTREAMS, so the Safelight server does not connect to it.`,
  typed: (origin) => `${origin} belongs to no connection that is open in this browser.`,
  off: (origin) =>
    `Other machines can reach the Safelight server, so it connects only to URLs in SAFELIGHT_UPSTREAMS. ${origin} is not one of them.`,
};

function ownAddress(origin: string): RelayRefusal {
  return notAllowed(`${origin} is this Safelight server itself. Its sandbox is at /sandbox/api/v1/queue and /sandbox.`);
}

/**
 * Ports of other protocols, which a request could be written to speak: the list of the Fetch Standard, “port blocking”
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function notAllowed(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_allowed", message);
}
