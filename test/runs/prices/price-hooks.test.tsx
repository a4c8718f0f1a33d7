import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { ClientContext, createQueryClient } from "#connection/client.ts";
import { fetchPrice, useEstimate } from "#runs/prices/estimate-queries.ts";
import { useRowPrices } from "#runs/prices/row-prices.ts";
import { flatPrice, openService, priceOf, product, refusal, row, SCHEMA, SCHEMAS } from "./price-service.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A page at such a service. */
function openPage(...answer: Parameters<typeof openService>) {
  const { api, asked } = openService(...answer);
  const queryClient = createQueryClient();
  const client = { connection: null, api, queryClient, calls: [] };
  const wrapper = ({ children }: { children: React.ReactNode }) => (
    <ClientContext.Provider value={client}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </ClientContext.Provider>
  );
  const asker = { api, client: queryClient };
  return { asked, wrapper, asker, pass: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)) };
}

describe("the prices of rows on a screen", () => {
  const showRows = (page: ReturnType<typeof openPage>, rows: readonly JobRequest[]) =>
    renderHook((props: { rows: readonly JobRequest[] }) => useRowPrices(props.rows, SCHEMAS), {
      initialProps: { rows },
      wrapper: page.wrapper,
    });

  it("come by themselves, and are one and the same object until one of them changes", async () => {
    const page = openPage();
    const rows = product(["A", "B"], [{ n: 1 }, { n: 2 }]);
    const { result, rerender } = showRows(page, rows);
    expect(result.current.progress).toMatchObject({ priced: 0, total: 4, waiting: 2 });
    await page.pass(1000);
    expect(rows.map((one) => priceOf(result.current, one))).toEqual(rows.map(flatPrice));
    const before = result.current;
    rerender({ rows: rows.map((one) => ({ ...one })) });
    expect(result.current).toBe(before);
    rerender({ rows: [...rows, row({ n: 3 })] });
    await page.pass(1000);
    expect(result.current.progress).toMatchObject({ priced: 5, total: 5 });
    expect(page.asked).toHaveLength(3);
  });

  it("go on by themselves after a check that got no answer", async () => {
    let isDown = false;
    const page = openPage(({ payload }) => {
      if (isDown && String(payload.prompt).length < 4) return new NoAnswerError();
      return 1000 * String(payload.prompt).length;
    });
    const rows = product(["A", "BB", "CCC", "DDDD"], [{}]);
    const { result } = showRows(page, rows);
    await page.pass(1000);
    isDown = true;
    const checked = result.current.check(rows).catch((error: unknown) => error);
    await page.pass(30_000);
    expect(await checked).toBeInstanceOf(NoAnswerError);
    expect(result.current.progress.trouble).toBeInstanceOf(NoAnswerError);
    isDown = false;
    await page.pass(60_000);
    expect(rows.map((one) => priceOf(result.current, one))).toEqual([1000, 2000, 3000, 4000]);
    expect(result.current.progress.trouble).toBeUndefined();
  });

  it("stay for as long as they are shown", async () => {
    const page = openPage();
    const rows = product(["A", "B"], [{}]);
    const { result } = showRows(page, rows);
    await page.pass(3 * 60 * 60_000 + 45 * 60_000);
    expect(rows.map((one) => priceOf(result.current, one))).toEqual([10_000, 10_000]);
  });

  it("are told anew by a refresh, and are not asked for once the screen is left", async () => {
    let factor = 1;
    const page = openPage((request) => factor * flatPrice(request));
    const { result, unmount } = showRows(page, [row({})]);
    await page.pass(1000);
    factor = 2;
    act(() => result.current.refresh());
    await page.pass(1000);
    expect(priceOf(result.current, row({}))).toBe(20_000);
    factor = 3;
    act(() => result.current.refresh());
    unmount();
    const before = page.asked.length;
    await page.pass(120_000);
    expect(page.asked.length - before).toBeLessThanOrEqual(1);
  });
});

describe("the price of a form", () => {
  const showForm = (page: ReturnType<typeof openPage>, request: JobRequest) =>
    renderHook((props: { request: JobRequest }) => useEstimate(props.request, SCHEMA).price, {
      initialProps: { request },
      wrapper: page.wrapper,
    });
  const exact = { state: "priced", priceMicroUsd: 10_000, isExact: true };
  const expected = { ...exact, isExact: false };

  it("stays as the expected one where only words or seeds change, and is asked for after two seconds", async () => {
    const page = openPage();
    const { result, rerender } = showForm(page, row({ prompt: "A" }));
    expect(result.current).toEqual({ state: "pricing" });
    await page.pass(100);
    expect(result.current).toEqual(exact);
    rerender({ request: row({ prompt: "A lamp", seed: 7 }) });
    expect(result.current).toEqual(expected);
    await page.pass(1900);
    expect(page.asked).toHaveLength(1);
    await page.pass(200);
    await page.pass(100);
    expect(result.current).toEqual(exact);
    expect(page.asked).toHaveLength(2);
  });

  it("is asked for at once where a number or an option changes, and none is expected", async () => {
    const page = openPage();
    const { result, rerender } = showForm(page, row({}));
    await page.pass(100);
    for (const change of [{ guidance: 2 }, { size: "large" }, { size: "large", n: 2 }]) {
      const former = result.current.state === "priced" ? result.current.priceMicroUsd : 0;
      rerender({ request: row(change) });
      expect(result.current).toEqual({ state: "pricing", formerMicroUsd: former });
      await page.pass(300);
      await page.pass(100);
      expect(result.current).toEqual({ ...exact, priceMicroUsd: flatPrice(row(change)) });
    }
  });

  it("is expected of nothing after a refusal, until a price is told", async () => {
    const page = openPage(({ payload }) => (payload.prompt === "bad" ? refusal(400) : 10_000));
    const { result, rerender } = showForm(page, row({ prompt: "A" }));
    await page.pass(100);
    rerender({ request: row({ prompt: "bad" }) });
    await page.pass(2000);
    await page.pass(100);
    expect(result.current).toMatchObject({ state: "failed", error: { status: 400 } });
    rerender({ request: row({ prompt: "good" }) });
    expect(result.current).toEqual({ state: "pricing", formerMicroUsd: 10_000 });
    await page.pass(300);
    await page.pass(100);
    expect(result.current).toEqual(exact);
  });

  it("that a run waits for is tried five times, also when the form goes on to another payload", async () => {
    const page = openPage((request, at) => (at <= 3 ? refusal(429) : flatPrice(request)));
    const { rerender } = showForm(page, row({ prompt: "A" }));
    const price = fetchPrice(page.asker, row({ prompt: "A" }));
    rerender({ request: row({ prompt: "B" }) });
    await page.pass(30_000);
    expect(await price).toBe(10_000);
  });
});
