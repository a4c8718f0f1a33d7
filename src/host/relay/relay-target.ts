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
