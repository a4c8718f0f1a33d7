import { useCallback, useEffect, useRef, useState } from "react";
import { RefusedError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { fetchOfOpened } from "#connection/open-connection.ts";
import type { Ticketed } from "#connection/stored-connections.ts";
import { abortableDelay } from "#lib/delay.ts";

export interface Checks {
  queue: CheckState;
  text: CheckState;
}

/** Checks a key, which its holder has by now, against both catalogues at once (spec 5.2). Starting again, or leaving, ends what is under way. */
export function useChecks() {
  const [checks, setChecks] = useState<Checks | null>(null);
  const controller = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    setChecks(null);
  }, []);

  const start = useCallback(async (open: () => Promise<Ticketed>) => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    setChecks({ queue: { phase: "running" }, text: { phase: "running" } });
    const report = (part: Partial<Checks>) =>
      setChecks((current) => (signal.aborted || current === null ? current : { ...current, ...part }));
    let opened: Ticketed;
    try {
      opened = await open();
    } catch (error) {
      // Whoever was to hold the key refused it, or one of the addresses: neither catalogue was asked.
      report({ queue: { phase: "failed", error }, text: { phase: "failed", error } });
      return;
    }
    const { queueBaseUrl, inferenceBaseUrl } = opened.connection;
    const api = createApi({ queueBaseUrl, inferenceBaseUrl, fetch: fetchOfOpened(opened) });
    await Promise.all([
      runCheck({ ask: (asking) => api.listModelIds(asking), onState: (queue) => report({ queue }), signal }),
      runCheck({ ask: (asking) => api.listTextModels(asking), onState: (text) => report({ text }), signal }),
    ]);
  }, []);

  useEffect(() => () => controller.current?.abort(), []);
  return { checks, start, stop };
}

/** How a check of one catalogue stands. Times in ms. */
export type CheckState =
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown };

const MOST_FAILURES = 6;

/**
 * Asks one catalogue until it answers. A service that answers that it is busy or temporarily unavailable is asked again
 * with backoff (spec 5.5, spec 7 rule 1); any other answer, a refusal of the studio's own host, and no answer at all end
 * the check. Never rejects.
 */
async function runCheck({
  ask,
  onState,
  signal,
}: {
  ask: (signal: AbortSignal) => Promise<readonly unknown[]>;
  onState: (state: CheckState) => void;
  signal: AbortSignal;
}): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    onState({ phase: "running" });
    const startedAt = performance.now();
    try {
      const { length } = await ask(signal);
      onState({ phase: "ok", count: length, tookMs: Math.round(performance.now() - startedAt) });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error) || failures >= MOST_FAILURES) {
        onState({ phase: "failed", error });
        return;
      }
      const retryInMs = retryDelayMs(failures - 1, error);
      onState({ phase: "waiting", error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof RefusedError && error.hostReason === undefined && isTransient(error);
}
