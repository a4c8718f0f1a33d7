import { useSyncExternalStore } from "react";
import { explainError } from "#api/explain-error.ts";
import type { FormStore } from "#schema-form/form/form-store.ts";

/** Why there is no price, in full or by the field that says it. Loaded when there is none. */
export function PriceProblem({ error, store }: { error: unknown; store: FormStore }) {
  const refused = useSyncExternalStore(store.subscribe, store.getRefused);
  const { body, chargedText, nextStep } = explainError(error, "estimate");
  if (refused?.missing) return `No price yet. The service says: ${refused.message}.`;
  if (refused) return `No price: the service refuses ${refused.label} as it is. ${chargedText}`;
  return `No price: ${body} ${chargedText} ${nextStep}`;
}
