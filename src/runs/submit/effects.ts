// The interface of everything that a submit does outside its own code, and its implementation in a browser.
import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "#api/create-api.ts";
import type { Job, JobRequest } from "#api/types.ts";
import { perConnection } from "#connection/per-connection.ts";
import { aboutHost, isServedByHost } from "#connection/relay.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import type { BodyKind, Intent, SubmitState } from "#runs/rules/intent.ts";
import { browserRows } from "#storage/database.ts";
import { LOCKS } from "#storage/keys.ts";
import type { RowStore } from "#storage/rows.ts";
import { useStorageState } from "#storage/storage-state.ts";
import { noteNewestJobs } from "../poll/job-queries.ts";
import { getPollControl } from "../poll/poll-control.ts";
import { fetchPrice } from "../prices/estimate-queries.ts";

/** Whether a submit goes through the studio's host, and how its body travels. */
interface SubmitRoute {
  body: BodyKind;
  /** The name of the host's memory, in which it writes down what it sends, with `relay`. */
  memory: string | undefined;
}

/** One attempt, and how it travels. */
export interface AttemptOptions extends SubmitRoute {
  /** Names this attempt, and no other, to the host. */
  attemptId: string;
}

/** The requests a submit makes. They reject as the client does: with an `ApiError`. */
interface SubmitApi {
  listJobs: Api["listJobs"];
  getJob(requestId: string): Promise<Job>;
  /** Exactly one POST. */
  submit(request: JobRequest, options: AttemptOptions): ReturnType<Api["submit"]>;
  /** Asks the host what became of an attempt. An attempt that has not left the host by then never will. */
  withdraw(request: JobRequest, options: Omit<AttemptOptions, "body">): Promise<Job>;
  /** The price of this very payload, at most 60 s old. */
  price(request: JobRequest): Promise<MicroUsd>;
  /**
   * Through the host where the page has one, which rejects where the host does not answer or cannot remember. Otherwise
   * by the body that the service takes, found out by the free estimate call; then it never rejects.
   */
  route(request: JobRequest): Promise<SubmitRoute>;
  /** The service's own time in Unix seconds, where its answers reported it. */
  serviceSeconds(): number | undefined;
}

/** Locks over all tabs of this origin. */
export interface Locks {
  /**
   * Runs `work` while holding the lock, or resolves at once to `isAcquired: false` where somebody else holds it. Rejects as `work`
   * does, and where the lock cannot be asked for.
   */
  tryHold<T>(name: string, work: () => Promise<T>): Promise<{ isAcquired: true; result: T } | { isAcquired: false }>;
}

/** What a submit and the runner of a batch both need of this browser. */
export interface RunEffects {
  /** The account that the rows belong to. */
  accountId: string;
  rows: RowStore;
  locks: Locks;
  /** The wall clock in ms. It may jump. */
  nowMs(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Injected as one object, so that a simulation can replace all of it. */
export interface SubmitEffects extends RunEffects {
  /** A clock that never goes back, in ms. All durations come from it. */
  monotonicMs(): number;
  random(): number;
  /** A fresh id that nobody can guess or mint twice. */
  newId(): string;
  isOnline(): boolean;
  /** The record outlives the page, or the person accepted that it does not. */
  isRecordSafe(): boolean;
  api: SubmitApi;
  /** Shows what became of a run. */
  show(run: RunIdentity, state: SubmitState): void;
}

/** Which run a state belongs to, with what is shown beside the state. */
export type RunIdentity = Pick<Intent, "intentId" | "request" | "priceMicroUsd">;

/** The name of an attempt: the host forwards each name once. */
export const getAttemptId = ({ intentId, attempt }: Intent) => `${intentId}.${attempt}`;

/** The name of a lock: one attempt at a time per model and account, over all tabs, those of older versions included. */
export const submitLockName = (accountId: string, model: string) => `submit:${accountId}:${model}`;
/** The name of a lock: one auditor per account, over all tabs of this version. */
export const auditLockName = (accountId: string) => `audit-3:${accountId}`;
/**
 * The name of that lock in version 2. A tab of version 2 audits only rows of its own version, and would audit without end a row
 * that this version has audited meanwhile.
 */
export const auditLockBefore = (accountId: string) => `audit:${accountId}`;
/**
 * The name of a lock: one poller of the job list per intent, over all tabs of this version. A tab of version 2 polls under
 * `settle:…` and can write no row of this version. With one name for both it would block this version.
 */
export const settleLockName = (intentId: string) => `settle-3:${intentId}`;

/** This browser's rows, locks, clock and waits. */
export const browserRunEffects = (accountId: string): RunEffects => ({
  accountId,
  rows: browserRows,
  locks: browserLocks,
  nowMs: () => Date.now(),
  sleep: (ms, signal) => abortableDelay(ms, signal).catch(() => {}),
});

/** The effects of a submit in this browser: its clocks, network, database and locks. */
export function browserEffects({
  api,
  accountId,
  queueBaseUrl,
  queryClient,
  show,
}: {
  api: Api;
  accountId: string;
  queueBaseUrl: string;
  queryClient: QueryClient;
  show: SubmitEffects["show"];
}): SubmitEffects {
  const control = getPollControl(api);
  return {
    ...browserRunEffects(accountId),
    show,
    monotonicMs: () => performance.now(),
    random: () => Math.random(),
    newId: randomId,
    isRecordSafe: () => {
      const { kind, memoryAccepted } = useStorageState.getState();
      return kind !== "memory" || memoryAccepted;
    },
    isOnline: () => navigator.onLine !== false,
    api: {
      // Not a query: a baseline is what the list shows after the press, and a fetch under way may have begun before.
      listJobs: async (params) => {
        const page = await control.sendUnpaced(() => api.listJobs(params));
        noteNewestJobs(queryClient, params, page.jobs);
        return page;
      },
      getJob: (requestId) => control.sendUnpaced(() => api.getJob(requestId)),
      submit: (request, { attemptId, body, memory }) =>
        control.sendUnpaced(async () => {
          try {
            const job = await api.submit(request, undefined, {
              streamBody: body === "stream",
              ...(body === "relay" ? { attempt: { id: attemptId, memory } } : {}),
            });
            noteModelAnswer(accountId, request.model, "submit");
            return job;
          } catch (error) {
            noteModelAnswer(accountId, request.model, "submit", error);
            throw error;
          }
        }),
      withdraw: (request, { attemptId, memory }) =>
        control.sendUnpaced(() => api.withdrawSubmit(request, { id: attemptId, memory })),
      price: (request) => fetchPrice({ api, client: queryClient }, request),
      route: async (request) =>
        isServedByHost()
          ? { body: "relay", memory: await fetchHostMemory() }
          : { body: await provenBodyKind(api, queueBaseUrl, request), memory: undefined },
      serviceSeconds: () => (api.clock.sourcesDisagree() ? undefined : api.clock.nowSeconds()),
    },
  };
}

/** The name of the host's memory. Rejects where the host gives no answer, or cannot remember what it sends. */
async function fetchHostMemory(): Promise<string> {
  // The second try may reach another host: with a load balancer, the first one may just have stopped.
  const { memory } = await aboutHost().catch(aboutHost);
  if (memory === null) throw new Error("The Safelight server can’t record runs.");
  return memory;
}

const pageLocks = new Set<string>();

/** Locks of this page alone, for browsers without Web Locks. The outbox still refuses a second tab's row. */
async function tryHoldHere<T>(name: string, work: () => Promise<T>) {
  if (pageLocks.has(name)) return { isAcquired: false } as const;
  pageLocks.add(name);
  try {
    return { isAcquired: true, result: await work() } as const;
  } finally {
    pageLocks.delete(name);
  }
}

/** Web Locks: they count for all tabs of this origin, and the browser releases them when a tab dies. */
const browserLocks: Locks = {
  tryHold: <T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ isAcquired: true; result: T } | { isAcquired: false }> => {
    const locks = globalThis.navigator?.locks;
    if (!locks) return tryHoldHere(name, work);
    return locks.request(LOCKS.work(name), { ifAvailable: true }, async (lock) =>
      lock === null ? { isAcquired: false as const } : { isAcquired: true as const, result: await work() },
    );
  },
};

/** Whether this browser can send a stream as a request body: then it reads `duplex` and does not turn the stream into text. */
function canStreamRequests(): boolean {
  let askedForDuplex = false;
  try {
    const request = new Request("https://safelight.invalid", {
      method: "POST",
      body: new ReadableStream(),
      get duplex() {
        askedForDuplex = true;
        return "half";
      },
    } as RequestInit);
    return askedForDuplex && !request.headers.has("Content-Type");
  } catch {
    return false;
  }
}

/**
 * The protocol that earlier requests to the address took, where the browser reports it (it does for our own origin).
 */
function knownProtocol(url: URL): string {
  const entries = globalThis.performance?.getEntriesByType?.("resource") ?? [];
  const last = entries.filter(({ name }) => name.startsWith(url.href)).at(-1);
  return last && "nextHopProtocol" in last ? String(last.nextHopProtocol) : "";
}

/** Browsers speak HTTP/2 only over TLS, and a stream over HTTP/1.1 fails with an error in the console, so it is not tried. */
function mayBeHttp2(queueBaseUrl: string): boolean {
  const url = new URL(queueBaseUrl, globalThis.location?.href);
  return url.protocol === "https:" && !knownProtocol(url).startsWith("http/1");
}

/**
 * Which body a submit takes on the way to this service. Asked once per connection with the free estimate call, whose
 * shape is that of a submit: where it takes a stream, so does the submit, and the browser cannot send it twice.
 */
const provenBodyKind = perConnection(async (api: Api, queueBaseUrl: string, request: JobRequest): Promise<BodyKind> => {
  if (!canStreamRequests() || !mayBeHttp2(queueBaseUrl)) return "plain";
  return api.estimate(request, undefined, { streamBody: true }).then(
    () => "stream",
    () => "plain",
  );
});
