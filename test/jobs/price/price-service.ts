import { vi } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { createPriceDependence } from "#jobs/price/price-dependence.ts";
import { createRowPrices } from "#jobs/price/row-prices.ts";
import type { ModelSchemas } from "#jobs/use-model-schemas.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { JsonRecord } from "#lib/read.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";

const schema = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "seed", type: "integer" },
  { name: "size", type: "enum", options: ["small", "large", "huge"], default_value: "small" },
  { name: "n", type: "integer", min_value: 1, max_value: 100, default_value: 1 },
  { name: "guidance", type: "number", min_value: 0, max_value: 5000, default_value: 1 },
]);
const ready = { state: "ready", schema, type: "image" } as const;
export const SCHEMAS: ModelSchemas = new Map([
  ["a", ready],
  ["b", ready],
]);
export const row = (payload: JsonRecord, model = "a"): JobRequest => ({
  model,
  payload: { prompt: "A lamp", ...payload },
});

const SIZES: Record<string, number> = { small: 1, large: 2, huge: 4 };
/** By the specification: flat, by size and number. */
export const flatPrice = ({ payload }: JobRequest) =>
  10_000 * (SIZES[String(payload.size ?? "small")] ?? 1) * Number(payload.n ?? 1);

/** A service that answers after 50 ms. */
export function open(priceOf: (request: JobRequest, at: number) => number | Error = flatPrice) {
  const asked: JobRequest[] = [];
  const dependence = createPriceDependence();
  const prices = createRowPrices({
    dependence,
    wait: (ms) => abortableDelay(ms),
    estimate: async (request) => {
      asked.push(request);
      const at = asked.length;
      await abortableDelay(50);
      const price = priceOf(request, at);
      if (price instanceof Error) throw price;
      dependence.note(request, price);
      return { priceMicroUsd: price, atMs: Date.now() };
    },
  });
  const asker = {};
  return {
    prices,
    asked,
    dependence,
    want: async (rows: readonly JobRequest[], ms = 600_000) => {
      prices.want(asker, rows, SCHEMAS);
      await vi.advanceTimersByTimeAsync(ms);
    },
    check: async (rows: readonly JobRequest[], ms = 20_000) => {
      const checked = prices.check(rows, SCHEMAS).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(ms);
      return checked;
    },
  };
}
export const product = (prompts: readonly string[], more: readonly JsonRecord[], models: readonly string[] = ["a"]) =>
  models.flatMap((model) => prompts.flatMap((prompt) => more.map((payload) => row({ prompt, ...payload }, model))));
export const priceOf = (prices: ReturnType<typeof open>["prices"], request: JobRequest) => {
  const price = prices.of(request);
  return price.state === "priced" ? price.priceMicroUsd : price.state;
};
export const refusal = (status: number, message = "Refused") => new RefusedError({ status, message });
export const seeds = (count: number) => Array.from({ length: count }, (_, at) => ({ seed: at }));
