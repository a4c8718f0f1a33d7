import { isRecord } from "#lib/read.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { checkAddress, checkKey } from "./check-connection.ts";
import type { Connection } from "./connection.ts";

const VERSION = 1;

interface SessionRecord {
  connection: Connection;
  key: string;
}

/** Stores the connection for this tab, whose session storage ends with it. Where storage refuses, a reload forgets it. */
export function saveSession({ connection, key }: SessionRecord): void {
  // Private windows may refuse. The key then lives in memory alone.
  writeJson(KEYS.connection, { v: VERSION, ...connection, key });
}

export function clearSession(): void {
  removeStored(KEYS.connection);
}

/** What this tab stored, read back as untrusted data. Undefined where there is nothing, or nothing sound. */
export function loadSession(): SessionRecord | undefined {
  return readSession(readJson(KEYS.connection));
}

function readSession(raw: unknown): SessionRecord | undefined {
  if (!isRecord(raw) || raw.v !== VERSION) return undefined;
  const { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, isSandbox, key } = raw;
  // Version 0.1 called it keyFingerprint.
  const accountId = raw.accountId ?? raw.keyFingerprint;
  if (!isText(id) || !isText(name) || !isText(keyHint) || typeof isSandbox !== "boolean" || !isText(key))
    return undefined;
  if (!isText(accountId) || !/^[0-9a-f]{32}$/.test(accountId) || checkKey(key) !== undefined) return undefined;
  if (!isText(queueBaseUrl) || !isText(inferenceBaseUrl)) return undefined;
  if (checkAddress(queueBaseUrl) !== undefined || checkAddress(inferenceBaseUrl) !== undefined) return undefined;
  return { key, connection: { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, accountId, isSandbox } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 2000;
}
