import { useLayoutEffect } from "react";
import { create } from "zustand";
import { asNumber, asRecords, asText, tryParseJson } from "#lib/read.ts";
import { onStoredChange, readText, removeStored, writeJson } from "#storage/browser-store.ts";
import { onWipe } from "#storage/changes.ts";
import { KEYS } from "#storage/keys.ts";

/** A key that is stored on this device, encrypted with a passphrase, and what the person knows it by. */
export interface SealedConnection {
  accountId: string;
  name: string;
  /** The host of the queue address, only to be shown. The addresses for the key are in `sealed`, safe from changes. */
  host: string;
  sealed: string;
  usesApiKeyHeader?: boolean;
  /** Wrong passphrases in a row. */
  wrongTries: number;
  /** When a passphrase was last tried, as `Date.now()` counts. */
  lastTryAtMs: number;
}

/** Keys that are stored. The oldest are dropped first. */
const MAX_SEALED = 20;

/** The stored list, read as untrusted data. */
function readSealed(text: string | null): SealedConnection[] {
  return asRecords(tryParseJson(text)).flatMap((raw) => {
    const [accountId, name, host, sealed] = [
      asText(raw.accountId),
      asText(raw.name),
      asText(raw.host),
      asText(raw.sealed),
    ];
    if (accountId === undefined || name === undefined || host === undefined || sealed === undefined) return [];
    const [wrongTries, lastTryAtMs] = [asNumber(raw.wrongTries) ?? 0, asNumber(raw.lastTryAtMs) ?? 0];
    const header = raw.usesApiKeyHeader === true ? { usesApiKeyHeader: true } : {};
    return [
      { accountId, name: name.slice(0, 80), host: host.slice(0, 200), sealed, ...header, wrongTries, lastTryAtMs },
    ];
  });
}

function editList(change: (list: SealedConnection[]) => SealedConnection[]): void {
  const list = change(readSealed(readText(KEYS.sealedKeys))).slice(-MAX_SEALED);
  if (list.length > 0) writeJson(KEYS.sealedKeys, list);
  else removeStored(KEYS.sealedKeys);
  reload();
}

const useSealed = create<readonly SealedConnection[]>(() => readSealed(readText(KEYS.sealedKeys)));
const reload = () => useSealed.setState(readSealed(readText(KEYS.sealedKeys)), true);

/** Stores the sealed key of a connection. Replaces an earlier one of the same account. */
export function storeSealed(
  {
    accountId,
    name,
    queueBaseUrl,
    usesApiKeyHeader,
  }: { accountId: string; name: string; queueBaseUrl: string; usesApiKeyHeader?: boolean },
  sealed: string,
): void {
  const { host } = new URL(queueBaseUrl, location.href);
  const header = usesApiKeyHeader ? { usesApiKeyHeader } : {};
  const entry = { accountId, name, host, sealed, ...header, wrongTries: 0, lastTryAtMs: 0 };
  editList((list) => [...list.filter((other) => other.accountId !== accountId), entry]);
}

/** Removes the sealed key of an account, if there is one. */
export function forgetSealed(accountId: string): void {
  if (readText(KEYS.sealedKeys) !== null) editList((list) => list.filter((entry) => entry.accountId !== accountId));
}

/** Changes fields of one sealed key. Without such a key nothing changes. */
export function changeSealed(accountId: string, fields: Partial<SealedConnection>): void {
  if (readText(KEYS.sealedKeys) === null) return;
  editList((list) => list.map((entry) => (entry.accountId === accountId ? { ...entry, ...fields } : entry)));
}

/** The sealed keys of this device for a component, live over all tabs. */
export function useSealedConnections(): readonly SealedConnection[] {
  useLayoutEffect(() => {
    // The list may have changed since it was last shown: by another tab, or by a deletion of local data.
    reload();
    const stops = [onStoredChange(KEYS.sealedKeys, reload), onWipe(reload)];
    return () => stops.forEach((stop) => void stop());
  }, []);
  return useSealed();
}
