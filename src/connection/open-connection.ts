import { randomId } from "#lib/random-id.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { normalizeAddress } from "./check-connection.ts";
import type { Connection, Ticketed } from "./connection.ts";
import { hostHolder } from "./custody/host-holder.ts";
import type { Custody, KeyHandle, KeyHolder } from "./custody/key-holder.ts";
import { pageHolder } from "./custody/page-holder.ts";
import { workerHolder } from "./custody/worker-holder.ts";
import { hostMark } from "./relay.ts";

const holders: Record<Custody, KeyHolder> = { host: hostHolder, page: pageHolder, worker: workerHolder };

/** Who holds the key of a connection that is made now. */
export function getCustody({ isSandbox }: { isSandbox: boolean }): Custody {
  const mark = hostMark();
  if (mark === "here") return "host";
  return mark === "none" && !isSandbox ? "worker" : "page";
}

/** Who holds the key of a connection that was opened in this page. */
export function getHolder({ custody }: Connection): KeyHolder {
  return holders[custody];
}

export interface ConnectOrder {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
  name?: string | undefined;
  isSandbox?: boolean;
  /** Open in every tab of this browser. */
  isShared?: boolean;
  usesApiKeyHeader?: boolean;
  /** Without a host: keeps the key on this device, sealed under this passphrase. */
  passphrase?: string | undefined;
}

/**
 * Gives a key away, once, and resolves with what the page may know of it. Addresses and key are already checked. Nothing
 * is connected yet: see `keepConnection` and `dropConnection`. Rejects with an `ApiError` where the holder refuses.
 */
export async function openConnection(order: ConnectOrder): Promise<Ticketed> {
  const { isSandbox = false, passphrase } = order;
  const queueBaseUrl = normalizeAddress(order.queueBaseUrl);
  const inferenceBaseUrl = normalizeAddress(order.inferenceBaseUrl);
  const name = order.name?.trim() || new URL(queueBaseUrl, location.href).host;
  const keep = passphrase === undefined ? undefined : { passphrase, name };
  const addresses = { queueBaseUrl, inferenceBaseUrl };
  const custody = getCustody({ isSandbox });
  const holder = holders[custody];
  const handle = await holder.hold({ key: order.key.trim(), ...addresses, salt: deviceSalt(), keep });
  // Only the host's sessions can be used from several tabs.
  const isShared = order.isShared === true && custody === "host";
  const header = order.usesApiKeyHeader ? { usesApiKeyHeader: true } : {};
  return createTicketedConnection(handle, { name, ...addresses, ...header, isSandbox, custody, isShared });
}

/** The connection of a key that its holder has now. It is not stored yet. */
export function createTicketedConnection(
  { ticket, sealed, ...known }: KeyHandle,
  rest: Omit<Connection, "id" | keyof KeyHandle>,
): Ticketed {
  return { ticket, sealed, connection: { id: randomId(), ...rest, ...known } };
}

/** The `fetch` of a connection that is not stored yet, for its checks. */
export function fetchOfOpened({ connection, ticket }: Ticketed): typeof fetch {
  return holders[connection.custody].fetchFor(ticket);
}

/**
 * Has the holder forget the ticket of a connection that is not stored; the same key under another ticket stays. Never
 * rejects: without an answer it ends by itself, and nobody else has the ticket.
 */
export function dropConnection({ connection, ticket }: Ticketed): void {
  holders[connection.custody].drop(ticket).catch(() => {});
}

/** The random part of every account's id on this device. */
export function deviceSalt(): string {
  const known = readText(KEYS.salt);
  if (known !== null) return known;
  const salt = randomId();
  // A salt that is not remembered would make another account of the same key with every visit.
  return writeText(KEYS.salt, salt) ? salt : "";
}
