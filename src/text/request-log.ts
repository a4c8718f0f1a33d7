import { TEXT_ENDPOINTS, type TextEndpoint, type TextEvent } from "#api/text/text-types.ts";
import type { LoggedEvent, LoggedExchange } from "#connection/request-log.ts";
import { asNumber, asText, isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import type { RowChange } from "#storage/rows.ts";
import { putChange, type RowKind, readOne, refuseNewer } from "#storage/typed-rows.ts";

/** The requests for one response and everything that the service sent back. The key is redacted. */
export interface RequestLog {
  endpoint: TextEndpoint;
  /** One for each attempt: a retry after a refusal has its own. */
  exchanges: LoggedExchange[];
}

/** Adds an event to the log. Changes the log in place, because thousands may come in a second. */
export function recordEvent(log: RequestLog, event: TextEvent): void {
  const current = log.exchanges.at(-1);
  switch (event.kind) {
    case "request": {
      const { method, url, headers } = event;
      const body = withoutBytes(event.body);
      log.exchanges.push({ sentAtMs: event.atMs, request: { method, url, headers, body }, events: [] });
      return;
    }
    case "start":
      if (current) current.response = { atMs: event.atMs, status: event.status, headers: event.headers };
      return;
    case "raw":
      current?.events.push({ atMs: event.atMs, name: event.name, data: withoutBytes(event.data) });
      return;
    case "retry":
      if (current) current.end = { atMs: event.atMs, text: `${event.error.status}: ${event.error.message}` };
      return;
    case "end":
      if (current) current.end = { atMs: event.atMs, text: END_TEXT[event.how] };
      return;
    case "error":
      if (current) current.end = { atMs: event.atMs, text: errorText(event.error) };
      return;
    default:
      return;
  }
}

/** Characters. Base64 of at least this length is a file, which nobody reads here and which is stored elsewhere. */
const MIN_FILE_BASE64 = 4000;
const FILE_BASE64 = new RegExp(`[A-Za-z0-9+/_-]{${MIN_FILE_BASE64},}={0,2}`, "g");

/** A body or an event with the size of each file instead of its bytes. */
function withoutBytes(text: string): string {
  if (text.length < MIN_FILE_BASE64) return text;
  return text.replace(FILE_BASE64, (bytes) => `[${bytes.length} characters of Base64]`);
}

const END_TEXT = {
  complete: "Complete.",
  early: "Cut off: the closing event never came.",
  stopped: "Stopped by you. The service may have continued for a moment.",
};

function errorText(error: Error): string {
  return "status" in error ? `${String(error.status)}: ${error.message}` : error.message;
}

/** Logs in memory. The oldest are dropped first. */
const MAX_LOGS = 60;
/** Logs since the page was loaded, by message id. Only those of temporary chats are not in the database as well. */
const logs = new Map<string, RequestLog>();

/** Makes the log of a new response available under its message's id, while it still grows. */
export function addRequestLog(id: string, log: RequestLog): void {
  logs.delete(id);
  logs.set(id, log);
  for (const oldest of logs.keys()) {
    if (logs.size <= MAX_LOGS) break;
    logs.delete(oldest);
  }
}

/** The log of a response by its message's id, if the response came since the page was loaded. */
export function getRequestLog(id: string): RequestLog | undefined {
  return logs.get(id);
}

/** Drops the logs in memory: another connection must not read them. */
export function clearRequestLogs(): void {
  logs.clear();
}

/** Logs in the database for one connection. Each further log replaces the oldest. */
export const MAX_STORED_LOGS = 40;

/** The responses whose logs are in the database, the oldest first. */
type LogIndex = readonly { turnId: string; conversationId: string }[];

const logRows: RowKind<RequestLog> = { store: "chats", version: 1, read: readLog };
const indexRows: RowKind<LogIndex> = {
  store: "chats",
  version: 1,
  read: (body) =>
    Array.isArray(body)
      ? body.flatMap((entry: unknown) =>
          isRecord(entry) && typeof entry.turnId === "string" && typeof entry.conversationId === "string"
            ? [{ turnId: entry.turnId, conversationId: entry.conversationId }]
            : [],
        )
      : undefined,
};

// The words in the stored keys are older than those of the code.
const logScope = (accountId: string) => `${accountId}|wires`;
const indexKey = (accountId: string) => `${logScope(accountId)}|kept`;
const logKey = (accountId: string, turnId: string) => `${logScope(accountId)}|log|${turnId}`;

/** Saves the log of one response. A log that cannot be saved stays in memory only. */
export async function saveRequestLog(
  accountId: string,
  conversationId: string,
  turnId: string,
  log: RequestLog,
): Promise<void> {
  const trimmed = trimLog(log);
  if (trimmed === undefined || trimmed.exchanges.length === 0) return;
  await changeIndex(
    accountId,
    (index) => [...index.filter((entry) => entry.turnId !== turnId), { turnId, conversationId }],
    [putChange(logRows, logScope(accountId), logKey(accountId, turnId), trimmed)],
  );
}

/** A stored log by its response's id. Rejects when the database does. */
export async function loadRequestLog(accountId: string, turnId: string): Promise<RequestLog | undefined> {
  return readOne(await openRows(), logRows, logKey(accountId, turnId));
}

/** Deletes the stored logs of a conversation, or only of the responses for which `isGone` is true. */
export async function removeRequestLogs(
  accountId: string,
  conversationId: string,
  isGone: (turnId: string) => boolean = () => true,
): Promise<void> {
  await changeIndex(accountId, (index) =>
    index.filter((entry) => entry.conversationId !== conversationId || !isGone(entry.turnId)),
  );
}

/** Changes the list of stored logs. Logs that are no longer in it are deleted in the same transaction. */
async function changeIndex(
  accountId: string,
  change: (index: LogIndex) => LogIndex,
  addedRows: RowChange[] = [],
): Promise<void> {
  const rows = await openRows();
  const key = indexKey(accountId);
  await rows
    .edit({ store: "chats", key }, (row) => {
      refuseNewer(indexRows, row);
      const index = (row && indexRows.read(row.body, row)) ?? [];
      const changed = change(index).slice(-MAX_STORED_LOGS);
      if (changed.length === index.length && addedRows.length === 0) return { changes: [], result: undefined };
      const gone = index.filter(({ turnId }) => !changed.some((entry) => entry.turnId === turnId));
      const removals = gone.map(({ turnId }) => ({
        kind: "remove" as const,
        store: "chats" as const,
        key: logKey(accountId, turnId),
      }));
      return {
        changes: [putChange(indexRows, logScope(accountId), key, changed), ...removals, ...addedRows],
        result: undefined,
      };
    })
    .catch(() => {});
}

/** Characters of one log that are stored. */
const MAX_LOG_LENGTH = 200_000;
/** Characters that the time and the name of an event take, about. */
const EVENT_OVERHEAD = 40;

/** A log as it is stored: a very long one without its last events. Undefined where the requests alone are too large. */
export function trimLog({ endpoint, exchanges }: RequestLog): RequestLog | undefined {
  let room = exchanges.reduce((left, { request }) => left - request.body.length, MAX_LOG_LENGTH);
  if (room < 0) return undefined;
  const trimmed = exchanges.map((exchange) => {
    const events: LoggedEvent[] = [];
    for (const event of exchange.events) {
      room -= event.data.length + EVENT_OVERHEAD;
      if (room < 0) break;
      events.push(event);
    }
    const lostEvents = exchange.events.length - events.length;
    return { ...exchange, events, ...(lostEvents === 0 ? {} : { lostEvents }) };
  });
  return { endpoint, exchanges: trimmed };
}

/** A log from the database, read as untrusted data. Undefined where it is no log. */
export function readLog(raw: unknown): RequestLog | undefined {
  if (!isRecord(raw) || !Array.isArray(raw.exchanges)) return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name) => name === raw.endpoint);
  return endpoint && { endpoint, exchanges: raw.exchanges.flatMap((exchange) => readExchange(exchange) ?? []) };
}

function readExchange(raw: unknown): LoggedExchange | undefined {
  if (!isRecord(raw) || !isRecord(raw.request) || !Array.isArray(raw.events)) return undefined;
  const { method, url, headers, body } = raw.request;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { response, end, lostEvents } = raw;
  return {
    sentAtMs: asNumber(raw.sentAtMs) ?? 0,
    request: { method: asText(method) ?? "", url, headers: readHeaders(headers), body: asText(body) ?? "" },
    events: raw.events.flatMap((event: unknown) => (isRecord(event) ? [readEvent(event)] : [])),
    ...(isRecord(response)
      ? {
          response: {
            atMs: asNumber(response.atMs) ?? 0,
            status: asNumber(response.status) ?? 0,
            headers: readHeaders(response.headers),
          },
        }
      : {}),
    ...(isRecord(end) ? { end: { atMs: asNumber(end.atMs) ?? 0, text: asText(end.text) ?? "" } } : {}),
    ...(typeof lostEvents === "number" ? { lostEvents } : {}),
  };
}

function readEvent({ atMs, name, data }: Record<string, unknown>): LoggedEvent {
  return { atMs: asNumber(atMs) ?? 0, name: asText(name), data: asText(data) ?? "" };
}

function readHeaders(raw: unknown): Record<string, string> {
  return isRecord(raw)
    ? Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, asText(value) ?? ""]))
    : {};
}
