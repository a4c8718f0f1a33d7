import type { JsonRecord } from "#lib/read.ts";
import { SandboxError } from "./sandbox-error.ts";

/** Spec 5.4: a key belongs to a user, the user belongs to an organisation, the organisation pays. */
export interface Caller {
  key: string;
  user: string;
  organisation: string;
}

/** The state of a key: it belongs to a user, was revoked, or cannot be checked just now. */
export type KeyEntry =
  | { kind: "valid"; user: string; organisation: string }
  | { kind: "revoked" }
  | { kind: "auth-down" };

export const HOME_ORGANISATION = "org-safelight";

/** The keys that every sandbox knows. */
export const SANDBOX_KEYS: Readonly<Record<string, KeyEntry>> = {
  "sandbox-key": { kind: "valid", user: "user-ada", organisation: HOME_ORGANISATION },
  "sandbox-key-2": { kind: "valid", user: "user-ben", organisation: HOME_ORGANISATION },
  "sandbox-key-other-organisation": { kind: "valid", user: "user-cleo", organisation: "org-elsewhere" },
  "revoked-key": { kind: "revoked" },
  "auth-down-key": { kind: "auth-down" },
};

/** Keys as long as real ones, which a caller may make up. All belong to the same user as `sandbox-key`. */
const LONG_KEY = /^sandbox-key-[0-9a-f]{16,64}$/;

export const NOBODY: Caller = { key: "", user: "", organisation: "" };

/**
 * Who sends this request (spec 5).
 * Throws 401 for a missing, invalid or revoked key, and 503 where authentication is temporarily unavailable.
 */
export function authenticate(request: Request, route: Route, keys: Readonly<Record<string, KeyEntry>>): Caller {
  if (route.family === "storage" || route.family === "settings") return NOBODY;
  const key = readKey(request, route);
  if (key === undefined)
    throw new SandboxError(401, "Missing API key. Send the header Authorization: Bearer <API_KEY>.");
  const entry = Object.hasOwn(keys, key) ? keys[key] : LONG_KEY.test(key) ? keys["sandbox-key"] : undefined;
  if (entry === undefined) throw new SandboxError(401, "Invalid API key.");
  if (entry.kind === "revoked") throw new SandboxError(401, "This API key was revoked.");
  if (entry.kind === "auth-down") throw new SandboxError(503, "Authentication is temporarily unavailable. Try again.");
  return { key, user: entry.user, organisation: entry.organisation };
}

function readKey(request: Request, route: Route): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined) return bearer;
  return route.takesApiKeyHeader === true ? (request.headers.get("x-api-key") ?? undefined) : undefined;
}

/** Which half of the service a route belongs to: it decides authentication, limits and the names of quirks. */
export type RouteFamily = "queue" | "inference" | "storage" | "settings";

/** One request on its way through the sandbox. */
export interface Exchange {
  request: Request;
  url: URL;
  /** Address of the sandbox itself, ending in `/sandbox`: links in answers begin with it. */
  base: string;
  params: Readonly<Record<string, string>>;
  /** Who asks; for `storage` and `settings` routes nobody does, and this is a nameless visitor. */
  caller: Caller;
  /** The JSON body, for routes that ask for one with `readsJson`. */
  body: JsonRecord;
}

export interface Route {
  /** Unique name, used by faults, quirks and the request log. */
  name: string;
  family: RouteFamily;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the sandbox, such as `/v1/models`; `:name` takes one segment. */
  path: string;
  /** The body must be a JSON object; anything else is answered with 400 before `handle` (spec 7). */
  readsJson?: boolean;
  /** Spec 5.3: `x-api-key` also counts here. */
  takesApiKeyHeader?: boolean;
  handle(exchange: Exchange): Response | Promise<Response>;
}

interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

/** The route for a method and a path; `wrong-method` where only other methods fit, undefined where nothing does. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): RouteMatch | "wrong-method" | undefined {
  let isPathKnown = false;
  // A path that a route spells out is that route's: `/requests/estimate` is no job called estimate.
  const exactRoutes = routes.filter((route) => route.path === path);
  for (const route of exactRoutes.length > 0 ? exactRoutes : routes) {
    const params = matchPath(route.path, path);
    if (params === undefined) continue;
    const isHead = method === "HEAD" && route.method === "GET" && route.family === "storage";
    if (route.method === method || isHead) return { route, params };
    isPathKnown = true;
  }
  return isPathKnown ? "wrong-method" : undefined;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith(":")) {
      if (value === "") return undefined;
      params[segment.slice(1)] = decodeSegment(value);
    } else if (segment !== value) {
      return undefined;
    }
  }
  return params;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
