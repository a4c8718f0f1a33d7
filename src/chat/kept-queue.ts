import { isRecord } from "#lib/json.ts";
import type { QueuedAsk } from "./chat-shelf.ts";

const keyOf = (accountId: string) => `safelight:chat-queue|${accountId}`;

/** Keeps what waits to be sent with the tab, so that a reload does not lose what was written. */
export function keepQueue(accountId: string, queue: readonly QueuedAsk[]): void {
  try {
    if (queue.length === 0) sessionStorage.removeItem(keyOf(accountId));
    else sessionStorage.setItem(keyOf(accountId), JSON.stringify(queue));
  } catch {
    // Full or refused: it waits as long as the page lives.
  }
}

/** What waited when the page went away. It is held: nobody is answering any more, and it would cost. */
export function readQueue(accountId: string): QueuedAsk[] {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(keyOf(accountId)) ?? "[]");
    return Array.isArray(raw) ? raw.flatMap((ask: unknown) => readAsk(ask) ?? []) : [];
  } catch {
    return [];
  }
}

function readAsk(raw: unknown): QueuedAsk | undefined {
  if (!isRecord(raw) || typeof raw.id !== "string" || typeof raw.text !== "string") return undefined;
  if (typeof raw.conversationId !== "string" || !Array.isArray(raw.columnIds)) return undefined;
  const columnIds = raw.columnIds.filter((id): id is string => typeof id === "string");
  return { id: raw.id, conversationId: raw.conversationId, columnIds, text: raw.text, isHeld: true };
}
