import type { Upstreams } from "../host-settings.ts";
import { RelayRefusal } from "./relay-refusal.ts";

/** What a relayed request is for. Each use has its own methods, headers and allowed hosts. */
export type RelayUse = "api" | "upload" | "media" | "download";

export interface RelayTarget {
  use: RelayUse;
  /** Address upstream. Its path and query are exactly the characters the page sent. */
  origin: string;
  hostname: string;
  pathAndQuery: string;
  /** For downloads: the name to save under. */
  fileName: string | undefined;
}

const METHODS: Record<RelayUse, readonly string[]> = {
  api: ["GET", "POST", "DELETE"],
  upload: ["PUT"],
  media: ["GET", "HEAD"],
  download: ["GET", "HEAD"],
};

const FORM = /^\/relay\/(?:(api|upload|media)|(download)\/([^/]+))\/(https?)\/([^/?#]+)(\/[^#]*)?$/;

/**
 * Reads where a request to the relay wants to go. The form is in `relay-routes.ts`. Anything that is not in its one
 * plain spelling (a number for an address, a user name, capitals, a trailing dot) is no target: undefined.
 */
export function readRelayTarget(rawUrl: string): RelayTarget | undefined {
  const found = FORM.exec(rawUrl);
  if (!found) return undefined;
  const [, plainUse, download, name, scheme, host = "", pathAndQuery = "/"] = found;
  const origin = `${scheme}://${host}`;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  // The parser turns 0x7f.1 into 127.0.0.1 and drops user names: what it had to change was not plain.
  if (url?.origin !== origin || url.hostname.endsWith(".")) return undefined;
  const use = (download ?? plainUse) as RelayUse;
  return { use, origin, hostname: bareHostname(url.hostname), pathAndQuery, fileName: name && decodeName(name) };
}

export function isMethodAllowed(use: RelayUse, method: string): boolean {
  return METHODS[use].includes(method);
}

/** An IPv6 address without its brackets; any other host as it is. */
function bareHostname(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * `configured`: to the addresses of SAFELIGHT_UPSTREAMS. `typed`: to what a person typed, on their own machine. `off`:
 * nowhere.
 */
type RelayMode = "configured" | "typed" | "off";

interface RelayPolicy {
  mode: RelayMode;
  /** Origins that are allowed now; patterns among them only for uploads and media. */
  allowed(): { origins: string[]; storage: string[] };
  /** Takes in an origin that a person typed or a service named. Throws a RelayRefusal when the mode is not `typed`. */
  add(origin: string, use: "api" | "storage"): void;
  /** Throws a RelayRefusal unless the target is allowed; returns whether it may be a private address. */
  require(target: RelayTarget): { mayBePrivate: boolean };
}

const MOST_TYPED = 200;

/** The rules of where the relay may go. */
export function createRelayPolicy(upstreams: Upstreams | undefined, isLoopback: boolean): RelayPolicy {
  const mode: RelayMode = upstreams ? "configured" : isLoopback ? "typed" : "off";
  const origins = new Set(upstreams?.origins);
  const storage = new Set(upstreams?.storagePatterns);

  return {
    mode,
    allowed: () => ({ origins: [...origins], storage: [...storage] }),
    add(origin, use) {
      if (mode !== "typed") throw notAllowed("This studio's relay is set up by whoever runs it.");
      if (!/^https:\/\//.test(origin)) throw notAllowed("The relay goes to https addresses only.");
      const known = use === "api" ? origins : storage;
      known.add(origin);
      const [oldest] = known;
      if (known.size > MOST_TYPED && oldest !== undefined) known.delete(oldest);
    },
    require({ use, origin }) {
      const isNamed = origins.has(origin);
      const isStorage = use !== "api" && [...storage].some((pattern) => matches(origin, pattern));
      if (!isNamed && !isStorage)
        throw notAllowed(`${origin} is not among the addresses this studio's relay may reach.`);
      if (!isNamed && !origin.startsWith("https:")) throw notAllowed("The relay goes to https addresses only.");
      return { mayBePrivate: isNamed && mode === "configured" };
    },
  };
}

function matches(origin: string, pattern: string): boolean {
  if (!pattern.startsWith("https://*.")) return origin === pattern;
  return origin.startsWith("https://") && origin.length > pattern.length - 1 && origin.endsWith(pattern.slice(9));
}

function notAllowed(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_allowed", message);
}
