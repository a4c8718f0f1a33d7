import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayUse } from "./relay-target.ts";

// What a page may load through the relay as. Scripts, styles, workers and frames are left out: `script-src 'self'`
// would take them for the studio's own.
const DESTINATIONS: Record<RelayUse, readonly string[]> = {
  api: ["empty"],
  upload: ["empty"],
  media: ["empty", "image", "video", "audio"],
  download: ["empty", "document"],
};

/**
 * Throws a RelayRefusal unless the studio's own page asks. The host's name must be an address, localhost or the
 * configured public name: any other name may have been pointed at this machine by a stranger (DNS rebinding).
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, use: RelayUse, publicOrigin: string | undefined): void {
  const host = (headers[":authority"] as string | undefined) ?? headers.host ?? "";
  if (!isOwnName(host, publicOrigin)) {
    throw refuse(`${host} is not a name of this studio. Set SAFELIGHT_PUBLIC_ORIGIN to the address people open.`);
  }
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  if (origin !== undefined && !isOwnOrigin(origin, host, publicOrigin)) {
    throw refuse("The request comes from another site.");
  }
  if (site !== undefined && site !== "same-origin") throw refuse("The request comes from another site.");
  if (site === undefined && origin === undefined) throw refuse("Only the studio's own page may use the relay.");
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && !DESTINATIONS[use].includes(String(destination))) {
    throw refuse(`A ${destination} cannot be loaded through the relay.`);
  }
}

function isOwnName(host: string, publicOrigin: string | undefined): boolean {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (url?.pathname !== "/" || url.username !== "") return false;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  return name === "localhost" || isIP(name) !== 0 || (publicOrigin !== undefined && hostOf(publicOrigin) === host);
}

/**
 * The public origin is the studio's whatever the host is called: a proxy in front may have put its own name there.
 * Under the public name nothing else is: a page over plain http may have been changed on its way.
 */
function isOwnOrigin(origin: string, host: string, publicOrigin: string | undefined): boolean {
  if (publicOrigin !== undefined && (origin === publicOrigin || hostOf(publicOrigin) === host)) {
    return origin === publicOrigin;
  }
  return hostOf(origin) === host;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function refuse(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_same_origin", message);
}
