import type { Route } from "./router.ts";
import { SandboxError } from "./sandbox-error.ts";

/** Spec 5.4: a key belongs to a user, the user belongs to an organisation, the organisation pays. */
export interface Caller {
  key: string;
  user: string;
  organisation: string;
}

/** What becomes of a key: it belongs to somebody, or was taken back, or cannot be checked just now. */
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
  const entry = Object.hasOwn(keys, key) ? keys[key] : undefined;
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
