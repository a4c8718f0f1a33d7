import { isRecord } from "#lib/json.ts";
import { checkAddress } from "./check-address.ts";
import { checkKey } from "./check-key.ts";
import type { Connection } from "./connection.ts";
import { readRoutes } from "./routes.ts";

const SESSION_KEY = "safelight.connection";
const VERSION = 1;

export interface SessionRecord {
  connection: Connection;
  key: string;
}

/** Keeps the connection for this tab: sessionStorage ends with it. Storage that refuses only costs the reload. */
export function saveSession({ connection, key }: SessionRecord): void {
  try {
    sessionStorage.setItem(SESSION_KEY, JSON.stringify({ v: VERSION, ...connection, key }));
  } catch {
    // Private windows may refuse. The key then lives in memory alone.
  }
}

export function clearSession(): void {
  try {
    sessionStorage.removeItem(SESSION_KEY);
  } catch {
    // Nothing was stored where nothing can be removed.
  }
}

/** What this tab kept, read back as untrusted data. Undefined where there is nothing, or nothing sound. */
export function loadSession(): SessionRecord | undefined {
  try {
    return readSession(JSON.parse(sessionStorage.getItem(SESSION_KEY) ?? "null"));
  } catch {
    return undefined;
  }
}

function readSession(raw: unknown): SessionRecord | undefined {
  if (!isRecord(raw) || raw.v !== VERSION) return undefined;
  const { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, isSandbox, key } = raw;
  // Version 0.1 called it keyFingerprint.
  const accountId = raw.accountId ?? raw.keyFingerprint;
  if (!isText(id) || !isText(name) || !isText(keyHint) || typeof isSandbox !== "boolean" || !isText(key))
    return undefined;
  if (!isText(accountId) || !/^[0-9a-f]{32}$/.test(accountId) || checkKey(key) !== undefined)
    return undefined;
  if (!isText(queueBaseUrl) || !isText(inferenceBaseUrl)) return undefined;
  if (checkAddress(queueBaseUrl) !== undefined || checkAddress(inferenceBaseUrl) !== undefined) return undefined;
  const routes = readRoutes(raw.routes);
  const isRelayed = routes.queue === "relay";
  return {
    key,
    connection: { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, accountId, isSandbox, routes, isRelayed },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 2000;
}
