import { asNumber, asRecord, asRecords, asText } from "#lib/read.ts";
import { type KeyShape, readKeyShape } from "#lib/secret-shape.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { checkAddress } from "./check-connection.ts";
import type { Custody } from "./custody/key-holder.ts";

/** Who the studio talks to. Holds nothing secret: the key itself is with its holder (`custody/key-holder.ts`). */
export interface Connection {
  /** Random, new with every connect: selects a fresh client and cache. */
  id: string;
  /** As the person calls it; at first the host of the queue address, or "Sandbox". */
  name: string;
  /** May be relative to the page, as the sandbox's is. */
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  /** The last four characters of the key, for the person to recognise it. Never more. */
  keyHint: string;
  /** Whose stored records these are, without storing a key (see `accountIdOf`): the job list belongs to the key's user (spec 4.1 rule 1). */
  accountId: string;
  isSandbox: boolean;
  /** Who holds the key. */
  custody: Custody;
  /** By which a text is known to hold the key. */
  keyShape: KeyShape;
  /** Open in every tab of this browser, as the person chose; else in this tab alone. */
  isShared: boolean;
  /** Sends the key as `x-api-key` on the messages endpoint (spec 5.3), as the person chose. Else as a bearer token. */
  usesApiKeyHeader?: boolean;
  /** When the holder forgets the key: after so long without use, and at a moment as `Date.now()` counts. */
  idleMs?: number | undefined;
  endsAtMs?: number | undefined;
}

/** Where the sandbox answers, on the studio's own origin, and its key, which opens nothing else. */
export const SANDBOX = {
  queueBaseUrl: "/sandbox/api/v1/queue",
  inferenceBaseUrl: "/sandbox",
  key: "sandbox-key",
} as const;

const VERSION = 2;
const MAX_CONNECTIONS = 20;

/** A connection with the ticket by which its holder knows the key. The key itself is never stored by the page. */
export interface Ticketed {
  connection: Connection;
  ticket: string;
  /** The sealed key, where the person stores it on this device, until the connection is stored. */
  sealed?: string | undefined;
}

interface StoredConnections {
  connections: Ticketed[];
  currentId: string | undefined;
}

/**
 * Stores the connections: those of all tabs for the browser, the others and which one is current for this tab. `removed`
 * are ids that this tab has forgotten: what another tab has added meanwhile stays.
 */
export function saveConnections({ connections, currentId }: StoredConnections, removed: ReadonlySet<string>): void {
  saveOwn({ connections, currentId });
  const known = new Set(connections.map(({ connection }) => connection.id));
  const fromOthers = loadShared().filter(({ connection: { id } }) => !known.has(id) && !removed.has(id));
  const shared = [...fromOthers, ...connections.filter(({ connection }) => connection.isShared)];
  // Private windows may refuse. A reload then forgets what was connected.
  if (shared.length > 0) writeJson(KEYS.sharedConnections, { v: VERSION, connections: shared.map(toStored) });
  else removeStored(KEYS.sharedConnections);
}

/** Stores the connections of this tab alone, and which one is current. */
export function saveOwn({ connections, currentId }: StoredConnections): void {
  if (connections.length === 0) {
    removeStored(KEYS.connection);
    return;
  }
  const own = connections.filter(({ connection }) => !connection.isShared);
  const accountId = connections.find(({ connection }) => connection.id === currentId)?.connection.accountId;
  writeJson(KEYS.connection, { v: VERSION, currentId, accountId, connections: own.map(toStored) });
}

function toStored({ connection, ticket }: Ticketed) {
  return { ...connection, ticket };
}

/** What was stored, read back as untrusted data. A record of an older version contained the key: it is removed at once. */
export function loadConnections(): StoredConnections & { wasOlder: boolean } {
  const own = asRecord(readJson(KEYS.connection));
  const wasOlder = own.key !== undefined;
  if (wasOlder) removeStored(KEYS.connection);
  const connections = [...listIn(own), ...loadShared()].slice(0, MAX_CONNECTIONS);
  return { connections, currentId: asText(own.currentId), wasOlder };
}

/** The connections that are open in every tab of this browser. */
export function loadShared(): Ticketed[] {
  return listIn(asRecord(readJson(KEYS.sharedConnections)));
}

function listIn(record: Record<string, unknown>): Ticketed[] {
  return record.v === VERSION ? asRecords(record.connections).flatMap((raw) => readTicketed(raw) ?? []) : [];
}

function readTicketed(raw: Record<string, unknown>): Ticketed | undefined {
  const { id, name, queueBaseUrl, inferenceBaseUrl, keyHint, isSandbox, accountId, ticket, custody, isShared } = raw;
  if (!isText(id) || !isText(name) || !isText(keyHint) || typeof isSandbox !== "boolean") return undefined;
  if (!isText(accountId) || !/^[0-9a-f]{32}$/.test(accountId) || !isText(ticket)) return undefined;
  if (!isText(queueBaseUrl) || !isText(inferenceBaseUrl)) return undefined;
  if (custody !== "host" && custody !== "worker" && custody !== "page") return undefined;
  if (checkAddress(queueBaseUrl) !== undefined || checkAddress(inferenceBaseUrl) !== undefined) return undefined;
  const keyShape = readKeyShape(raw.keyShape);
  if (keyShape === undefined) return undefined;
  const address = { queueBaseUrl, inferenceBaseUrl };
  const ends = { idleMs: asNumber(raw.idleMs), endsAtMs: asNumber(raw.endsAtMs) };
  const connection = { id, name, ...address, keyHint, accountId, isSandbox, custody, keyShape, ...ends } as const;
  const header = raw.usesApiKeyHeader === true ? { usesApiKeyHeader: true } : {};
  return { ticket, connection: { ...connection, ...header, isShared: isShared === true } };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= 2000;
}
