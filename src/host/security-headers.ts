import type { MiddlewareHandler } from "hono";
import { contentPolicy } from "./content-policy.ts";
import type { Upstreams } from "./host-settings.ts";

const UNUSED_FEATURES = [
  "camera=()",
  "microphone=()",
  "geolocation=()",
  "payment=()",
  "usb=()",
  "serial=()",
  "hid=()",
  "midi=()",
  "display-capture=()",
  "clipboard-read=()",
  "clipboard-write=(self)",
  "fullscreen=(self)",
  "browsing-topics=()",
];

/**
 * The headers of the studio's own files. Strict-Transport-Security is left to whoever ends TLS in front of the host:
 * sent from here it would bind every port of the machine. Cross-Origin-Embedder-Policy is left out because it blocks
 * media of services that send no Cross-Origin-Resource-Policy.
 */
export function securityHeaders(upstreams: Upstreams | undefined): MiddlewareHandler {
  const headers = {
    "Content-Security-Policy": `${contentPolicy(upstreams)}; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy": UNUSED_FEATURES.join(", "),
  };
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}
