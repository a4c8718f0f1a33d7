import { describe, expect, it } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import type { JobRequest } from "#api/types.ts";
import { createPastPrices } from "#jobs/price/past-prices.ts";

const job = (requestId: string, prompt: string, model = "m") => ({ requestId, model, payload: { prompt } });

/** A service that tells 1,000 for every payload but some. `turn` lets one wait end. */
function open(answer: (request: JobRequest) => number | Error = () => 1000) {
  const asked: string[] = [];
  const waits: (() => void)[] = [];
  let isPaused = false;
  const past = createPastPrices({
    estimate: async (request) => {
      asked.push(`${request.model} ${request.payload.prompt}`);
      const told = answer(request);
      if (told instanceof Error) throw told;
      return { priceMicroUsd: told };
    },
    isPaused: () => isPaused,
    wait: () => new Promise((resolve) => waits.push(resolve)),
  });
  return {
    past,
    asked,
    pause: (paused: boolean) => {
      isPaused = paused;
    },
    turn: async (times = 1) => {
      for (let turn = 0; turn < times; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve));
        for (const end of waits.splice(0)) end();
      }
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

const refusal = (status: number) => new RefusedError({ status, message: "Refused", type: undefined, body: undefined });

// (spec 2: the record of a job has no price; spec 4.1: an estimate is free)
describe("today's prices of jobs from elsewhere", () => {
  it("are asked for one after the other, the same payload once", async () => {
    const { past, asked, turn } = open();
    past.want("view", [job("a", "fox"), job("b", "hen"), job("c", "fox")]);
    expect(asked).toEqual(["m fox"]);
    await turn(3);
    expect(asked).toEqual(["m fox", "m hen"]);
    expect([...past.prices()]).toEqual([
      ["a", 1000],
      ["b", 1000],
      ["c", 1000],
    ]);
  });

  it("are asked for first where the job is in view", async () => {
    const { past, asked, turn } = open();
    past.want("imported", [job("a", "one"), job("b", "two"), job("c", "three")]);
    past.want("view", [job("d", "seen")]);
    await turn(6);
    expect(asked).toEqual(["m one", "m seen", "m two", "m three"]);
  });

  it("are not asked for again where the service refused, nor of a model without prices", async () => {
    const { past, asked, turn } = open(({ model }) => (model === "gone" ? refusal(404) : 1000));
    past.want(
      "view",
      ["1", "2", "3", "4", "5"].map((id) => job(id, `prompt ${id}`, "gone")),
    );
    await turn(8);
    expect(asked).toHaveLength(3);
    past.want("view", [job("1", "prompt 1", "gone"), job("6", "fox")]);
    await turn(3);
    expect(asked.slice(3)).toEqual(["m fox"]);
  });

  it("wait while the page is hidden or offline", async () => {
    const { past, asked, pause, turn } = open();
    pause(true);
    past.want("view", [job("a", "fox")]);
    await turn(3);
    expect(asked).toEqual([]);
    pause(false);
    await turn(3);
    expect(asked).toEqual(["m fox"]);
  });

  it("are asked for again after a service that was busy", async () => {
    let busy = 2;
    const { past, asked, turn } = open(() => (busy-- > 0 ? refusal(429) : 1000));
    past.want("view", [job("a", "fox")]);
    await turn(5);
    expect(asked).toHaveLength(3);
    expect(past.prices().get("a")).toBe(1000);
  });
});
