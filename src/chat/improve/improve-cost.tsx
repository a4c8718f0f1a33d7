import type { TextModel } from "#api/types.ts";
import type { AnswerFacts } from "../answer-facts.ts";
import { answerCost, formatDollars, readTextPrice } from "../text-price.ts";

/** What an improvement took: tokens as the service told them, and money where the catalogue gives a price. */
export function ImproveCost({ facts, model }: { facts: AnswerFacts; model: TextModel }) {
  const { inputTokens, outputTokens, totalMs } = facts;
  if (totalMs === undefined) return null;
  const cost = answerCost(facts, readTextPrice(model.raw));
  const tokens =
    inputTokens === undefined || outputTokens === undefined
      ? "The service did not tell the tokens."
      : `${inputTokens.toLocaleString("en-US")} tokens in, ${outputTokens.toLocaleString("en-US")} out`;
  return (
    <p
      role="status"
      className="m-0 mr-auto min-w-0 self-center text-[12px] max-sm:w-full text-ink-3 tabular-nums leading-4"
    >
      {tokens}
      {cost !== undefined && `, ${formatDollars(cost)}`}
    </p>
  );
}
