import { useEffect } from "react";
import { create } from "zustand";
import { getConnection, openFileOrigin } from "#connection/connection-store.ts";
import { aboutHost, isNamedStorage, isServedByHost, localHold, useHostState } from "#connection/relay.ts";
import { asTexts } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";

// Hosts whose media load without a click: those that the connected service's own answers name, and those that the
// settings of the studio's host name. Loading a picture tells its host that somebody looks at it. One at an address of
// this computer waits for a click although the service names it (`localHold`).

/** More hosts than any service has. The oldest are forgotten. */
const MAX_HOSTS = 50;

interface KnownHosts {
  /**
   * Hosts by account. The first read of an account is added in place, without an event: it is no news, and rendering
   * may cause it.
   */
  named: Map<string, readonly string[]>;
  /** Hosts that the person allowed by a click, as long as the page lives. */
  clicked: readonly string[];
}

const useKnownHosts = create<KnownHosts>(() => ({ named: new Map(), clicked: [] }));

/** The host of an address that leads away from this page; undefined for its own, `blob:`, `data:` and no address. */
export function foreignHost(url: string): string | undefined {
  if (!URL.canParse(url, location.href)) return undefined;
  const { protocol, origin, host } = new URL(url, location.href);
  return /^https?:$/.test(protocol) && origin !== location.origin ? host : undefined;
}

/** Notes that an answer of the connected service named this address: an outcome's file, or a stored upload. */
export function noteNamedAddress(url: string): void {
  const host = foreignHost(url);
  const accountId = getConnection()?.accountId;
  if (host === undefined || accountId === undefined || localHold(url)) return;
  const hosts = hostsOf(accountId);
  if (hosts.includes(host)) return;
  const next = [...hosts, host].slice(-MAX_HOSTS);
  writeJson(keyOfAccount(KEYS.mediaHosts, accountId), next);
  useKnownHosts.setState(({ named }) => ({ named: new Map(named).set(accountId, next) }));
}

/** Lets media of this address's host load, because the person asked for it. */
export function allowHost(url: string): void {
  if (localHold(url) === "closed") openFileOrigin(new URL(url).origin);
  const host = foreignHost(url);
  if (host !== undefined) useKnownHosts.setState(({ clicked }) => ({ clicked: [...clicked, host] }));
}

/**
 * The host that must be shown to the person and clicked before media of this address load; undefined where they may load
 * at once. `isNamed`: the service's own answer names the file. A host of this computer is an origin.
 */
export function useBlockedHost(url: string, isNamed = false): string | undefined {
  const blocked = () => blockedHost(url, isNamed);
  // Called only to render again once the studio's host has named the storage, or the person has opened it.
  useHostState(blocked);
  const host = useKnownHosts(blocked);
  useEffect(() => {
    if (host !== undefined) askHost();
  }, [host]);
  return host;
}

let isAsked = false;

/** Asks the studio's host once which storages its settings name. */
function askHost(): void {
  if (isAsked || !isServedByHost()) return;
  isAsked = true;
  void aboutHost().catch(() => {
    isAsked = false;
  });
}

/** `useBlockedHost` for code outside of React. */
export function blockedHost(url: string, isNamed = false): string | undefined {
  const host = foreignHost(url);
  if (host !== undefined && localHold(url)) return new URL(url).origin;
  if (host === undefined || isNamed || useKnownHosts.getState().clicked.includes(host) || isNamedStorage(url))
    return undefined;
  return hostsOf(getConnection()?.accountId ?? "").includes(host) ? undefined : host;
}

function hostsOf(accountId: string): readonly string[] {
  const { named } = useKnownHosts.getState();
  const known = named.get(accountId);
  if (known) return known;
  const stored = accountId === "" ? [] : asTexts(readJson(keyOfAccount(KEYS.mediaHosts, accountId))).slice(-MAX_HOSTS);
  named.set(accountId, stored);
  return stored;
}
