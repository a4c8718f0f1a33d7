import type { WireExchange, WireLine } from "#connection/wire/wire-exchange.ts";
import { isRecord } from "#lib/json.ts";
import { TEXT_ENDPOINTS } from "./conversation.ts";
import type { WireLog } from "./wire-log.ts";

/** Characters of one log that are written down. */
const LARGEST = 200_000;
/** About what a time and a name take beside the data of an event. */
const BESIDE = 40;

/** A log as it is written down: a very long one without its last events. Undefined where the requests alone are too large. */
export function trimWire({ endpoint, exchanges }: WireLog): WireLog | undefined {
  let left = exchanges.reduce((room, { request }) => room - request.body.length, LARGEST);
  if (left < 0) return undefined;
  const trimmed = exchanges.map((exchange) => {
    const events: WireLine[] = [];
    for (const event of exchange.events) {
      left -= event.data.length + BESIDE;
      if (left < 0) break;
      events.push(event);
    }
    const lostEvents = exchange.events.length - events.length;
    return { ...exchange, events, ...(lostEvents === 0 ? {} : { lostEvents }) };
  });
  return { endpoint, exchanges: trimmed };
}

/** A log from the database, read as untrusted data. Undefined where it is none. */
export function readWire(raw: unknown): WireLog | undefined {
  if (!isRecord(raw) || !Array.isArray(raw.exchanges)) return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name) => name === raw.endpoint);
  return endpoint && { endpoint, exchanges: raw.exchanges.flatMap((exchange) => readExchange(exchange) ?? []) };
}

function readExchange(raw: unknown): WireExchange | undefined {
  if (!isRecord(raw) || !isRecord(raw.request) || !Array.isArray(raw.events)) return undefined;
  const { method, url, headers, body } = raw.request;
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const { response, end, lostEvents } = raw;
  return {
    sentAtMs: number(raw.sentAtMs),
    request: { method: text(method), url, headers: readHeaders(headers), body: text(body) },
    events: raw.events.flatMap((event: unknown) => (isRecord(event) ? [readLine(event)] : [])),
    ...(isRecord(response)
      ? {
          response: {
            atMs: number(response.atMs),
            status: number(response.status),
            headers: readHeaders(response.headers),
          },
        }
      : {}),
    ...(isRecord(end) ? { end: { atMs: number(end.atMs), text: text(end.text) } } : {}),
    ...(typeof lostEvents === "number" ? { lostEvents } : {}),
  };
}

function readLine({ atMs, name, data }: Record<string, unknown>): WireLine {
  return { atMs: number(atMs), name: typeof name === "string" ? name : undefined, data: text(data) };
}

function readHeaders(raw: unknown): Record<string, string> {
  return isRecord(raw) ? Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, text(value)])) : {};
}

const number = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : 0);
const text = (value: unknown) => (typeof value === "string" ? value : "");
