import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Api, createApi } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { createQueryClient } from "#connection/client.ts";
import type { MicroUsd } from "#lib/money.ts";
import { askPastPrices } from "#runs/prices/past-prices.ts";
import { withKey } from "../../setup/with-key.ts";
import { refusal } from "./price-service.ts";

const job = (requestId: string, prompt: string, model = "m") => ({ requestId, model, payload: { prompt } });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A service that tells 1,000 for every payload but some. */
function open(answer: (request: JobRequest) => number | Error = () => 1000) {
  const asked: string[] = [];
  const nowhere = createApi(withKey({ queueBaseUrl: "http://a.test", inferenceBaseUrl: "http://a.test", key: "k" }));
  const api: Api = {
    ...nowhere,
    async estimate(request) {
      asked.push(`${request.model} ${request.payload.prompt}`);
      const told = answer(request);
      if (told instanceof Error) throw told;
      return { model: request.model, priceMicroUsd: told };
    },
  };
  const client = createQueryClient();
  const prices = new Map<string, MicroUsd>();
  const abort = new AbortController();
  return {
    asked,
    prices,
    stop: () => abort.abort(),
    ask: (jobs: Parameters<typeof askPastPrices>[1]) =>
      askPastPrices({ api, client }, jobs, (id, price) => void prices.set(id, price), abort.signal),
  };
}

// (spec 2: the record of a job has no price; spec 4.1: an estimate is free)
describe("today's prices of jobs from elsewhere", () => {
  beforeEach(() => {
    vi.stubGlobal("document", { visibilityState: "visible" });
    vi.stubGlobal("navigator", { onLine: true });
  });

  it("are asked for one after the other, the same payload once", async () => {
    const { asked, prices, ask } = open();
    const asking = ask([job("a", "fox"), job("b", "hen"), job("c", "fox")]);
    expect(asked.length).toBeLessThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await asking;
    expect(asked).toEqual(["m fox", "m hen"]);
    expect([...prices]).toEqual([
      ["a", 1000],
      ["b", 1000],
      ["c", 1000],
    ]);
  });

  it("wait for the request budget", async () => {
    const { asked, ask } = open();
    void ask(Array.from({ length: 40 }, (_, at) => job(String(at), `prompt ${at}`)));
    await vi.advanceTimersByTimeAsync(5000);
    // Six at once, then two a second.
    expect(asked.length).toBeLessThanOrEqual(17);
  });

  it("are not asked for again where the service refused, nor of a model without prices", async () => {
    const { asked, prices, ask } = open(({ model }) => (model === "gone" ? refusal(404) : 1000));
    void ask(["1", "2", "3", "4", "5"].map((id) => job(id, `prompt ${id}`, "gone")));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(3);
    void ask([job("1", "prompt 1", "gone"), job("6", "fox")]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked.slice(3)).toEqual(["m fox"]);
    expect([...prices.keys()]).toEqual(["6"]);
  });

  it("are not asked for where the payload holds whole files", async () => {
    const { asked, ask } = open();
    await ask([job("a", "x".repeat(33_000))]);
    expect(asked).toEqual([]);
  });

  it("wait while the page is hidden or offline", async () => {
    const { asked, prices, ask } = open();
    vi.stubGlobal("document", { visibilityState: "hidden" });
    void ask([job("a", "fox")]);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.stubGlobal("document", { visibilityState: "visible" });
    vi.stubGlobal("navigator", { onLine: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toEqual([]);
    vi.stubGlobal("navigator", { onLine: true });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toEqual(["m fox"]);
    expect(prices.get("a")).toBe(1000);
  });

  it("are asked for again after a service that was busy, however long", async () => {
    let busy = 8;
    const { asked, prices, ask } = open(() => (busy-- > 0 ? refusal(429) : 1000));
    void ask([job("a", "fox")]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toHaveLength(9);
    expect(prices.get("a")).toBe(1000);
  });

  it("are not asked for once nobody wants them", async () => {
    const { asked, prices, ask, stop } = open();
    const asking = ask(Array.from({ length: 40 }, (_, at) => job(String(at), `prompt ${at}`))).catch(() => "stopped");
    await vi.advanceTimersByTimeAsync(1000);
    stop();
    const [sent, told] = [asked.length, prices.size];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asking).toBe("stopped");
    expect(asked.length).toBeLessThanOrEqual(sent + 1);
    expect(prices.size).toBe(told);
  });
});
