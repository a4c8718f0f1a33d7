import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useToday } from "#ui/use-today.ts";

afterEach(() => vi.useRealTimers());

test("a page that stays open over midnight is on the new day", () => {
  vi.useFakeTimers({ now: new Date(2026, 11, 31, 23, 50) });
  const { result, rerender, unmount } = renderHook(useToday);
  const before = new Date(2026, 11, 31).getTime();
  act(() => vi.advanceTimersByTime(9 * 60_000));
  rerender();
  expect(result.current).toBe(before);
  act(() => vi.advanceTimersByTime(2 * 60_000));
  expect(result.current).toBe(new Date(2027, 0, 1).getTime());
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
