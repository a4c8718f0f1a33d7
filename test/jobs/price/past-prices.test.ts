import { describe, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { createPastPrices } from "#jobs/price/past-prices.ts";

const job = (requestId: string, prompt: string, model = "m") => ({ requestId, model, payload: { prompt } });

/** A service that tells 1,000 for every payload but some. Pauses end when the test says so. */
function open(answer: (request: JobRequest) => number | Error = () => 1000) {
  const asked: string[] = [];
  const begun: (() => void)[] = [];
  const awaited: ((end: () => void) => void)[] = [];
  let isPaused = false;
  const past = createPastPrices({
    estimate: async (request) => {
      asked.push(`${request.model} ${request.payload.prompt}`);
      const told = answer(request);
      if (told instanceof Error) throw told;
      return { priceMicroUsd: told };
    },
    isPaused: () => isPaused,
    wait: () =>
      new Promise((end) => {
        const next = awaited.shift();
        if (next) next(end);
        else begun.push(end);
      }),
  });
  const nextPause = () =>
    new Promise<() => void>((resolve) => {
      const end = begun.shift();
      if (end) resolve(end);
      else awaited.push(resolve);
    });
  return {
    past,
    asked,
    pause: (paused: boolean) => {
      isPaused = paused;
    },
    /** Ends so many pauses, each once it has begun. */
    endPauses: async (count: number) => {
      for (let ended = 0; ended < count; ended += 1) (await nextPause())();
    },
    /** A pause has begun, and goes on. */
    pauseBegins: async () => void begun.unshift(await nextPause()),
    /** The price of a job is told. */
    told: (requestId: string) =>
      new Promise<void>((resolve) => {
        const look = () => past.prices().has(requestId) && resolve();
        past.subscribe(look);
        look();
      }),
  };
}

const refusal = (status: number) => new RefusedError({ status, message: "Refused", type: undefined, body: undefined });

// (spec 2: the record of a job has no price; spec 4.1: an estimate is free)
describe("today's prices of jobs from elsewhere", () => {
  it("are asked for one after the other, the same payload once", async () => {
    const { past, asked, endPauses, told } = open();
    past.want("view", [job("a", "fox"), job("b", "hen"), job("c", "fox")]);
    expect(asked).toEqual(["m fox"]);
    await endPauses(2);
    await told("c");
    expect(asked).toEqual(["m fox", "m hen"]);
    expect([...past.prices()]).toEqual([
      ["a", 1000],
      ["b", 1000],
      ["c", 1000],
    ]);
  });

  it("are asked for first where the job is in view", async () => {
    const { past, asked, endPauses, pauseBegins, told } = open();
    past.want("imported", [job("a", "one"), job("b", "two"), job("c", "three")]);
    past.want("view", [job("d", "seen")]);
    await endPauses(3);
    await pauseBegins();
    expect(asked).toEqual(["m one", "m seen", "m two", "m three"]);
    await told("c");
  });

  it("are not asked for again where the service refused, nor of a model without prices", async () => {
    const { past, asked, endPauses, told } = open(({ model }) => (model === "gone" ? refusal(404) : 1000));
    past.want(
      "view",
      ["1", "2", "3", "4", "5"].map((id) => job(id, `prompt ${id}`, "gone")),
    );
    await endPauses(3);
    expect(asked).toHaveLength(3);
    past.want("view", [job("1", "prompt 1", "gone"), job("6", "fox")]);
    await told("6");
    expect(asked.slice(3)).toEqual(["m fox"]);
  });

  it("wait while the page is hidden or offline", async () => {
    const { past, asked, pause, endPauses, pauseBegins, told } = open();
    pause(true);
    past.want("view", [job("a", "fox")]);
    await endPauses(2);
    await pauseBegins();
    expect(asked).toEqual([]);
    pause(false);
    await endPauses(1);
    await told("a");
    expect(asked).toEqual(["m fox"]);
  });

  it("are asked for again after a service that was busy", async () => {
    let busy = 2;
    const { past, asked, endPauses, told } = open(() => (busy-- > 0 ? refusal(429) : 1000));
    past.want("view", [job("a", "fox")]);
    await endPauses(2);
    await told("a");
    expect(asked).toHaveLength(3);
    expect(past.prices().get("a")).toBe(1000);
  });
});
