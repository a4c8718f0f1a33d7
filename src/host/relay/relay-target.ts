import { parseUrl } from "#lib/parse-url.ts";
import { type HostSettings, isForThisMachine, isLoopbackBind } from "../host-settings.ts";
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
  /** Origins that are allowed now; patterns among them only for uploads and media. */
  allowed(): { origins: string[]; storage: string[] };
  /**
   * Takes in an origin that a person typed or a service named. `ownPort` is where this host listens. Throws a
   * RelayRefusal when the mode is not `typed`, and for what may not be typed.
   */
  add(origin: string, use: "api" | "storage", ownPort: number | undefined): void;
  /** Throws a RelayRefusal unless the target is allowed; returns how far it may reach. */
  require(target: RelayTarget, ownPort: number | undefined): Reach;
  /**
   * The same for a place to which the storage of an allowed file redirects. Where a person's word is the rule, a public
   * https address at its usual port need not have been named: the service chose its storage, and the storage this.
   */
  requireNext(target: RelayTarget, ownPort: number | undefined): Reach;
}

const MAX_TYPED = 200;

/** The rules of where the relay may go, by the settings of the host. */
export function createRelayPolicy(
  settings: Pick<HostSettings, "host" | "upstreams" | "publicOrigin" | "access" | "trustedProxies">,
): RelayPolicy {
  const { host, upstreams } = settings;
  const mode: RelayMode = upstreams ? "configured" : isLoopbackBind(host) ? "typed" : "off";
  const mayReachThisMachine = isForThisMachine(settings);
  const httpsOnly = mayReachThisMachine ? HTTPS_OR_THIS_MACHINE : HTTPS_ONLY;
  const origins = new Set(upstreams?.origins);
  const storage = new Set(upstreams?.storagePatterns);
  const isNamed = ({ origin }: RelayTarget) => origins.has(origin);
  const isStorage = ({ use, origin }: RelayTarget) =>
    use !== "api" && [...storage].some((pattern) => matches(origin, pattern));

  return {
    mode,
    allowed: () => ({ origins: [...origins], storage: [...storage] }),
    add(origin, use, ownPort) {
      if (mode !== "typed") throw notAllowed(NOT_LISTED[mode](origin));
      if (isThisMachine(origin)) {
        if (!mayReachThisMachine) throw notAllowed(onThisMachine(origin));
        if (isOwn(origin, ownPort)) throw ownAddress(origin);
        // A service elsewhere must not send the page to what runs here.
        if (use === "storage" && ![...origins].some(isThisMachine)) {
          throw notAllowed(`${origin} is on this machine, but the service that gave this URL is not.`);
        }
      } else if (!origin.startsWith("https:")) {
        throw notAllowed(httpsOnly);
      }
      const known = use === "api" ? origins : storage;
      known.add(origin);
      const [oldest] = known;
      if (known.size > MAX_TYPED && oldest !== undefined) known.delete(oldest);
    },
    require(target, ownPort) {
      const { origin } = target;
      if (!isNamed(target) && !isStorage(target)) throw notAllowed(NOT_LISTED[mode](origin));
      if (mode === "configured" && isNamed(target)) return "listed";
      if (!isThisMachine(origin)) {
        if (!origin.startsWith("https:")) throw notAllowed(httpsOnly);
        return "public";
      }
      if (isOwn(origin, ownPort)) throw ownAddress(origin);
      return "loopback";
    },
    requireNext(target, ownPort) {
      if (mode !== "typed" || isNamed(target) || isStorage(target)) return this.require(target, ownPort);
      const { protocol, port } = new URL(target.origin);
      if (protocol === "https:" && port === "") return "public";
      throw notAllowed(HTTPS_REDIRECTS_ONLY);
    },
  };
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

const NOT_LISTED: Record<RelayMode, (origin: string) => string> = {
  configured: (origin) =>
    `${origin} is not listed in SAFELIGHT_UPSTREAMS, so the Safelight server does not connect to it.`,
  typed: (origin) => `${origin} has not been entered on Connect since the Safelight server started.`,
  off: (origin) =>
    `Other machines can reach the Safelight server, so it connects only to URLs in SAFELIGHT_UPSTREAMS. ${origin} is not one of them.`,
};

function ownAddress(origin: string): RelayRefusal {
  return notAllowed(`${origin} is this Safelight server itself. Its sandbox is at /sandbox/api/v1/queue and /sandbox.`);
}

function notAllowed(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_allowed", message);
}
