import type { PersistStorage, StorageValue } from "zustand/middleware";
import { isRecord, tryParseJson } from "#lib/read.ts";
import { KEYS, type StorageKey, type Wiped } from "./keys.ts";

/*
 * localStorage and sessionStorage for the rest of Safelight. Private windows refuse them and full ones reject writes:
 * nothing here throws, and the page then works without remembering.
 */

/** The stored text. Null where there is nothing, or storage is refused. */
export function readText(key: StorageKey): string | null {
  return attempt(() => areaOf(key).getItem(key.name)) ?? null;
}

/**
 * The stored value, parsed and untrusted. Undefined where there is nothing, no JSON, or storage is refused.
 */
export function readJson(key: StorageKey): unknown {
  return tryParseJson(readText(key));
}

/** Stores a text. Returns whether it was written. */
export function writeText(key: StorageKey, text: string): boolean {
  return attempt(() => areaOf(key).setItem(key.name, text) ?? true) ?? false;
}

/**
 * Stores a value as JSON. Returns whether it was written. Throws `TypeError` only for a value that JSON cannot hold.
 */
export function writeJson(key: StorageKey, value: unknown): boolean {
  return writeText(key, JSON.stringify(value));
}

/** Removes a key, if it is there. */
export function removeStored(key: StorageKey): void {
  attempt(() => areaOf(key).removeItem(key.name));
}

/** Calls back after another tab changed or cleared a key of localStorage. Returns a function that stops it. */
export function onStoredChange(key: StorageKey, listener: () => void): () => void {
  const onStorage = ({ key: name }: StorageEvent) => {
    if (name === key.name || name === null) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}

/**
 * Where a zustand store persists itself: `persist(create, { ...persistAt(KEYS.starred), version: 1 })`.
 */
export function persistAt<T>(key: StorageKey): { name: string; storage: PersistStorage<T> } {
  return {
    name: key.name,
    storage: {
      // Untrusted: the store's own `merge` reads the state field by field.
      getItem: () => (readJson(key) as StorageValue<T> | undefined) ?? null,
      setItem: (_name, value) => void writeJson(key, value),
      removeItem: () => removeStored(key),
    },
  };
}

/** Deletes what an account has in one area of this tab's browser, by the rules of `KEYS`. */
export function wipeArea(area: StorageKey["area"], wiped: Wiped): void {
  const isConnected = connectedAccount() === wiped.accountId;
  for (const key of Object.values<StorageKey>(KEYS)) {
    if (key.area !== area) continue;
    if (key.owner === "account") removeStored({ ...key, name: key.name + wiped.accountId });
    else if (key.wipe === "removed" || (key.wipe === "tab" && isConnected)) removeStored(key);
    else if (typeof key.wipe === "function") reduce(key, key.wipe, wiped);
  }
}

/** The account that this tab is connected to, as far as it is stored. */
function connectedAccount(): unknown {
  const stored = readJson(KEYS.connection);
  return isRecord(stored) ? stored.accountId : undefined;
}

function reduce(key: StorageKey, rule: (text: string, wiped: Wiped) => string, wiped: Wiped): void {
  const text = readText(key);
  if (text === null) return;
  const remaining = attempt(() => rule(text, wiped));
  // Nobody knows whose an unreadable value is, so it is removed.
  if (remaining === undefined) removeStored(key);
  else writeText(key, remaining);
}

function areaOf({ area }: StorageKey): Storage {
  return area === "local" ? localStorage : sessionStorage;
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
