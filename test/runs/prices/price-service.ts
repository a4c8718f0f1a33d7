import { vi } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { createQueryClient } from "#connection/client.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { JsonRecord } from "#lib/read.ts";
import {
  askPrices,
  checkPrices,
  forgetModelErrors,
  priceGroups,
  readPrices,
  renewPrices,
} from "#runs/prices/row-prices.ts";
import { readSchema } from "#schema-form/read/read-schema.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { withKey } from "../../setup/with-key.ts";

export const SCHEMA = readSchema([
  { name: "prompt", type: "string", required: true },
  { name: "seed", type: "integer" },
  { name: "size", type: "enum", options: ["small", "large", "huge"], default_value: "small" },
  { name: "n", type: "integer", min_value: 1, max_value: 100, default_value: 1 },
  { name: "guidance", type: "number", min_value: 0, max_value: 5000, default_value: 1 },
]);
const ready = { state: "ready", schema: SCHEMA, type: "image" } as const;
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

/** What a service says of a request, and of how many before it. */
type Answer = (request: JobRequest, at: number) => number | Error;

/** A service that answers after 50 ms, and what it was asked for. */
export function openService(priceOf: Answer = flatPrice) {
  const asked: JobRequest[] = [];
  const nowhere = createApi(withKey({ queueBaseUrl: "http://a.test", inferenceBaseUrl: "http://a.test", key: "k" }));
  const api: Api = {
    ...nowhere,
    async estimate(request) {
      asked.push(request);
      const price = priceOf(request, asked.length);
      await abortableDelay(50);
      if (price instanceof Error) throw price;
      return { model: request.model, priceMicroUsd: price };
    },
  };
  return { api, asked };
}

/** A service, and a list of rows. */
export function open(priceOf?: Answer) {
  const { api, asked } = openService(priceOf);
  const client = createQueryClient();
  let shown: readonly JobRequest[] = [];
  const asker = { api, client };
  let abort = new AbortController();
  let ending: Promise<unknown> = Promise.resolve();
  const groups = (rows: readonly JobRequest[]) => priceGroups(rows, SCHEMAS);
  const prices = {
    of: (row: JobRequest) => readPrices(client, groups(shown)).of(row),
    progress: (rows: readonly JobRequest[] = shown) => readPrices(client, groups(shown)).progress(rows, SCHEMAS),
    renew: () => renewPrices(asker, groups(shown)),
  };
  return {
    prices,
    asked,
    client,
    api,
    /** These are the rows now; those of before are not asked for any more. */
    want: async (rows: readonly JobRequest[], ms = 600_000) => {
      abort.abort();
      abort = new AbortController();
      shown = rows;
      forgetModelErrors(asker, groups(rows));
      ending = askPrices(asker, groups(rows), { signal: abort.signal }).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(ms);
    },
    /** How the last asking ended: undefined, or the error that waiting may cure. */
    end: () => ending,
    check: async (rows: readonly JobRequest[], ms = 60_000) => {
      const { of } = readPrices(client, groups(rows));
      const checked = checkPrices(asker, groups(rows), of, rows).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(ms);
      return checked;
    },
  };
}
export const product = (prompts: readonly string[], more: readonly JsonRecord[], models: readonly string[] = ["a"]) =>
  models.flatMap((model) => prompts.flatMap((prompt) => more.map((payload) => row({ prompt, ...payload }, model))));
export const priceOf = ({ of }: Pick<ReturnType<typeof open>["prices"], "of">, request: JobRequest) => {
  const price = of(request);
  return price.state === "priced" ? price.priceMicroUsd : price.state;
};
export const refusal = (status: number, message = "Refused") => new RefusedError({ status, message });
export const seeds = (count: number) => Array.from({ length: count }, (_, at) => ({ seed: at }));
