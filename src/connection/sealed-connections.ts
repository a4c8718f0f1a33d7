import { useLayoutEffect } from "react";
import { create } from "zustand";
import { asNumber, asRecords, asText, tryParseJson } from "#lib/read.ts";
import { onStoredChange, readText, removeStored, writeJson } from "#storage/browser-store.ts";
import { onWipe } from "#storage/changes.ts";
import { KEYS } from "#storage/keys.ts";

/** A key that the person keeps on this device: sealed, with the words by which they know it. */
export interface SealedConnection {
  accountId: string;
  name: string;
  /** The queue address's host, to be shown. Where the key goes stands in what is sealed: nobody changes it there. */
  host: string;
  sealed: string;
  usesApiKeyHeader?: boolean;
  /** Wrong passphrases in a row, and when the last was tried, as `Date.now()` counts. */
  wrongTries: number;
  lastTryAtMs: number;
}

const MAX_SEALED = 20;

/** What is stored on this device, read as untrusted data. */
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

function edit(change: (list: SealedConnection[]) => SealedConnection[]): void {
  const list = change(readSealed(readText(KEYS.sealedKeys))).slice(-MAX_SEALED);
  if (list.length > 0) writeJson(KEYS.sealedKeys, list);
  else removeStored(KEYS.sealedKeys);
  reload();
}

const useSealed = create<readonly SealedConnection[]>(() => readSealed(readText(KEYS.sealedKeys)));
const reload = () => useSealed.setState(readSealed(readText(KEYS.sealedKeys)), true);

/** Keeps the sealed key of a connection. Another one of the same account gives way to it. */
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
  edit((list) => [...list.filter((other) => other.accountId !== accountId), entry]);
}

/** Removes the sealed key of an account, if there is one. */
export function forgetSealed(accountId: string): void {
  if (readText(KEYS.sealedKeys) !== null) edit((list) => list.filter((entry) => entry.accountId !== accountId));
}

/** Changes what is known of one sealed key. */
export function changeSealed(accountId: string, fields: Partial<SealedConnection>): void {
  if (readText(KEYS.sealedKeys) === null) return;
  edit((list) => list.map((entry) => (entry.accountId === accountId ? { ...entry, ...fields } : entry)));
}

/** What is stored on this device, for a component; also after another tab has changed it. */
export function useSealedConnections(): readonly SealedConnection[] {
  useLayoutEffect(() => {
    // What was deleted with an account, or changed in another tab, since the list was last shown.
    reload();
    const stops = [onStoredChange(KEYS.sealedKeys, reload), onWipe(reload)];
    return () => stops.forEach((stop) => void stop());
  }, []);
  return useSealed();
}
