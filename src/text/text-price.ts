import type { MicroUsd } from "#lib/money.ts";
import { asLooseNumber, isRecord, type JsonRecord } from "#lib/read.ts";
import type { AnswerFacts } from "./answer.ts";

/** US dollars for one token. */
interface TextPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** The price in an entry of /v1/models, in the shapes that services use; undefined where there is none (spec 4.2). */
export function readTextPrice(raw: JsonRecord): TextPrice | undefined {
  const pricing = Array.isArray(raw.pricing) ? raw.pricing[0] : raw.pricing;
  if (!isRecord(pricing)) return undefined;
  const input = dollars(pricing.prompt ?? pricing.input);
  const output = dollars(pricing.completion ?? pricing.output);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = dollars(pricing.cache_read ?? pricing.input_cache_read);
  const cacheWrite = dollars(pricing.cache_write ?? pricing.input_cache_write);
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** A price for each token is a small number; anything larger is a price for a million, and is not guessed at. */
function dollars(value: unknown): number | undefined {
  const number = asLooseNumber(value);
  return number !== undefined && number >= 0 && number < 0.01 ? number : undefined;
}

/**
 * What an answer cost in US dollars, by the token counts that the service gave. Undefined where a count or the price of
 * a part that was used is missing: a part of the price would be a wrong one.
 */
export function answerCost(facts: AnswerFacts, price: TextPrice | undefined): number | undefined {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = facts;
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  if (cachedTokens > 0 && price.cacheRead === undefined) return undefined;
  if (cacheWriteTokens > 0 && price.cacheWrite === undefined) return undefined;
  return (
    (inputTokens - cachedTokens - cacheWriteTokens) * price.input +
    cachedTokens * (price.cacheRead ?? 0) +
    cacheWriteTokens * (price.cacheWrite ?? 0) +
    outputTokens * price.output
  );
}

/** `answerCost` in whole micro-USD, rounded up once, as a bill does. Undefined as there. */
export function answerMicroUsd(facts: AnswerFacts, price: TextPrice | undefined): MicroUsd | undefined {
  const cost = answerCost(facts, price);
  return cost === undefined ? undefined : roundedUp(cost);
}

/** The most that these tokens may cost, in whole micro-USD: all of the input at the dearest rate. */
export function maxMicroUsd(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { input, output, cacheWrite = 0 }: TextPrice,
): MicroUsd {
  return roundedUp(inputTokens * Math.max(input, cacheWrite) + outputTokens * output);
}

/** Prices have no digits below a millionth of a micro-USD: what is smaller is the error of a float. */
const roundedUp = (dollars: number) => Math.max(0, Math.ceil(dollars * 1e6 - 1e-6));

/** Dollars with at least two decimals and two significant digits: `$0.00032`, `$0.14`. */
export function formatDollars(value: number): string {
  if (value === 0) return "$0.00";
  const decimals = Math.min(9, Math.max(2, 1 - Math.floor(Math.log10(value))));
  return `$${value.toFixed(decimals)}`;
}
