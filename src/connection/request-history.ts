import { useEffect, useState } from "react";
import { type Redactable, type RequestFacts, readFacts, redactRequest } from "#api/redact.ts";
import type { TextEvent } from "#api/text-types.ts";
import { isRecord } from "#lib/read.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { onChange, onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readOne, refuseNewer, removeOne } from "#storage/typed-rows.ts";

/** Requests that are kept for each account. With every further one the oldest goes. */
export const MOST_REQUESTS = 200;
/** What is noted within this time is written at once. A page that is left sooner loses it. */
const WRITE_AFTER_MS = 250;

/** A request as it is kept in this browser. */
export interface KeptRequest extends RequestFacts {
  /** The job that it was about. It stays in this browser: an export of diagnostics has no ids. */
  jobId?: string;
}

const requestRows: RowKind<readonly KeptRequest[]> = {
  store: "requests",
  version: 1,
  read: (body) => (Array.isArray(body) ? body.flatMap((one) => readKept(one) ?? []).slice(-MOST_REQUESTS) : undefined),
};

const JOB_ID = /^[A-Za-z0-9._~:@-]{1,200}$/;

function readKept(raw: unknown): KeptRequest | undefined {
  const facts = readFacts(raw);
  if (facts === undefined || !isRecord(raw)) return undefined;
  const { jobId } = raw;
  return typeof jobId === "string" && JOB_ID.test(jobId) ? { ...facts, jobId } : facts;
}

/** Noted and not written yet, by account. */
const unwritten = new Map<string, KeptRequest[]>();
const listeners = new Set<() => void>();
let writing: Promise<void> = Promise.resolve();
let isPlanned = false;
let isListening = false;

/**
 * Notes that a request of an account is over. It is written a moment later, together with others, when the page has
 * nothing else to do. `jobId` is the job that it was about. Never throws: where it cannot be stored, it lives in memory.
 */
export function noteRequest(accountId: string, request: Redactable, jobId?: string | undefined): void {
  const facts = redactRequest(request);
  const kept = jobId !== undefined && JOB_ID.test(jobId) ? { ...facts, jobId } : facts;
  unwritten.set(accountId, [...(unwritten.get(accountId) ?? []), kept].slice(-MOST_REQUESTS));
  notify();
  listenOnce();
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    whenIdle(() => {
      isPlanned = false;
      void writeRequests();
      return true;
    });
  }, WRITE_AFTER_MS);
}

function listenOnce(): void {
  if (isListening || typeof document === "undefined") return;
  isListening = true;
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void writeRequests();
  });
  onWipe((accountId) => {
    unwritten.delete(accountId);
    // What was being written meanwhile may have come after the deletion.
    writing = writing.then(() => removeOne(requestRows, accountId)).catch(() => {});
    notify();
  });
}

/** Writes what was noted so far. Never rejects. */
export function writeRequests(): Promise<void> {
  writing = writing.then(async () => {
    for (const accountId of [...unwritten.keys()]) await writeAccount(accountId);
  });
  return writing;
}

async function writeAccount(accountId: string): Promise<void> {
  const taken = unwritten.get(accountId) ?? [];
  try {
    const rows = await openRows();
    // Other tabs write to the same row, so it is read in the same transaction.
    await rows.edit({ store: "requests", key: accountId, isExpendable: true }, (row) => {
      refuseNewer(requestRows, row);
      const before = (row && requestRows.read(row.body, row)) ?? [];
      const isWiped = !unwritten.has(accountId);
      const all = newest([...before, ...taken]);
      return { changes: isWiped ? [] : [putChange(requestRows, accountId, accountId, all)], result: undefined };
    });
  } catch {
    // A full disk, a newer version, no storage: they stay in memory, and the next time tries again.
    return;
  }
  const later = (unwritten.get(accountId) ?? []).filter((one) => !taken.includes(one));
  if (later.length === 0) unwritten.delete(accountId);
  else unwritten.set(accountId, later);
}

function newest(requests: readonly KeptRequest[]): KeptRequest[] {
  return requests.toSorted((a, b) => a.atMs - b.atMs).slice(-MOST_REQUESTS);
}

/** The last requests of an account, the oldest first, of this page load and those before. Never rejects. */
export async function recentRequests(accountId: string): Promise<KeptRequest[]> {
  const stored = await openRows()
    .then((rows) => readOne(rows, requestRows, accountId))
    .catch(() => undefined);
  return newest([...(stored ?? []), ...(unwritten.get(accountId) ?? [])]);
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** `recentRequests` for a component, kept up to date. Undefined until they are read. */
export function useRecentRequests(accountId: string): readonly KeptRequest[] | undefined {
  const [requests, setRequests] = useState<readonly KeptRequest[]>();
  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      void recentRequests(accountId).then((found) => {
        if (isCurrent) setRequests(found);
      });
    read();
    listeners.add(read);
    const stop = onChange("requests", read);
    return () => {
      isCurrent = false;
      listeners.delete(read);
      stop();
    };
  }, [accountId]);
  return requests;
}

/** Passes on the events of an answer, and notes each request among them when it is over. Throws what `events` throws. */
export async function* noteStream(accountId: string, events: AsyncGenerator<TextEvent>): AsyncGenerator<TextEvent> {
  let open: (Redactable & { received: number }) | undefined;
  const close = (answer: unknown) => {
    if (open) noteRequest(accountId, { ...open, tookMs: Date.now() - open.sentAtMs, answer });
    open = undefined;
  };
  try {
    for await (const event of events) {
      if (event.kind === "request") {
        const { method, url, body } = event;
        const none = { tookMs: 0, answer: undefined, response: undefined, received: 0 };
        open = { method, url, body, sentAtMs: Date.now(), ...none };
      } else if (event.kind === "start" && open) open.response = { status: event.status };
      else if (event.kind === "raw" && open) open.received += event.data.length;
      else if (event.kind === "retry" || event.kind === "error" || event.kind === "end") close(errorOf(event));
      yield event;
    }
  } finally {
    close({ name: "AbortError" });
  }
}

function errorOf(event: Extract<TextEvent, { kind: "retry" | "error" | "end" }>): unknown {
  return event.kind === "end" && event.how === "stopped" ? { name: "AbortError" } : event.error;
}

/** The job that a request of the queue was about: the one in its address, or the one that a submit made. Never throws. */
export function jobOf({ method, url, answer }: Pick<Redactable, "method" | "url" | "answer">): string | undefined {
  const [, inPath] = /\/apikey\/requests\/([^/?#]+)(\/media)?$/.exec(url.split(/[?#]/, 1)[0] ?? "") ?? [];
  if (inPath !== undefined) return inPath === "estimate" ? undefined : decode(inPath);
  if (method !== "POST" || !/\/apikey\/requests$/.test(url) || typeof answer !== "string") return undefined;
  const [, made] = /"request_id"\s*:\s*"([^"\\]+)"/.exec(answer) ?? [];
  return made;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
