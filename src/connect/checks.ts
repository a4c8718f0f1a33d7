import { useCallback, useEffect, useRef, useState } from "react";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { fetchOfOpened } from "#connection/open-connection.ts";
import type { Ticketed } from "#connection/stored-connections.ts";
import { abortableDelay } from "#lib/delay.ts";

/** The two halves of a service. */
export type Half = "queue" | "inference";

export type Checks = Record<Half, CheckState>;

/** How a check of one catalogue stands, and of which address. Times in ms. */
export type CheckState = { address: string } & (
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown }
);

/** Where each half may be, the likeliest first. None is empty. */
export type CandidateAddresses = Record<Half, readonly string[]>;

/** Gives the key away for two addresses. Rejects where whoever holds keys refuses one of them. */
export type Open = (addresses: Record<Half, string>) => Promise<Ticketed>;

export function isBusy({ phase }: CheckState): boolean {
  return phase === "running" || phase === "waiting";
}

/**
 * Checks a key, which its holder has by now, against both catalogues at once (spec 5.2), at each place in turn until one
 * answers like the service. Starting again, or leaving, ends what is under way. `start` resolves with the last states.
 */
export function useChecks() {
  const [checks, setChecks] = useState<Checks | null>(null);
  const controller = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    setChecks(null);
  }, []);

  const start = useCallback(async (candidates: CandidateAddresses, open: Open): Promise<Checks | undefined> => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const checks = await search(candidates, open, { signal, onState: (state) => !signal.aborted && setChecks(state) });
    return signal.aborted ? undefined : checks;
  }, []);

  useEffect(() => () => controller.current?.abort(), []);
  return { checks, start, stop };
}

interface Search {
  signal: AbortSignal;
  onState: (checks: Checks) => void;
}

/** Asks pairs of candidates until both halves have answered, or there is no other place. The pair asked last is the one found. */
async function search(candidates: CandidateAddresses, open: Open, { signal, onState }: Search): Promise<Checks> {
  const at: Record<Half, number> = { queue: 0, inference: 0 };
  const place = (half: Half) => candidates[half][at[half]] ?? candidates[half][0] ?? "";
  let checks: Checks = {
    queue: { phase: "running", address: place("queue") },
    inference: { phase: "running", address: place("inference") },
  };
  /** What is said where no place answers: of all the failures the most specific one. */
  const failures: Partial<Record<Half, CheckState & { phase: "failed" }>> = {};
  const report = (half: Half, state: CheckState) => {
    checks = { ...checks, [half]: state };
    onState(checks);
  };
  for (let isOver = false; !isOver && !signal.aborted; ) {
    onState(checks);
    const pair = { queue: place("queue"), inference: place("inference") };
    const opened = await openBoth(pair, open, signal);
    await Promise.all(
      (["queue", "inference"] as const).map(async (half) => {
        if (checks[half].phase === "ok") return;
        const address = pair[half];
        const refusal = opened.refusals[half];
        if (refusal !== undefined || !opened.ticketed) report(half, { phase: "failed", address, error: refusal });
        else
          await runCheck({
            ...asksOf(opened.ticketed)[half],
            address,
            onState: (state) => report(half, state),
            signal,
          });
      }),
    );
    isOver = true;
    for (const half of ["queue", "inference"] as const) {
      const state = checks[half];
      if (state.phase !== "failed") continue;
      if (rank(state.error) > rank(failures[half]?.error)) failures[half] = state;
      const next = nextPlace(candidates[half], at[half], state.error);
      if (next === undefined) report(half, failures[half] ?? state);
      else {
        at[half] = next;
        isOver = false;
        checks = { ...checks, [half]: { phase: "running", address: place(half) } };
      }
    }
  }
  return checks;
}

function asksOf(opened: Ticketed) {
  const { queueBaseUrl, inferenceBaseUrl } = opened.connection;
  const api = createApi({ queueBaseUrl, inferenceBaseUrl, fetch: fetchOfOpened(opened) });
  return {
    queue: { ask: (signal: AbortSignal) => api.listModelIds(signal) as Promise<readonly unknown[]> },
    inference: { ask: (signal: AbortSignal) => api.listTextModels(signal) as Promise<readonly unknown[]> },
  };
}

/**
 * The key is given away for both addresses. Where the host goes to one of them only, it gets the key for that one, with
 * an address on the same host in the place of the other, so that the one that works can be used.
 */
async function openBoth(pair: Record<Half, string>, open: Open, signal: AbortSignal) {
  const attempt = async (addresses: Record<Half, string>) =>
    (signal.aborted ? Promise.reject(signal.reason) : open(addresses)).then(
      (ticketed) => ({ ticketed, error: undefined }),
      (error: unknown) => ({ ticketed: undefined, error }),
    );
  const both = await attempt(pair);
  if (both.ticketed) return { ticketed: both.ticketed, refusals: {} as Partial<Record<Half, unknown>> };
  const neither = { ticketed: undefined, refusals: { queue: both.error, inference: both.error } };
  const [queueOrigin, textOrigin] = [originOf(pair.queue), originOf(pair.inference)];
  const isOfAddress = both.error instanceof RefusedError && both.error.hostReason === "not_allowed";
  if (!isOfAddress || queueOrigin === textOrigin) return neither;
  const queue = await attempt({ queue: pair.queue, inference: queueOrigin });
  if (queue.ticketed) return { ticketed: queue.ticketed, refusals: { inference: both.error } };
  const text = await attempt({ queue: `${textOrigin}/api/v1/queue`, inference: pair.inference });
  return {
    ticketed: text.ticketed,
    refusals: { queue: queue.error, ...(text.ticketed ? {} : { inference: text.error }) },
  };
}

function originOf(address: string): string {
  return new URL(address, location.href).origin;
}

/** The next place worth asking, or undefined. A host that gives no answer is not asked again, and a key that is refused nowhere. */
function nextPlace(candidates: readonly string[], at: number, error: unknown): number | undefined {
  if (error instanceof RefusedError) {
    if (error.status === 401 || error.status === 402 || error.status === 429 || error.status >= 500) {
      return otherHost(candidates, at, error.hostReason !== undefined);
    }
    if (error.hostReason !== undefined) return otherHost(candidates, at, true);
  } else if (error instanceof NoAnswerError) return otherHost(candidates, at, true);
  return at + 1 < candidates.length ? at + 1 : undefined;
}

function otherHost(candidates: readonly string[], at: number, isOfHost: boolean): number | undefined {
  const here = originOf(candidates[at] ?? "");
  const next = candidates.findIndex((place, index) => index > at && originOf(place) !== here);
  return isOfHost && next >= 0 ? next : undefined;
}

/** How specific a failure is: a service that knows the key or the path more than a page that knows neither. */
function rank(error: unknown): number {
  if (error === undefined) return 0;
  if (error instanceof UnreadableAnswerError) return /^\s*</.test(error.excerpt) ? 4 : 5;
  if (!(error instanceof RefusedError)) return 1;
  if (error.status === 401 || error.status >= 429) return 7;
  return { 403: 6, 405: 3 }[error.status] ?? 2;
}

const MAX_FAILURES = 6;

/**
 * Asks one catalogue until it answers. A service that answers that it is busy or temporarily unavailable is asked again
 * with backoff (spec 5.5, spec 7 rule 1); any other answer, a refusal of the studio's own host, and no answer at all end
 * the check. Never rejects.
 */
async function runCheck({
  ask,
  address,
  onState,
  signal,
}: {
  ask: (signal: AbortSignal) => Promise<readonly unknown[]>;
  address: string;
  onState: (state: CheckState) => void;
  signal: AbortSignal;
}): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    onState({ phase: "running", address });
    const startedAt = performance.now();
    try {
      const { length } = await ask(signal);
      onState({ phase: "ok", address, count: length, tookMs: Math.round(performance.now() - startedAt) });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error) || failures >= MAX_FAILURES) {
        onState({ phase: "failed", address, error });
        return;
      }
      const retryInMs = retryDelayMs(failures - 1, error);
      onState({ phase: "waiting", address, error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof RefusedError && error.hostReason === undefined && isTransient(error);
}
