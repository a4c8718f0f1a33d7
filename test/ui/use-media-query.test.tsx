import { act, renderHook } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { useIsTouch } from "#ui/use-media-query.ts";

it("a media query is asked and followed once for a component, however often that renders", () => {
  const list = Object.assign(new EventTarget(), { matches: false });
  const listen = vi.spyOn(list, "addEventListener");
  const matchMedia = vi.fn(() => list);
  vi.stubGlobal("matchMedia", matchMedia);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { result, rerender } = renderHook(useIsTouch);
  for (let frame = 0; frame < 5; frame++) rerender();
  expect(result.current).toBe(false);
  expect(matchMedia).toHaveBeenCalledTimes(1);
  expect(listen).toHaveBeenCalledTimes(1);
  list.matches = true;
  act(() => void list.dispatchEvent(new Event("change")));
  expect(result.current).toBe(true);
});
