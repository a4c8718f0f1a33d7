import { describe, expect, test } from "vitest";
import { answerCost, formatDollars, readTextPrice } from "#text/answer-spend.ts";

describe("the price of an answer", () => {
  const price = readTextPrice({ pricing: [{ prompt: "0.000003", completion: "0.000015", cache_read: "0.0000003" }] });

  test("uses the prices in /v1/models, with cached input at its own rate", () => {
    const facts = { pieces: 0, inputTokens: 1000, outputTokens: 100, cachedTokens: 600 };
    expect(answerCost(facts, price)).toBeCloseTo(400 * 3e-6 + 600 * 3e-7 + 100 * 15e-6, 12);
  });

  test("is undefined when a count, a price or a used rate is missing", () => {
    expect(answerCost({ pieces: 0, inputTokens: 5 }, price)).toBeUndefined();
    expect(answerCost({ pieces: 0, inputTokens: 5, outputTokens: 5 }, undefined)).toBeUndefined();
    expect(answerCost({ pieces: 0, inputTokens: 9, outputTokens: 5, cacheWriteTokens: 3 }, price)).toBeUndefined();
    expect(readTextPrice({})).toBeUndefined();
    expect(readTextPrice({ pricing: { prompt: 3, completion: 15 } })).toBeUndefined();
  });

  test("is written with two significant digits", () => {
    expect([0, 0.14, 0.000318, 12.5].map(formatDollars)).toEqual(["$0.00", "$0.14", "$0.00032", "$12.50"]);
  });
});
