import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "#lib/visible-text.ts";
import fc from "../setup/fc.ts";

// H5, H14, H17
describe("visibleText", () => {
  it.each([
    ["invoice\u202egpj.exe", "invoice⟨U+202E⟩gpj.exe"],
    ["ap\u200bple", "ap⟨U+200B⟩ple"],
    ["a\u0000\u0007b", "a⟨U+0000⟩⟨U+0007⟩b"],
    ["one\u2028two", "one⟨U+2028⟩two"],
    ["ok\u{e0068}\u{e0069}", "ok⟨U+E0068⟩⟨U+E0069⟩"],
    ["half \ud800 pair", "half ⟨U+D800⟩ pair"],
    ["x\ufe01\ufe02y", "x⟨U+FE01⟩⟨U+FE02⟩y"],
    ["filler\u3164", "filler⟨U+3164⟩"],
    [`a${"\u200b".repeat(500)}b`, "a⟨500 hidden characters⟩b"],
    [`a${"\u200b\u202e".repeat(50)}`, "a⟨100 hidden characters⟩"],
  ])("names what is hidden in %j", (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(["plain", "a\tb\nc\r\n", "👨‍👩‍👧", "❤️ 1️⃣ 🏳️‍🌈", "می‌خواهم", "क्‍ष", "e\u0301", "中文", ""])(
    "leaves %j as it is",
    (text) => {
      expect(visibleText(text)).toBe(text);
    },
  );

  it("names each joiner and selector that hides behind an emoji", () => {
    expect(visibleText("❤\ufe0f\ufe01")).not.toContain("\ufe01");
    expect(visibleText("a\u200d😀")).toBe("a⟨U+200D⟩😀");
  });

  it("leaves no reordering, control or tag character in any text", () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\ufe0f",
        "\u{e0041}",
        "\u0000",
        "\ud83d",
        "😀",
        "ا",
        "a",
        "1",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        const shown = visibleText(units.join(""));
        expect(shown).not.toMatch(/[^\P{Cc}\t\n\r]|[\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u);
        expect(shown).not.toMatch(/[\u{e0000}-\u{e0fff}]|\p{Cs}/u);
      }),
    );
  });
});

describe("visibleLine", () => {
  it("puts a text on one line and cuts it", () => {
    expect(visibleLine("a\nb\t c")).toBe("a b c");
    expect(visibleLine("x".repeat(5_000_000), 50)).toHaveLength(50);
    expect(visibleLine("👍".repeat(300), 51)).not.toMatch(/\p{Cs}/u);
  });
});
