import { vi } from "vitest";

/** Gives every element a size, which jsdom does not, so that a virtual list has lines to show. */
export function giveLayout({ width = 1000, height = 800 } = {}): () => void {
  const sizes = { clientWidth: width, offsetWidth: width, offsetHeight: height, clientHeight: height };
  const spies = Object.entries(sizes).map(([name, value]) =>
    vi.spyOn(HTMLElement.prototype, name as "clientWidth", "get").mockReturnValue(value),
  );
  class StillObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", StillObserver);
  return () => {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllGlobals();
  };
}
