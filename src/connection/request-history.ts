import { useEffect, useState } from "react";
import { create } from "zustand";
import { isApiError, NoAnswerError } from "#api/api-error.ts";
import { isHostReason } from "#api/explain-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { asNumber, asOneOf, isRecord } from "#lib/read.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { onChange, onWipe } from "#storage/changes.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readOne, refuseNewer, removeOne } from "#storage/typed-rows.ts";

/** Requests that are stored for each account. Each further one replaces the oldest. */
export const MAX_REQUESTS = 200;

/** Requests within this time are written together. */
const WRITE_AFTER_MS = 250;

/** A request as it is stored in this browser. */
export interface StoredRequest extends RequestFacts {
  /** The job that the request was about. Not part of a diagnostics file. */
  jobId?: string;
}

const JOB_ID = /^[A-Za-z0-9._~:@-]{1,200}$/;

/** Whether a text can be the id of a job. */
const isJobId = (text: unknown): text is string => typeof text === "string" && JOB_ID.test(text);

/** Requests that are not written yet, by account, oldest first. */
const useUnwritten = create<Readonly<Record<string, readonly StoredRequest[]>>>(() => ({}));
const getUnwritten = (accountId: string) => useUnwritten.getState()[accountId] ?? [];
const unwrittenAccounts = () => Object.keys(useUnwritten.getState());

function setUnwritten(accountId: string, requests: readonly StoredRequest[]): void {
  const { [accountId]: _, ...others } = useUnwritten.getState();
  useUnwritten.setState(requests.length === 0 ? others : { ...others, [accountId]: requests }, true);
}

/**
 * Records a request of an account that is over, without anything that it carried. `jobId`: the job that it was about.
 */
export function noteRequest(accountId: string, request: Redactable, jobId?: string | undefined): void {
  const facts = redactRequest(request);
  const stored = isJobId(jobId) ? { ...facts, jobId } : facts;
  setUnwritten(accountId, [...getUnwritten(accountId), stored].slice(-MAX_REQUESTS));
}

const requestRows: RowKind<readonly StoredRequest[]> = {
  store: "requests",
  version: 1,
  read: (body) =>
    Array.isArray(body) ? body.flatMap((raw) => readStoredRequest(raw) ?? []).slice(-MAX_REQUESTS) : undefined,
};

function readStoredRequest(raw: unknown): StoredRequest | undefined {
  const facts = readFacts(raw);
  if (facts === undefined || !isRecord(raw)) return undefined;
  return isJobId(raw.jobId) ? { ...facts, jobId: raw.jobId } : facts;
}

/** The last write. The next one waits for it, because both change the same row. */
let lastWrite: Promise<void> = Promise.resolve();

/**
 * Writes recorded requests into the database: together, after `WRITE_AFTER_MS`, when the page is idle. Requests that
 * cannot be stored stay in memory. Returns the way to stop.
 */
export function keepRequests(): () => void {
  let isPlanned = false;
  const plan = () => {
    if (isPlanned || unwrittenAccounts().length === 0) return;
    isPlanned = true;
    setTimeout(() => {
      whenIdle(() => {
        isPlanned = false;
        void writeRequests();
        return true;
      });
    }, WRITE_AFTER_MS);
  };
  const leave = () => {
    if (document.visibilityState === "hidden") void writeRequests();
  };
  plan();
  document.addEventListener("visibilitychange", leave);
  const stops = [
    useUnwritten.subscribe(plan),
    onWipe(forgetRequests),
    () => document.removeEventListener("visibilitychange", leave),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function forgetRequests(accountId: string): void {
  setUnwritten(accountId, []);
  // A write that was under way may have come after the deletion, so the row is removed again.
  lastWrite = lastWrite.then(() => removeOne(requestRows, accountId)).catch(() => {});
}

/** Writes the requests that were recorded so far. Resolves also where they cannot be stored. */
export function writeRequests(): Promise<void> {
  lastWrite = lastWrite.then(async () => {
    for (const accountId of unwrittenAccounts()) await writeAccount(accountId);
  });
  return lastWrite;
}

async function writeAccount(accountId: string): Promise<void> {
  const taken = getUnwritten(accountId);
  try {
    const rows = await openRows();
    // Other tabs write to the same row, so it is read in the same transaction.
    await rows.edit({ store: "requests", key: accountId, isExpendable: true }, (row) => {
      refuseNewer(requestRows, row);
      const stored = (row && requestRows.read(row.body, row)) ?? [];
      const isWiped = getUnwritten(accountId).length === 0;
      const all = newest([...stored, ...taken]);
      return { changes: isWiped ? [] : [putChange(requestRows, accountId, accountId, all)], result: undefined };
    });
  } catch {
    // A full disk, a row of a newer version, or no storage: the requests stay in memory, and the next write tries
    // again.
    return;
  }
  setUnwritten(
    accountId,
    getUnwritten(accountId).filter((request) => !taken.includes(request)),
  );
}

function newest(requests: readonly StoredRequest[]): StoredRequest[] {
  return requests.toSorted((a, b) => a.atMs - b.atMs).slice(-MAX_REQUESTS);
}

/** The last requests of an account, oldest first, also of earlier page loads. Only those in memory if reading fails. */
export async function recentRequests(accountId: string): Promise<StoredRequest[]> {
  const stored = await openRows()
    .then((rows) => readOne(rows, requestRows, accountId))
    .catch(() => undefined);
  return newest([...(stored ?? []), ...getUnwritten(accountId)]);
}

/** `recentRequests` for a component, live. Undefined until they are read. */
export function useRecentRequests(accountId: string): readonly StoredRequest[] | undefined {
  const [requests, setRequests] = useState<readonly StoredRequest[]>();
  useEffect(() => {
    let isCurrent = true;
    const read = () =>
      void recentRequests(accountId).then((found) => {
        if (isCurrent) setRequests(found);
      });
    read();
    const stops = [useUnwritten.subscribe(read), onChange("requests", read)];
    return () => {
      isCurrent = false;
      for (const stop of stops) stop();
    };
  }, [accountId]);
  return requests;
}

/** Passes on the events of a response, and records each of its requests at its end. Throws what `events` throws. */
export async function* noteStream(accountId: string, events: AsyncGenerator<TextEvent>): AsyncGenerator<TextEvent> {
  let pending: (Redactable & { received: number }) | undefined;
  const close = (answer: unknown) => {
    if (pending) noteRequest(accountId, { ...pending, tookMs: Date.now() - pending.sentAtMs, answer });
    pending = undefined;
  };
  try {
    for await (const event of events) {
      if (event.kind === "request") {
        const { method, url, body } = event;
        const noAnswer = { tookMs: 0, answer: undefined, response: undefined, received: 0 };
        pending = { method, url, body, sentAtMs: Date.now(), ...noAnswer };
      } else if (event.kind === "start" && pending) pending.response = { status: event.status };
      else if (event.kind === "raw" && pending) pending.received += event.data.length;
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

/** The job id of a queue request: the one in its address, or that of the job that a submit created. */
export function getRequestJobId({
  method,
  url,
  answer,
}: Pick<Redactable, "method" | "url" | "answer">): string | undefined {
  const [, inPath] = /\/apikey\/requests\/([^/?#]+)(\/media)?$/.exec(url.split(/[?#]/, 1)[0] ?? "") ?? [];
  if (inPath !== undefined) return inPath === "estimate" ? undefined : decode(inPath);
  if (method !== "POST" || !/\/apikey\/requests$/.test(url) || typeof answer !== "string") return undefined;
  const [, createdId] = /"request_id"\s*:\s*"([^"\\]+)"/.exec(answer) ?? [];
  return createdId;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

// The facts of a request that a diagnostics file may contain. They consist of numbers and of words that are listed
// here, not of texts from a request, a response or a person, so nothing private can be among them.

/** The paths of the endpoints after the base address. `{model}` and `{id}` stand for a model and a job. */
const PATHS = [
  ["/apikey/models", /\/apikey\/models$/],
  ["/apikey/models/{model}", /\/apikey\/models\/[^/]+$/],
  ["/apikey/requests", /\/apikey\/requests$/],
  ["/apikey/requests/estimate", /\/apikey\/requests\/estimate$/],
  ["/apikey/requests/{id}", /\/apikey\/requests\/[^/]+$/],
  ["/apikey/requests/{id}/media", /\/apikey\/requests\/[^/]+\/media$/],
  ["/apikey/upload-url", /\/apikey\/upload-url$/],
  ["/v1/models", /\/v1\/models$/],
  ["/v1/completions", /\/v1\/completions$/],
  ["/v1/responses", /\/v1\/responses$/],
  ["/v1/messages", /\/v1\/messages$/],
] as const;

const OTHER_PATH = "/…";
const PATH_NAMES = [...PATHS.map(([name]) => name), OTHER_PATH] as const;
const METHODS = ["GET", "POST", "DELETE", "other"] as const;
const ERRORS = [
  "RefusedError",
  "NoAnswerError",
  "UnreadableAnswerError",
  "StreamedError",
  "UnusableIdError",
  "AbortError",
  "TimeoutError",
  "TypeError",
  "SyntaxError",
  "Error",
] as const;

/** A request without its contents. Sizes are in characters, times in milliseconds. */
export interface RequestFacts {
  /** When it was sent, as `Date.now()` counts. */
  atMs: number;
  method: (typeof METHODS)[number];
  path: (typeof PATH_NAMES)[number];
  /** The HTTP status; undefined where no response came. */
  status?: number;
  tookMs: number;
  /** The length of the body that was sent. */
  sent: number;
  /** The length of the body that was received, where it was read. */
  received?: number;
  /** Why the Safelight server answered in the service's place, as `api/explain-error.ts` lists it, or `other`. */
  hostReason?: string;
  error?: (typeof ERRORS)[number];
}

/** What `redactRequest` reads of a request. */
type Redactable = Pick<LoggedRequest, "method" | "url" | "body" | "sentAtMs" | "tookMs" | "answer"> & {
  response: Pick<Response, "status"> | undefined;
  /** The length of a stream, in characters: `answer` is not its text. */
  received?: number;
};

/** The facts of a request, without anything of its address, headers, bodies or messages. */
export function redactRequest(request: Redactable): RequestFacts {
  const { answer } = request;
  const refused = isApiError(answer) && answer.name === "RefusedError" ? answer : undefined;
  return pick({
    atMs: request.sentAtMs,
    method: asOneOf(request.method, METHODS) ?? "other",
    path: pathName(request.url),
    status: request.response?.status ?? refused?.status,
    tookMs: request.tookMs,
    sent: request.body?.length ?? 0,
    received: typeof answer === "string" ? answer.length : request.received,
    hostReason: refused?.hostReason,
    error: errorName(answer),
  });
}

/** Facts that were stored, as untrusted data. Undefined where they cannot be read. */
export function readFacts(raw: unknown): RequestFacts | undefined {
  if (!isRecord(raw) || asNumber(raw.atMs) === undefined) return undefined;
  return pick(raw);
}

function pick(raw: Record<string, unknown>): RequestFacts {
  const status = count(raw.status);
  const received = count(raw.received);
  const error = asOneOf(raw.error, ERRORS);
  const { hostReason } = raw;
  return {
    atMs: count(raw.atMs) ?? 0,
    method: asOneOf(raw.method, METHODS) ?? "other",
    path: asOneOf(raw.path, PATH_NAMES) ?? OTHER_PATH,
    ...(status === undefined || status > 999 ? {} : { status }),
    tookMs: count(raw.tookMs) ?? 0,
    sent: count(raw.sent) ?? 0,
    ...(received === undefined ? {} : { received }),
    ...(typeof hostReason === "string" ? { hostReason: isHostReason(hostReason) ? hostReason : "other" } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

function count(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : Math.max(0, Math.round(number));
}

function pathName(url: string): RequestFacts["path"] {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return PATHS.find(([, ending]) => ending.test(path))?.[0] ?? OTHER_PATH;
}

function errorName(answer: unknown): RequestFacts["error"] {
  if (answer instanceof NoAnswerError && answer.timedOut) return "TimeoutError";
  // By name, not by `instanceof`: errors of another realm are no instances.
  if (typeof answer !== "object" || answer === null || !("name" in answer)) return undefined;
  return asOneOf(answer.name, ERRORS) ?? "Error";
}
