import { describe, expect, it } from "vitest";
import { createPriceDependence } from "#jobs/price/price-dependence.ts";
import fc from "../../setup/fc.ts";

/** A model whose price is counted from two of its three parameters. */
const priceOf = (payload: Record<string, unknown>) => 10_000 * Number(payload.n) * (payload.size === "large" ? 2 : 1);

function learn(payloads: readonly Record<string, unknown>[]) {
  const prices = createPriceDependence();
  for (const payload of payloads) prices.note({ model: "m", payload }, priceOf(payload));
  return (payload: Record<string, unknown>) => prices.expectedMicroUsd({ model: "m", payload });
}
const BASE = { prompt: "A", n: 1, size: "small" };

describe("the price that is expected of a payload", () => {
  it("is the last one after two changes of a parameter left it alone", () => {
    expect(learn([BASE, { ...BASE, prompt: "B" }])({ ...BASE, prompt: "C" })).toBeUndefined();
    const expected = learn([BASE, { ...BASE, prompt: "B" }, { ...BASE, prompt: "C" }]);
    expect(expected({ ...BASE, prompt: "D" })).toBe(10_000);
    expect(expected({ ...BASE, prompt: "D", n: 2 })).toBeUndefined();
  });

  it("is none once a parameter moved the price, or all that changed together did", () => {
    const still = [BASE, { ...BASE, n: 1.0, prompt: "B" }, { ...BASE, prompt: "C" }];
    expect(learn([...still, { ...BASE, prompt: "C", n: 3 }])({ ...BASE, prompt: "C", n: 2 })).toBeUndefined();
    const prices = createPriceDependence();
    for (const prompt of ["a", "b", "c"]) prices.note({ model: "m", payload: { prompt, seed: 1 } }, 5);
    for (const seed of [2, 3]) prices.note({ model: "m", payload: { prompt: "c", seed } }, 5);
    prices.note({ model: "m", payload: { prompt: "d", seed: 4 } }, 6);
    expect(prices.expectedMicroUsd({ model: "m", payload: { prompt: "e", seed: 4 } })).toBeUndefined();
  });

  it("is none for another model, and none while the newest price is refused", () => {
    const prices = createPriceDependence();
    for (const prompt of ["a", "b", "c"]) prices.note({ model: "m", payload: { prompt } }, 5);
    expect(prices.expectedMicroUsd({ model: "other", payload: { prompt: "d" } })).toBeUndefined();
    prices.noteFailure("m");
    expect(prices.expectedMicroUsd({ model: "m", payload: { prompt: "d" } })).toBeUndefined();
  });

  it("is never wrong where one parameter changes at a time and those that count were changed", () => {
    const step = fc.record({
      key: fc.constantFrom("prompt", "n", "size"),
      n: fc.integer({ min: 1, max: 4 }),
      size: fc.constantFrom("small", "large"),
      prompt: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), step, (steps, last) => {
        const payloads = [BASE, { ...BASE, n: 2 }, BASE, { ...BASE, size: "large" }];
        for (const change of steps) {
          payloads.push({ ...(payloads.at(-1) ?? BASE), [change.key]: change[change.key as "n"] });
        }
        const payload = { ...(payloads.at(-1) ?? BASE), [last.key]: last[last.key as "n"] };
        const expected = learn(payloads)(payload);
        return expected === undefined || expected === priceOf(payload);
      }),
    );
  });
});
