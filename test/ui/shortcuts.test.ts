import { describe, expect, test } from "vitest";
import {
  ariaKeys,
  getChord,
  isSingleKey,
  keyProblem,
  keysNow,
  matchesShortcut,
  NO_CHOICES,
  shortcutLabel,
} from "#ui/keys.ts";
import fc from "../setup/fc.ts";

type Held = Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> & { code?: string };
const press = (key: string, held: Held = {}) => ({
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

describe("the keys of other layouts", () => {
  test.each([
    ["Cyrillic, Ctrl+K", press("л", { ctrlKey: true, code: "KeyK" }), "mod+k"],
    ["Greek, D", press("δ", { code: "KeyD" }), "d"],
    ["Hebrew, slash", press("/", { code: "KeyQ" }), "/"],
    ["Arabic, question mark", press("؟", { shiftKey: true, code: "Slash" }), "?"],
    ["Cyrillic, opening bracket", press("х", { code: "BracketLeft" }), "["],
    ["AZERTY, a digit with shift", press("0", { shiftKey: true, code: "Digit0" }), "0"],
    ["AZERTY, the letter on the place of Q", press("a", { code: "KeyQ" }), "a"],
    ["Dvorak, K", press("k", { ctrlKey: true, code: "KeyV" }), "mod+k"],
    ["German, a letter of its own", press("ö", { code: "Semicolon" }), "ö"],
    ["Mac, Alt and a letter", press("®", { altKey: true, code: "KeyR" }), "alt+r"],
    ["caps lock", press("D", { code: "KeyD", shiftKey: false }), "d"],
    ["shift and a letter", press("D", { code: "KeyD", shiftKey: true }), "shift+d"],
    ["a plus", press("+", { shiftKey: true, code: "Equal" }), "plus"],
    ["space", press(" ", { code: "Space" }), "space"],
  ])("%s", (_, pressed, chord) => {
    expect(getChord(pressed)).toBe(chord);
  });

  test("a modifier or a dead key alone is no shortcut", () => {
    for (const key of ["Control", "Shift", "AltGraph", "Dead", "Process"]) expect(getChord(press(key))).toBeUndefined();
  });
});

describe("keys that cannot be given to a command", () => {
  test.each(["mod+t", "mod+w", "mod+n", "mod+r", "mod+l", "f5", "mod+1", "alt+arrowleft", "mod+tab"])(
    "%s belongs to the browser",
    (keys) => expect(keyProblem(keys)).toMatch(/browser/),
  );
  test.each(["mod+c", "mod+v", "mod+z", "mod+arrowright"])("%s edits text", (keys) =>
    expect(keyProblem(keys)).toMatch(/edit text/),
  );
  test.each(["enter", "space", "tab", "shift+tab", "esc", "arrowleft"])("%s belongs to the controls", (keys) =>
    expect(keyProblem(keys)).toMatch(/buttons/),
  );
  test.each(["d", "mod+b", "mod+m", "mod+enter", "shift+d", "alt+r", "?", "g c", "ö"])("%s can", (keys) =>
    expect(keyProblem(keys)).toBeUndefined(),
  );
  test.each(["", "a b c", "mod+", "+mod+a", "mod+mod+a", "xx!"])("%j is not a shortcut", (keys) =>
    expect(keyProblem(keys)).toBeDefined(),
  );
});

describe("the keys of a command", () => {
  test("are those the person chose, or none where they took them away", () => {
    const choices = { changed: { a: "x", b: "" }, singleKeys: true };
    expect(keysNow(choices, { id: "a", keys: "d" })).toBe("x");
    expect(keysNow(choices, { id: "b", keys: "d" })).toBeUndefined();
    expect(keysNow(choices, { id: "c", keys: "d" })).toBe("d");
    expect(keysNow(choices, { id: "constructor", keys: "d" })).toBe("d");
  });

  test("are none where one single key would spend", () => {
    const run = { id: "a", keys: "mod+enter", spends: true };
    expect(keysNow(NO_CHOICES, run)).toBe("mod+enter");
    for (const keys of ["r", "shift+r", "g r"])
      expect(keysNow({ ...NO_CHOICES, changed: { a: keys } }, run)).toBeUndefined();
    expect(keysNow({ ...NO_CHOICES, changed: { a: "alt+r" } }, run)).toBe("alt+r");
  });

  test("without single keys only those with Ctrl, Cmd or Alt, and named ones, are left", () => {
    const off = { ...NO_CHOICES, singleKeys: false };
    for (const keys of ["d", "?", "g c", "shift+d", "space", "plus"]) {
      expect(isSingleKey(keys)).toBe(true);
      expect(keysNow(off, { id: "a", keys })).toBeUndefined();
    }
    for (const keys of ["mod+k", "esc", "arrowleft", "alt+r"]) expect(keysNow(off, { id: "a", keys })).toBe(keys);
  });
});

describe("shortcutLabel", () => {
  test("is written as the platform writes it", () => {
    expect(shortcutLabel("mod+enter", true)).toBe("⌘↵");
    expect(shortcutLabel("mod+enter", false)).toBe("Ctrl+Enter");
    expect(shortcutLabel("mod+k", false)).toBe("Ctrl+K");
    expect(shortcutLabel("g c", true)).toBe("G C");
    expect(shortcutLabel("?", false)).toBe("?");
  });

  test("for assistive technology both modifiers are named", () => {
    expect(ariaKeys("mod+enter")).toBe("Control+Enter Meta+Enter");
    expect(ariaKeys("arrowleft")).toBe("ArrowLeft");
    expect(ariaKeys("d")).toBe("d");
    expect(ariaKeys("alt+shift+d")).toBe("Alt+Shift+d");
    expect(ariaKeys("g c")).toBeUndefined();
  });
});
