import { isRecord } from "#lib/json.ts";
import { isMicroUsd } from "#lib/money.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import type { Estimate } from "./types.ts";

/**
 * Reads an estimate (spec 2). The estimate is the charge, so nothing is guessed: a price that is not a whole, safe,
 * non-negative number, or a currency other than `micro_usd`, is an `UnreadableAnswerError` and the price stays unknown.
 */
export function readEstimate(raw: unknown, model: string): Estimate {
  const record = isRecord(raw) ? raw : {};
  const price = record.price;
  if (record.currency !== "micro_usd" || !isMicroUsd(price)) {
    const excerpt = JSON.stringify(raw) ?? "";
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The price cannot be read." });
  }
  return { model: typeof record.model === "string" ? record.model : model, priceMicroUsd: price };
}
