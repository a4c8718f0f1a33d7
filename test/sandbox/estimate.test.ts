import { describe, expect, it } from "vitest";
import fc from "../setup/fc.ts";
import { openSandbox } from "./sandbox-client.ts";

// Spec 2 and 4.1.
describe("estimate", () => {
  it("answers the model, an integer price in micro-USD and the currency micro_usd", async () => {
    const answer = await openSandbox().estimate("lumen-2", { prompt: "A fox" });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ model: "lumen-2", price: 35_000, currency: "micro_usd" });
  });

  it("charges nothing and makes no job", async () => {
    const { estimate, sandbox } = openSandbox();
    await estimate("halide-video", { prompt: "A fox" });
    expect(sandbox.inspect()).toMatchObject({ ledger: [], jobs: [] });
  });

  it("applies defaults for resolution, duration and image count n", async () => {
    const { estimate } = openSandbox();
    const price = async (model: string, payload: Record<string, unknown>) =>
      (await estimate(model, payload)).json.price;
    expect(await price("halide-video", { prompt: "A fox" })).toBe(
      await price("halide-video", { prompt: "A fox", resolution: "720P", duration: "5" }),
    );
    expect(await price("lumen-2", { prompt: "A fox" })).toBe(await price("lumen-2", { prompt: "A fox", n: 1 }));
    expect(await price("lumen-2-pro", { prompt: "A fox" })).toBe(
      await price("lumen-2-pro", { prompt: "A fox", image_size: "1K" }),
    );
  });

  // Spec 1.
  it("is flat per image, or per clip by resolution and duration", async () => {
    const { estimate } = openSandbox();
    const price = async (model: string, payload: Record<string, unknown>) =>
      (await estimate(model, payload)).json.price;
    expect(await price("lumen-2", { prompt: "A fox", n: 4 })).toBe(140_000);
    expect(await price("lumen-2", { prompt: "A much longer prompt about a fox", n: 4 })).toBe(140_000);
    expect(await price("halide-video", { prompt: "A fox", resolution: "1080P", duration: "10" })).toBe(700_000);
    expect(await price("overture-music", { prompt: "Slow strings", duration: 30 })).toBe(120_000);
  });

  it("equals the charge, for every payload", async () => {
    const payloads = fc.record(
      {
        prompt: fc.constant("A fox"),
        resolution: fc.constantFrom("720P", "1080P"),
        duration: fc.constantFrom("5", "10"),
        aspect_ratio: fc.constantFrom("16:9", "9:16", "1:1"),
        cfg_scale: fc.constantFrom("0", "0.5", 1),
      },
      { requiredKeys: ["prompt"] },
    );
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const { estimate, submit, sandbox } = openSandbox();
        const { json } = await estimate("halide-video", payload);
        await submit("halide-video", payload);
        expect(sandbox.inspect().chargedMicroUsd).toBe(json.price);
      }),
      { numRuns: 60 },
    );
  });
});
