import type { TextEvent } from "#api/text/text-types.ts";
import { type Redactable, type RequestFacts, redactRequest } from "./request-facts.ts";

// Knows no storage: `stored-requests.ts` writes what is noted here.

/** Requests that are stored for each account. With every further one the oldest goes. */
export const MAX_REQUESTS = 200;

/** A request as it is stored in this browser. */
export interface StoredRequest extends RequestFacts {
  /** The job that it was about. It stays in this browser: an export of diagnostics has no ids. */
  jobId?: string;
}

const JOB_ID = /^[A-Za-z0-9._~:@-]{1,200}$/;

/** Whether a text can be the id of a job. */
export const isJobId = (text: unknown): text is string => typeof text === "string" && JOB_ID.test(text);

/** Noted and not written yet, by account. */
const unwritten = new Map<string, readonly StoredRequest[]>();
const listeners = new Set<() => void>();

/**
 * Notes that a request of an account is over, and nothing of what it carried. `jobId` is the job that it was about.
 */
export function noteRequest(accountId: string, request: Redactable, jobId?: string | undefined): void {
  const facts = redactRequest(request);
  const stored = isJobId(jobId) ? { ...facts, jobId } : facts;
  unwritten.set(accountId, [...getUnwritten(accountId), stored].slice(-MAX_REQUESTS));
  for (const listener of listeners) listener();
}

/** Calls back whenever a request was noted, or what was noted is forgotten. Returns the way to stop. */
export function onNoted(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What was noted for an account and is not written yet, the oldest first. */
export function getUnwritten(accountId: string): readonly StoredRequest[] {
  return unwritten.get(accountId) ?? [];
}

/** The accounts of which something is not written yet. */
export function unwrittenAccounts(): string[] {
  return [...unwritten.keys()];
}

/** Takes requests off the list of an account that are written now, or all of them. */
export function dropUnwritten(accountId: string, written?: readonly StoredRequest[]): void {
  const left = written === undefined ? [] : getUnwritten(accountId).filter((one) => !written.includes(one));
  if (left.length === 0) unwritten.delete(accountId);
  else unwritten.set(accountId, left);
  if (written === undefined) for (const listener of listeners) listener();
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

/** The job that a request of the queue was about: the one in its address, or the one that a submit made. */
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
