import type { Upstreams } from "./host-settings.ts";

// A person may type any address on Connect, so an open studio cannot list its hosts beforehand.
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
 * The studio's Content-Security-Policy. Without configured upstreams the page may reach any https service and
 * loopback; with them it reaches its own origin and the configured ones only.
 */
export function contentPolicy(upstreams?: Upstreams): string {
  const reachable = upstreams ? [...upstreams.origins, ...upstreams.storagePatterns].join(" ") : ANY_SERVICE;
  const directives = {
    ...FIXED,
    "connect-src": `'self' ${reachable}`,
    "img-src": `'self' blob: data: ${reachable}`,
    "media-src": `'self' blob: data: ${reachable}`,
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.trim()}`)
    .join("; ");
}
