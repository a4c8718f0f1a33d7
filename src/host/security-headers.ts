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

/**
 * The Content-Security-Policy of a page on a plain file host: it may reach the origins of the service that the build names,
 * or, where it names none, any https service and loopback.
 */
export function staticPolicy(namedOrigins: readonly string[] = []): string {
  const reached = namedOrigins.length > 0 ? namedOrigins : [ANY_SERVICE];
  return createPolicy({ connect: reached, show: reached });
}

/**
 * The Content-Security-Policy of a page that its own host serves: it sends requests to that host alone. It may also
 * show media of storages that the settings name exactly, over https. Those that a pattern names come through the host, since
 * a wildcard here would let a page send what it likes to whoever gets a name below it.
 */
export function hostPolicy(upstreams: Upstreams | undefined): string {
  return createPolicy({ connect: [], show: (upstreams?.origins ?? []).filter((entry) => entry.startsWith("https:")) });
}

function createPolicy({ connect, show }: { connect: readonly string[]; show: readonly string[] }): string {
  const directives = {
    ...FIXED,
    "connect-src": ["'self'", ...connect].join(" "),
    "img-src": ["'self' blob: data:", ...show].join(" "),
    "media-src": ["'self' blob: data:", ...show].join(" "),
    "require-trusted-types-for": "'script'",
    "trusted-types": "app-worker",
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
  // With these a browser asks another host in the page's name, whatever the content policy says.
  "publickey-credentials-get=()",
  "publickey-credentials-create=()",
  "identity-credentials-get=()",
  "otp-credentials=()",
  "private-state-token-issuance=()",
  "private-state-token-redemption=()",
  "encrypted-media=()",
  "storage-access=()",
];

/** Only a header can set this directive, and no `meta` element of the page. */
const NO_FRAMES = "frame-ancestors 'none'";

/** The headers of every answer of the host, also of those that it passes on. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Origin-Agent-Cluster": "?1",
  // Names of hosts that stand in a page are not asked for before somebody goes there.
  "X-DNS-Prefetch-Control": "off",
  "Permissions-Policy": UNUSED_FEATURES.join(", "),
};

/** For answers that are no pages: nothing in them runs, whatever it says it is. */
const NOTHING_RUNS = `default-src 'none'; sandbox; ${NO_FRAMES}`;

/** Replace the same headers of an answer that the host passes on. Names in lower case. */
export const PASSED_ON_HEADERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...EVERYWHERE, "Content-Security-Policy": NOTHING_RUNS }).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]),
);

type HeaderSettings = Pick<HostSettings, "upstreams" | "publicOrigin">;

/**
 * What every answer of the host carries, unless whoever answers says otherwise. Strict-Transport-Security goes with a
 * public https name only: on localhost it would bind every port of the machine. Cross-Origin-Embedder-Policy is left out
 * because it blocks media of services that send no Cross-Origin-Resource-Policy.
 */
export function answerHeaders({ publicOrigin }: Pick<HeaderSettings, "publicOrigin">): Record<string, string> {
  const isPublicHttps = publicOrigin?.startsWith("https:") === true;
  return {
    ...EVERYWHERE,
    "Content-Security-Policy": NOTHING_RUNS,
    ...(isPublicHttps ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/** The headers of the studio's own files: those of every answer, with the policy of the page. */
export function securityHeaders(settings: HeaderSettings): MiddlewareHandler {
  const policy = { "Content-Security-Policy": `${hostPolicy(settings.upstreams)}; ${NO_FRAMES}` };
  const headers = Object.entries({ ...answerHeaders(settings), ...policy });
  return async (c, next) => {
    await next();
    for (const [name, value] of headers) c.res.headers.set(name, value);
  };
}
