import type { MiddlewareHandler } from "hono";
import type { HostSettings } from "./host-settings.ts";
import type { Upstreams } from "./read-upstreams.ts";

// A person may type any address on Connect, and a page without a host of its own goes there directly.
const ANY_SERVICE = "https: http://127.0.0.1:* http://localhost:*";

const FIXED = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "style-src-attr": "'none'",
  "font-src": "'self'",
  "worker-src": "'self'",
  "manifest-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "object-src": "'none'",
  "frame-src": "'none'",
};

/** The Content-Security-Policy of a page on a plain file host: it may reach any https service and loopback. */
export function staticPolicy(): string {
  return policyOf({ connect: [ANY_SERVICE], show: [ANY_SERVICE] });
}

/**
 * The Content-Security-Policy of a page that its own host serves: it sends requests to that host alone. Besides, it may
 * show media of storages that the settings name, over https.
 */
export function hostPolicy(upstreams: Upstreams | undefined): string {
  const named = [...(upstreams?.origins ?? []), ...(upstreams?.storagePatterns ?? [])];
  return policyOf({ connect: [], show: named.filter((entry) => entry.startsWith("https:")) });
}

function policyOf({ connect, show }: { connect: readonly string[]; show: readonly string[] }): string {
  const directives = {
    ...FIXED,
    "connect-src": ["'self'", ...connect].join(" "),
    "img-src": ["'self' blob: data:", ...show].join(" "),
    "media-src": ["'self' blob: data:", ...show].join(" "),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join("; ");
}

// Of the features that no page here uses, bluetooth is left out: Chromium does not know the name and warns on every page.
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

/** What a page cannot set for itself, and what would block the sandbox's own worker on a static file host. */
const FROM_HOST_ONLY = "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types app-worker";

/**
 * The headers of the studio's own files. Strict-Transport-Security goes with a public https name only:
 * on localhost it would bind every port of the machine. Cross-Origin-Embedder-Policy is left out because it blocks media
 * of services that send no Cross-Origin-Resource-Policy.
 */
export function securityHeaders({
  upstreams,
  publicOrigin,
}: Pick<HostSettings, "upstreams" | "publicOrigin">): MiddlewareHandler {
  const isPublicHttps = publicOrigin?.startsWith("https:") === true;
  const headers = {
    "Content-Security-Policy": `${hostPolicy(upstreams)}; ${FROM_HOST_ONLY}`,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Origin-Agent-Cluster": "?1",
    "Permissions-Policy": UNUSED_FEATURES.join(", "),
    ...(isPublicHttps ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
  };
}
