import { useCallback, useEffect, useRef, useState } from "react";
import { createApi } from "#api/create-api.ts";
import { type ProbeResult, probeStorage } from "#connection/probe-storage.ts";
import { forgetRelay } from "#connection/relay.ts";
import { routedFetch } from "#connection/routed-fetch.ts";
import { ALL_DIRECT, type Routes } from "#connection/routes.ts";
import { type CheckState, runCheck } from "./run-check.ts";

export interface Checks {
  queue: CheckState;
  text: CheckState;
  /** How storage can be reached; undefined until the queue answered and it was tried. */
  storage: { upload: ProbeResult; media: ProbeResult } | undefined;
}

export interface CheckTarget {
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
    // A text catalogue that does not answer says nothing about how its endpoints are reached.
    inference: text.phase === "ok" ? text.route : queue.phase === "ok" ? queue.route : "direct",
    upload: found(storage?.upload),
    media: found(storage?.media),
  };
}
