import { NoAnswerError, RefusedError } from "#api/api-error.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { isElsewhere, openRelay } from "#connection/relay.ts";
import type { Route } from "#connection/routes.ts";
import { abortableDelay } from "#lib/delay.ts";

/** How a check of one catalogue stands. Times in ms. */
export type CheckState =
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number; route: Route }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown };

const MOST_FAILURES = 6;

/**
 * Asks one catalogue until it answers. Where no answer comes and the studio's host has a relay for the address, it is
 * asked through that. A service that says it is busy or temporarily unavailable is asked again with backoff (spec 5.5,
 * spec 7 rule 1); any other answer, and none at all, ends the check. Gives the last state, or undefined when stopped.
 */
export async function runCheck({
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
      return tell({ phase: "ok", count: length, tookMs, route });
    } catch (error) {
      if (signal.aborted) return undefined;
      const mayRelay = route === "direct" && error instanceof NoAnswerError && isElsewhere(baseUrl);
      if (mayRelay && (await openRelay("api", baseUrl))) {
        route = "relay";
        continue;
      }
      failures++;
      if (!(error instanceof RefusedError && isTransient(error)) || isRelaysOwn(error) || failures >= MOST_FAILURES) {
        return tell({ phase: "failed", error });
      }
      const retryInMs = retryDelayMs(failures - 1);
      onState({ phase: "waiting", error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
  return undefined;

  function tell(state: CheckState): CheckState {
    onState(state);
    return state;
  }
}

function isRelaysOwn(error: RefusedError): boolean {
  return error.type?.startsWith("relay_") === true;
}
