import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesShortcut, shortcutLabel } from "#ui/shortcuts.tsx";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe("matchesShortcut", () => {
  test("mod is the control key or the command key", () => {
    expect(matchesShortcut("mod+k", press("k", { ctrlKey: true }))).toBe(true);
    expect(matchesShortcut("mod+k", press("k", { metaKey: true }))).toBe(true);
    expect(matchesShortcut("mod+k", press("k"))).toBe(false);
    expect(matchesShortcut("mod+enter", press("Enter", { metaKey: true }))).toBe(true);
  });

  test("a character that needs shift matches with shift", () => {
    expect(matchesShortcut("?", press("?", { shiftKey: true }))).toBe(true);
    expect(matchesShortcut("?", press("?"))).toBe(true);
  });

  test("a single letter never fires with a modifier held", () => {
    const held = fc.record({
      ctrlKey: fc.boolean(),
      metaKey: fc.boolean(),
      altKey: fc.boolean(),
      shiftKey: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.constantFrom("m", "r", "d"), held, (key, modifiers) => {
        const isPlain = !Object.values(modifiers).some(Boolean);
        expect(matchesShortcut(key, press(key, modifiers))).toBe(isPlain);
      }),
    );
  });
});

describe("shortcutLabel", () => {
  test("is written as the platform writes it", () => {
    expect(shortcutLabel("mod+enter", true)).toBe("⌘↵");
    expect(shortcutLabel("mod+k", false)).toBe("Ctrl K");
    expect(shortcutLabel("?", false)).toBe("?");
  });
});
