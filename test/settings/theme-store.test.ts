import "../setup/page-stand-in.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { setThemeChoice, startTheme } from "#settings/theme-store.ts";

const shown = () => document.documentElement.dataset.theme;

/** There are no media queries here: this is a device whose preference can change. */
function deviceThatPrefers(start: "light" | "dark") {
  const list = Object.assign(new EventTarget(), { matches: start === "light", media: "" });
  vi.stubGlobal("matchMedia", () => list);
  return (next: "light" | "dark") => {
    list.matches = next === "light";
    list.dispatchEvent(new Event("change"));
  };
}

describe("theme", () => {
  afterEach(() => {
    setThemeChoice("system");
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  test("follows the device until a theme is chosen, and again afterwards", () => {
    const devicePrefers = deviceThatPrefers("dark");
    startTheme();
    expect(shown()).toBe("dark");
    devicePrefers("light");
    expect(shown()).toBe("light");
    setThemeChoice("dark");
    expect(shown()).toBe("dark");
    expect(localStorage.getItem("safelight:theme")).toBe("dark");
    setThemeChoice("system");
    expect(shown()).toBe("light");
  });

  test("a choice in another tab is applied here", () => {
    deviceThatPrefers("dark");
    startTheme();
    localStorage.setItem("safelight:theme", "light");
    window.dispatchEvent(new StorageEvent("storage", { key: "safelight:theme" }));
    expect(shown()).toBe("light");
  });

  test("a choice applies without being stored when storage refuses", () => {
    deviceThatPrefers("dark");
    startTheme();
    const refuse = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    setThemeChoice("light");
    expect(shown()).toBe("light");
    refuse.mockRestore();
  });
});
