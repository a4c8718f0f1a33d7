import type { TextEndpoint, TextEvent } from "#api/text-types.ts";
import type { WireExchange } from "#connection/wire/wire-exchange.ts";

export interface WireLog {
  endpoint: TextEndpoint;
  /** One for each sending: a refusal that was sent again has its own. */
  exchanges: WireExchange[];
}

/** Takes one more event into the log, in place: thousands may come in a second. */
export function recordWire(log: WireLog, event: TextEvent): void {
  const current = log.exchanges.at(-1);
  switch (event.kind) {
    case "request": {
      const { method, url, headers, body } = event;
      log.exchanges.push({ sentAtMs: event.atMs, request: { method, url, headers, body }, events: [] });
      return;
    }
    case "start":
      if (current) current.response = { atMs: event.atMs, status: event.status, headers: event.headers };
      return;
    case "raw":
      current?.events.push({ atMs: event.atMs, name: event.name, data: event.data });
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

const END_TEXT = {
  complete: "Complete.",
  early: "Ended early: the format's own end never came.",
  stopped: "Stopped here. The service may have gone on for a moment.",
};

function errorText(error: Error): string {
  return "status" in error ? `${String(error.status)}: ${error.message}` : error.message;
}

/** Logs kept for as long as the page lives; those of kept conversations are written down as well (`wire-rows.ts`). */
const MOST_LOGS = 60;
const shelf = new Map<string, WireLog>();

export function keepWire(id: string, log: WireLog): void {
  shelf.delete(id);
  shelf.set(id, log);
  for (const oldest of shelf.keys()) {
    if (shelf.size <= MOST_LOGS) break;
    shelf.delete(oldest);
  }
}

/** The log of an answer by its message's id, where this page saw it. */
export function wireOf(id: string): WireLog | undefined {
  return shelf.get(id);
}

/** Forgets every log: another connection must not read them. */
export function clearWire(): void {
  shelf.clear();
}
