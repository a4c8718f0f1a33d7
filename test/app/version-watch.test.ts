import { afterEach, describe, expect, test, vi } from "vitest";
import { mayReload, reloadOnStaleChunk } from "#app/version-watch.ts";

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  };
}

describe("a chunk that is gone after a deployment", () => {
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
  describe("asks the host first, and reloads", () => {
    const SERVED = '<script type="module" src="/assets/new.js"></script>';
    const RUNNING = '<script type="module" src="/assets/old.js"></script>';
    const page = (text: string, status = 200) => ({ ok: status === 200, text: () => Promise.resolve(text) });
    type Page = ReturnType<typeof page>;

    /** A tab whose part is gone, until the host's answer was read. */
    async function loseChunk(answer: () => Promise<Page>, isBusy = () => false) {
      const target = new EventTarget();
      const reload = vi.fn();
      vi.stubGlobal("window", target);
      vi.stubGlobal("document", { querySelector: () => ({ getAttribute: () => "/assets/old.js" }) });
      vi.stubGlobal("sessionStorage", memory());
      vi.stubGlobal("location", { reload });
      vi.stubGlobal("fetch", answer);
      reloadOnStaleChunk(isBusy);
      const lose = async () => {
        target.dispatchEvent(new Event("vite:preloadError"));
        // All that follows are promises that are kept already: none of them is left at the next turn.
        await new Promise((resolve) => setTimeout(resolve));
      };
      await lose();
      return { reload, lose };
    }

    test("once, where another studio is served", async () => {
      const { reload, lose } = await loseChunk(async () => page(SERVED));
      await lose();
      expect(reload).toHaveBeenCalledOnce();
    });

    test.each([
      ["the same studio is served", async () => page(RUNNING)],
      ["one has to sign in again", async () => page("<h1>Sign in to this studio</h1>", 401)],
      ["a proxy shows a page of its own", async () => page("<h1>Sign in</h1>")],
      ["nobody answers", () => Promise.reject(new TypeError("Failed to fetch"))],
      ["the host fails", async () => page(SERVED, 502)],
    ])("never where %s", async (_, answer) => {
      const { reload } = await loseChunk(answer);
      expect(reload).not.toHaveBeenCalled();
    });

    test("never while the answer to a submit is awaited, also if that began meanwhile", async () => {
      const isBusy = vi.fn().mockReturnValueOnce(true).mockReturnValue(false);
      const { reload, lose } = await loseChunk(async () => page(SERVED), isBusy);
      expect(reload).not.toHaveBeenCalled();
      await lose();
      expect(reload).toHaveBeenCalledOnce();
    });
  });
});

afterEach(() => vi.unstubAllGlobals());
