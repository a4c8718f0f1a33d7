import { useCallback, useEffect, useRef, useState } from "react";
import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { ALL_DIRECT, type Route, type Routes } from "#connection/connection.ts";
import { type ProbeResult, probeStorage } from "#connection/probe-storage.ts";
import { forgetRelay, isElsewhere, openRelay, routedFetch } from "#connection/relay.ts";
import { abortableDelay } from "#lib/delay.ts";

export interface Checks {
  queue: CheckState;
  text: CheckState;
  /** How storage can be reached; undefined until the queue answered and it was tried. */
  storage: { upload: ProbeResult; media: ProbeResult } | undefined;
}

interface CheckTarget {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  key: string;
}

/**
 * Checks a key against both catalogues at once (spec 5.2), directly or through the relay, and then how storage can be
 * reached. Starting again, or leaving, ends what is under way.
 */
export function useChecks() {
  const [checks, setChecks] = useState<Checks | null>(null);
  const controller = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    setChecks(null);
  }, []);

  const start = useCallback(async (target: CheckTarget) => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    forgetRelay();
    setChecks({ queue: { phase: "running" }, text: { phase: "running" }, storage: undefined });
    const report = (part: Partial<Checks>) =>
      setChecks((current) => (signal.aborted || current === null ? current : { ...current, ...part }));
    const apiBy = (routes: Partial<Routes>) =>
      createApi({ ...target, fetch: routedFetch({ ...target, routes: { ...ALL_DIRECT, ...routes } }) });

    const checkQueue = async () => {
      const result = await runCheck({
        baseUrl: target.queueBaseUrl,
        ask: (route, asking) => apiBy({ queue: route }).listModelIds(asking),
        onState: (queue) => report({ queue }),
        signal,
      });
      if (result?.phase !== "ok") return;
      report({ storage: await probeStorage(apiBy({ queue: result.route }), signal) });
    };
    const checkText = runCheck({
      baseUrl: target.inferenceBaseUrl,
      ask: (route, asking) => apiBy({ inference: route }).listTextModels(asking),
      onState: (text) => report({ text }),
      signal,
    });
    await Promise.all([checkQueue(), checkText]);
  }, []);

  useEffect(() => () => controller.current?.abort(), []);
  return { checks, start, stop };
}

/** The routes that the checks found. What could not be tried goes directly, and what is blocked too. */
export function routesOf({ queue, text, storage }: Checks): Routes {
  const found = (result: ProbeResult | undefined) => (result === "relay" ? "relay" : "direct");
  return {
    queue: queue.phase === "ok" ? queue.route : "direct",
    // A text catalogue that does not answer proves nothing about how its endpoints are reached.
    inference: text.phase === "ok" ? text.route : queue.phase === "ok" ? queue.route : "direct",
    upload: found(storage?.upload),
    media: found(storage?.media),
  };
}

/** How a check of one catalogue stands. Times in ms. */
export type CheckState =
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number; route: Route }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown };

const MOST_FAILURES = 6;

/**
 * Asks one catalogue until it answers. Where no answer comes and the studio's host has a relay for the address, it is
 * asked through that. A service that answers that it is busy or temporarily unavailable is asked again with backoff
 * (spec 5.5, spec 7 rule 1); any other answer, and none at all, ends the check. Gives the last state, or undefined when
 * stopped.
 */
async function runCheck({
  baseUrl,
  ask,
  onState,
  signal,
}: {
  baseUrl: string;
  ask: (route: Route, signal: AbortSignal) => Promise<readonly unknown[]>;
  onState: (state: CheckState) => void;
  signal: AbortSignal;
}): Promise<CheckState | undefined> {
  let route: Route = "direct";
  for (let failures = 0; !signal.aborted; ) {
    onState({ phase: "running" });
    const startedAt = performance.now();
    try {
      const { length } = await ask(route, signal);
      const tookMs = Math.round(performance.now() - startedAt);
      return report({ phase: "ok", count: length, tookMs, route });
    } catch (error) {
      if (signal.aborted) return undefined;
      const mayRelay = route === "direct" && error instanceof NoAnswerError && isElsewhere(baseUrl);
      if (mayRelay && (await openRelay("api", baseUrl))) {
        route = "relay";
        continue;
      }
      failures++;
      if (!(error instanceof RefusedError && isTransient(error)) || isRelaysOwn(error) || failures >= MOST_FAILURES) {
        return report({ phase: "failed", error });
      }
      const retryInMs = retryDelayMs(failures - 1);
      onState({ phase: "waiting", error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
  return undefined;

  function report(state: CheckState): CheckState {
    onState(state);
    return state;
  }
}

function isRelaysOwn(error: RefusedError): boolean {
  return error.type?.startsWith("relay_") === true;
}
