import { useEffect, useRef } from "react";
import { RefusedError } from "#api/api-error.ts";
import type { SubmitState } from "#jobs/submit/submit-state.ts";
import type { EstimateState } from "#jobs/use-estimate.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";

/** Of the statuses of spec 7 those that speak of the key, the balance, the model or the pace, and of no parameter. */
const NOT_ABOUT_FIELDS = new Set([401, 402, 403, 404, 405, 408, 429]);

/** Answers that were put beside a field once: one that is seen again after a visit elsewhere is old news. */
const seen = new WeakSet<SubmitState>();

/**
 * Puts the service's own words beside the field that they name: why there is no price, and why a run was rejected.
 * Provider errors are passed through with their own status (spec 7, last row), so any other 4xx counts. Shows nothing.
 */
export function Refusals({
  store,
  estimate,
  state,
}: {
  store: FormStore;
  estimate: EstimateState;
  state: SubmitState;
}) {
  const isOfPrice = useRef(false);
  const noPrice = saidBy(estimate.error);
  const hasPrice = estimate.priceMicroUsd !== undefined && !estimate.isStale;
  useEffect(() => {
    if (noPrice !== undefined) isOfPrice.current = store.refuse(noPrice);
    // Another field may have been what was wrong. While a price is asked for the words stay, so that nothing jumps.
    else if (hasPrice && isOfPrice.current) isOfPrice.current = store.refuse(undefined);
  }, [store, noPrice, hasPrice]);
  useEffect(() => {
    if (state.phase !== "rejected" || seen.has(state)) return;
    seen.add(state);
    const said = isAboutFields(state.refusal.status) ? state.refusal.message : undefined;
    if (said === undefined) return;
    isOfPrice.current = false;
    store.attempt();
    store.refuse(said);
  }, [store, state]);
  return null;
}

const isAboutFields = (status: number) => status >= 400 && status < 500 && !NOT_ABOUT_FIELDS.has(status);

function saidBy(error: Error | null): string | undefined {
  return error instanceof RefusedError && isAboutFields(error.status) ? error.message : undefined;
}
