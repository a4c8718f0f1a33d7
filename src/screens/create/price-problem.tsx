import { explainError } from "#api/explain-error.ts";

/** Why there is no price. Loaded when there is none. */
export function PriceProblem({ error }: { error: unknown }) {
  const { body, nextStep } = explainError(error, "estimate");
  return `No price: ${body} ${nextStep}`;
}
