import { useQuery } from "@tanstack/react-query";
import { type AnswerFacts, tokensPerSecond } from "#chat/answer-facts.ts";
import { answerCost, formatDollars, readTextPrice } from "#chat/text-price.ts";
import { useApi } from "#connection/connection-provider.tsx";
import { textModelQueries } from "#models/model-queries.ts";

/** What was measured of an answer, as far as the service told it. A cost only where /v1/models gives a price. */
export function StatsLine({ facts, model }: { facts: AnswerFacts; model?: string | undefined }) {
  const cost = useAnswerCost(facts, model);
  const words = factWords(facts);
  if (cost !== undefined) words.push(formatDollars(cost));
  if (words.length === 0) return null;
  return (
    <p className="m-0 flex flex-wrap gap-x-3.5 text-[12px] text-ink-3 tabular-nums leading-5">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </p>
  );
}

/** US dollars by the catalogue's price; undefined where it tells none. */
export function useAnswerCost(facts: AnswerFacts, model: string | undefined): number | undefined {
  const { data } = useQuery({ ...textModelQueries(useApi()).all(), enabled: model !== undefined });
  const entry = data?.find(({ id }) => id === model);
  return entry && answerCost(facts, readTextPrice(entry.raw));
}

const count = (value: number) => value.toLocaleString("en-US");

function factWords(facts: AnswerFacts): string[] {
  const { outputTokens, inputTokens, firstTokenMs, cachedTokens, cacheWriteTokens, reasoningTokens } = facts;
  const pace = tokensPerSecond(facts);
  return [
    outputTokens !== undefined && facts.totalMs !== undefined
      ? `${count(outputTokens)} tokens`
      : facts.pieces > 0
        ? `${count(facts.pieces)} chunks`
        : "",
    inputTokens === undefined ? "" : `${count(inputTokens)} in`,
    firstTokenMs === undefined ? "" : `${(firstTokenMs / 1000).toFixed(2)} s to first`,
    pace === undefined ? "" : `${count(Math.round(pace))} tok/s`,
    reasoningTokens ? `${count(reasoningTokens)} reasoning` : "",
    cachedTokens ? `${count(cachedTokens)} read from cache` : "",
    cacheWriteTokens ? `${count(cacheWriteTokens)} written to cache` : "",
    facts.stopReason && !USUAL_STOPS.has(facts.stopReason) ? facts.stopReason : "",
  ].filter((word) => word !== "");
}

/** An answer that ended because all was said needs no word about it. */
const USUAL_STOPS = new Set(["stop", "end_turn", "completed"]);
