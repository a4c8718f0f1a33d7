import { afterEach, describe, expect, test, vi } from "vitest";
import { isStaleChunkError, mayReload, reloadOnStaleChunk } from "#app/version-watch.ts";

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe("a chunk that is gone after a deployment", () => {
  test("is recognised by the words of each engine", () => {
    for (const message of [
      "Failed to fetch dynamically imported module: http://x/a.js",
      "error loading dynamically imported module: http://x/a.js",
      "Importing a module script failed.",
      "Unable to preload CSS for /a.css",
    ])
      expect(isStaleChunkError(new TypeError(message))).toBe(true);
    expect(isStaleChunkError(new Error("x is not a function"))).toBe(false);
    expect(isStaleChunkError("Importing a module script failed.")).toBe(false);
  });

  test("is answered with one reload, not with a loop", () => {
    vi.stubGlobal("sessionStorage", memory());
    expect(mayReload(1_000_000)).toBe(true);
    expect(mayReload(1_005_000)).toBe(false);
    expect(mayReload(1_040_000)).toBe(true);
  });

  test("is not answered with a reload where a loop could not be noticed", () => {
    vi.stubGlobal("sessionStorage", {
      getItem: () => null,
      setItem: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    expect(mayReload(1_000_000)).toBe(false);
  });

  // P21.
  test("never reloads a page that awaits the answer to a submit", () => {
    const page = new EventTarget();
    const reload = vi.fn();
    vi.stubGlobal("window", page);
    const dataset: { offline?: string } = {};
    vi.stubGlobal("navigator", { onLine: true });
    vi.stubGlobal("document", { documentElement: { dataset } });
    vi.stubGlobal("sessionStorage", memory());
    vi.stubGlobal("location", { reload });
    let isBusy = true;
    reloadOnStaleChunk(() => isBusy);
    page.dispatchEvent(new Event("vite:preloadError"));
    expect(reload).not.toHaveBeenCalled();
    isBusy = false;
    // Nor one that the worker showed because there was no server.
    dataset.offline = "";
    page.dispatchEvent(new Event("vite:preloadError"));
    expect(reload).not.toHaveBeenCalled();
    delete dataset.offline;
    page.dispatchEvent(new Event("vite:preloadError"));
    expect(reload).toHaveBeenCalledOnce();
  });
});

afterEach(() => vi.unstubAllGlobals());
