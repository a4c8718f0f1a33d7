import type { Api } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import { perConnection } from "#connection/per-connection.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { pollControlOf } from "../poll/poll-control.ts";
import { payloadKey } from "./estimate-queries.ts";

/** A job from elsewhere, whose record has no price (spec 2). */
export interface UnpricedJob {
  requestId: string;
  model: string | undefined;
  payload: JsonRecord | undefined;
}

/** Who asks. What is in view goes first. */
type Asker = "view" | "imported";

interface PastPrices {
  /** These are asked for, in this order. Those of an earlier call of the same asker that still wait are dropped. */
  want(asker: Asker, jobs: readonly UnpricedJob[]): void;
  /** Today's prices by job, as far as they were told. A new map after each change. */
  prices(): ReadonlyMap<string, MicroUsd>;
  subscribe(listener: () => void): () => void;
}

interface PastPricesOptions {
  /** Asks the service for the price of one payload; nothing is charged (spec 4.1). */
  estimate: (request: JobRequest) => Promise<{ priceMicroUsd: MicroUsd }>;
  /** Nobody sees the page, or nothing can be sent. */
  isPaused: () => boolean;
  wait: (ms: number) => Promise<void>;
}

/** Between two requests: slow enough to be in nobody's way. */
const REST_MS = 1_000;
const PAUSE_MS = 5_000;
/** Prices are told together, so that a list does not render for each, and not while it is scrolled. */
const AT_REST_MS = 1_500;
const FEWEST_TOLD = 3;
const MOST_UNTOLD = 30;
/** After so many refusals in a row no price of the model is asked for any more. */
const MOST_REFUSED = 3;
/** Characters. Larger payloads hold whole files. */
const LARGEST_PAYLOAD = 32_000;

/**
 * Asks what payloads of past jobs cost today: one request at a time with a rest after each, the same payload once, and not
 * again where the service refused. Never throws.
 */
export function createPastPrices({ estimate, isPaused, wait }: PastPricesOptions): PastPrices {
  const waiting: Record<Asker, readonly UnpricedJob[]> = { view: [], imported: [] };
  const known = new Map<string, MicroUsd | "refused">();
  const refused = new Map<string, number>();
  const listeners = new Set<() => void>();
  let prices: ReadonlyMap<string, MicroUsd> = new Map();
  let fresh = new Map<string, MicroUsd>();
  let isRunning = false;
  let askedAtMs = 0;

  function tell() {
    if (fresh.size === 0) return;
    prices = new Map([...prices, ...fresh]);
    fresh = new Map();
    for (const listener of listeners) listener();
  }
  /** The next job whose price has to be asked for. Those of known payloads get theirs at once. */
  function nextJob(): { request: JobRequest; key: string; job: UnpricedJob } | undefined {
    for (const asker of ["view", "imported"] as const) {
      while (waiting[asker].length > 0) {
        const [job, ...rest] = waiting[asker];
        waiting[asker] = rest;
        const { model, payload } = job ?? {};
        if (!job || model === undefined || payload === undefined || prices.has(job.requestId)) continue;
        const key = payloadKey([model, payload]);
        const price = known.get(key);
        if (typeof price === "number") fresh.set(job.requestId, price);
        const isGivenUp = (refused.get(model) ?? 0) >= MOST_REFUSED || key.length > LARGEST_PAYLOAD;
        if (price === undefined && !isGivenUp) return { request: { model, payload }, key, job };
      }
    }
    return undefined;
  }
  async function ask({ request, key, job }: { request: JobRequest; key: string; job: UnpricedJob }) {
    for (let failures = 0; ; failures += 1) {
      while (isPaused()) await wait(PAUSE_MS);
      try {
        const { priceMicroUsd } = await estimate(request);
        known.set(key, priceMicroUsd);
        fresh.set(job.requestId, priceMicroUsd);
        refused.delete(request.model);
        return;
      } catch (error) {
        if (!isTransient(error)) {
          known.set(key, "refused");
          refused.set(request.model, (refused.get(request.model) ?? 0) + 1);
          return;
        }
        await wait(retryDelayMs(failures, error));
      }
    }
  }
  async function run() {
    if (isRunning) return;
    isRunning = true;
    for (let next = nextJob(); next; next = nextJob()) {
      await ask(next);
      const isResting = fresh.size >= FEWEST_TOLD && Date.now() - askedAtMs > AT_REST_MS;
      if (isResting || fresh.size >= MOST_UNTOLD || waiting.view.length === 0) tell();
      await wait(REST_MS);
    }
    isRunning = false;
    tell();
  }
  return {
    want(asker, jobs) {
      if (asker === "view") askedAtMs = Date.now();
      waiting[asker] = jobs.filter(({ requestId }) => !prices.has(requestId));
      void run();
    },
    prices: () => prices,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The past prices of a connection. Its requests wait for the budget, behind submits, the form's estimates and polls. */
export const pastPricesOf = perConnection((api: Api) => {
  const control = pollControlOf(api);
  return createPastPrices({
    estimate: (request) => control.sendPaced(() => api.estimate(request)),
    isPaused: () => control.isPaused() || document.visibilityState === "hidden" || navigator.onLine === false,
    wait: (ms) => abortableDelay(ms),
  });
});
