import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import { createQueryClient } from "#connection/client.ts";
import { estimateQueries } from "#runs/prices/estimate-queries.ts";
import { withKey } from "../../setup/with-key.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = (retryAfterMs?: number) => new RefusedError({ status: 429, message: "busy", retryAfterMs });

/** Asks for one price of a service that fails so often, and gives the waits between the requests in ms. */
async function ask(failures: readonly unknown[]) {
  const times: number[] = [];
  const nowhere = createApi(withKey({ queueBaseUrl: "http://a.test", inferenceBaseUrl: "http://a.test", key: "k" }));
  const api: Api = {
    ...nowhere,
    estimate: async ({ model }) => {
      times.push(performance.now());
      const failure = failures[times.length - 1];
      if (failure !== undefined) throw failure;
      return { model, priceMicroUsd: 140_000 };
    },
  };
  const price = createQueryClient()
    .fetchQuery(estimateQueries(api).price({ model: "m", payload: {} }))
    .then(
      ({ priceMicroUsd }) => priceMicroUsd,
      (error: unknown) => error,
    );
  await vi.advanceTimersByTimeAsync(300_000);
  return { price: await price, waits: times.slice(1).map((at, place) => at - (times[place] ?? 0)) };
}

// Spec 7 rules 1 and 2.
describe("an estimate", () => {
  test("is asked for five times, after about 1, 2, 4 and 8 s", async () => {
    const { price, waits } = await ask([busy(), busy(), busy(), busy()]);
    expect(price).toBe(140_000);
    expect(waits).toHaveLength(4);
    waits.forEach((wait, place) => {
      expect(wait).toBeGreaterThanOrEqual(750 * 2 ** place);
      // The timers of this clock go in whole milliseconds.
      expect(wait).toBeLessThanOrEqual(1250 * 2 ** place + 1);
    });
  });

  test.each([
    ["429", busy()],
    ["no answer", new NoAnswerError()],
  ])("is given up after five times %s", async (_name, error) => {
    const { price, waits } = await ask(Array.from({ length: 9 }, () => error));
    expect(price).toBe(error);
    expect(waits).toHaveLength(4);
  });

  test.each([
    ["400", new RefusedError({ status: 400, message: "no" })],
    ["401", new RefusedError({ status: 401, message: "no" })],
    ["404", new RefusedError({ status: 404, message: "no" })],
    ["an unreadable answer", new UnreadableAnswerError({ status: 200, excerpt: "", reason: "no" })],
  ])("is asked for once after %s", async (_name, error) => {
    expect(await ask([error])).toEqual({ price: error, waits: [] });
  });

  test("waits as long as the service asks, and two minutes at most", async () => {
    const { waits } = await ask([busy(30_000), busy(900_000)]);
    expect(waits).toEqual([30_000, 120_000]);
  });
});
