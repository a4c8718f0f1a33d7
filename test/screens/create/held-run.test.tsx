import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { EstimateState } from "#jobs/price/use-estimate.ts";
import type { JsonRecord } from "#lib/read.ts";
import { useHeldRun } from "#screens/create/run/use-held-run.ts";

const loading: EstimateState = {
  priceMicroUsd: 35_000,
  isStale: true,
  isExact: false,
  error: null,
  retry: () => {},
};
const priced: EstimateState = { ...loading, priceMicroUsd: 140_000, isStale: false, isExact: true };

function press(payload: JsonRecord, estimate = loading) {
  const onPriced = vi.fn();
  const hook = renderHook(
    (props: { payload: JsonRecord | undefined; estimate: EstimateState }) => useHeldRun({ ...props, onPriced }),
    { initialProps: { payload, estimate } as { payload: JsonRecord | undefined; estimate: EstimateState } },
  );
  act(() => hook.result.current.hold(payload));
  return { ...hook, onPriced };
}

it("submits the payload of the press once, at the price that came", () => {
  const payload = { prompt: "A lamp", n: 4 };
  const { result, rerender, onPriced } = press(payload);
  expect(result.current.isHeld).toBe(true);
  rerender({ payload, estimate: priced });
  rerender({ payload: { ...payload }, estimate: { ...priced } });
  expect(onPriced.mock.calls).toEqual([[payload, 140_000]]);
  expect(result.current).toMatchObject({ isHeld: false, note: undefined });
});

it("is cancelled by a change, which is said, and never submitted afterwards", () => {
  const { result, rerender, onPriced } = press({ prompt: "A lamp" });
  rerender({ payload: { prompt: "A lamp at night" }, estimate: loading });
  expect(result.current).toMatchObject({ isHeld: false, note: expect.stringContaining("You changed the form") });
  rerender({ payload: { prompt: "A lamp" }, estimate: priced });
  expect(onPriced).not.toHaveBeenCalled();
});

it("is cancelled where the form can no longer be run", () => {
  const { result, rerender, onPriced } = press({ prompt: "A lamp" });
  rerender({ payload: undefined, estimate: loading });
  rerender({ payload: { prompt: "A lamp" }, estimate: priced });
  expect(result.current.isHeld).toBe(false);
  expect(onPriced).not.toHaveBeenCalled();
});

it("is cancelled by Escape", () => {
  const payload = { prompt: "A lamp" };
  const { result, rerender, onPriced } = press(payload);
  act(() => void document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true })));
  expect(result.current.note).toBe("The waiting run was cancelled. Nothing was submitted.");
  rerender({ payload, estimate: priced });
  expect(onPriced).not.toHaveBeenCalled();
});

it("ends where no price can be told, and does not come back with a later one", () => {
  const payload = { prompt: "A lamp" };
  const { result, rerender, onPriced } = press(payload);
  rerender({ payload, estimate: { ...loading, error: new Error("busy") } });
  expect(result.current.isHeld).toBe(false);
  rerender({ payload, estimate: priced });
  expect(onPriced).not.toHaveBeenCalled();
});

it("does not take a change of the order of keys for a change", () => {
  const { rerender, onPriced } = press({ prompt: "A lamp", n: 2 });
  rerender({ payload: { n: 2, prompt: "A lamp" }, estimate: priced });
  expect(onPriced).toHaveBeenCalledTimes(1);
});
