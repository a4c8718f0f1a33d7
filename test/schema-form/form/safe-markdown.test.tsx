import { render, screen } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LONGEST_HELP, readHelp } from "#schema-form/form/read-help.ts";
import { SafeMarkdown } from "#schema-form/form/safe-markdown.tsx";

const UNITS = [
  "[",
  "]",
  "(",
  ")",
  "<",
  ">",
  "*",
  "**",
  "***",
  "_",
  "`",
  "``",
  "!",
  "![",
  "[a](",
  "[a](http://",
  "](",
  "[](",
  "[[a]",
  "*a",
  "**a*",
  "* ",
  "- ",
  "\n",
  "\n\n",
  "\n- ",
  "- a\n",
  "\r\n",
  "> ",
  "1. ",
  '"',
  "'",
  "“‘",
  "\\",
  "|",
  " ",
  "\t",
  "a ",
  "a",
  "&",
  "~~",
  "$",
  "#",
  "\u200b",
  "\u202e",
  "👍",
  "`*[(",
  "[*`](https://a.example/",
  "*[`**](",
  "(((((]]]]]",
];

function stepsFor(text: string): number {
  const counter = { steps: 0 };
  readHelp(text, counter);
  return counter.steps;
}

// H9, H19: 100 kB of `[` took 8.3 s.
describe("a help text", () => {
  it.each(UNITS)("of nothing but %j takes steps in proportion to its length", (unit) => {
    for (const length of [1_000, 2_000, 4_000, LONGEST_HELP, 100_000, 1_000_000]) {
      const text = unit.repeat(Math.ceil(length / unit.length));
      expect(stepsFor(text)).toBeLessThan(4 * Math.min(length, LONGEST_HELP) * 4 + 1_000);
    }
  });

  it("of any mix of marks takes steps in proportion to its length", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...UNITS), { maxLength: 6 }),
        fc.integer({ min: 1, max: 800 }),
        (units, times) => {
          const text = units.join("").repeat(times).slice(0, LONGEST_HELP);
          expect(stepsFor(text)).toBeLessThan(16 * text.length + 1_000);
        },
      ),
    );
  });

  it("loses no word of a text that is not too long", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("word", "*", "**", "`", "[", "](", ")", " ", "\n"), { maxLength: 40 }),
        (units) => {
          const shown = readHelp(units.join(""))
            .blocks.flatMap(({ parts }) => parts.map(({ text }) => text))
            .join(" ");
          expect(shown.match(/word/g)?.length ?? 0).toBe(units.filter((unit) => unit === "word").length);
        },
      ),
    );
  });

  it("that is very long says that it is shown shortened", () => {
    render(<SafeMarkdown text={"[".repeat(100_000)} />);
    expect(screen.getByText("Shortened: 6,000 of 100,000 characters.")).toBeVisible();
  });

  it("becomes paragraphs, items, code, strong words, emphasis and links", () => {
    const { container } = render(
      <SafeMarkdown
        text={"One `code` and **strong** and *soft*.\n\n- first\n- [docs](https://ok.example/a)\n\nLast"}
      />,
    );
    expect(container.querySelector("code")).toHaveTextContent("code");
    expect(container.querySelector("strong")).toHaveTextContent("strong");
    expect(container.querySelector("em")).toHaveTextContent("soft");
    expect(screen.getByRole("link")).toHaveTextContent("docs (ok.example)");
    expect(container).toHaveTextContent("One code and strong and soft.• first• docs (ok.example)Last");
  });
});

// H3, H5, H17
describe("what a help text shows", () => {
  it.each([
    ["[bank.example](https://evil.example/x)", "bank.example (evil.example)"],
    ["[x](https://bank.example@evil.example/)", "x (evil.example)"],
    ["[x](https://bank.example:pw@evil.example/)", "x (evil.example)"],
    ["[\u0430pple.com](https://\u0430pple.com/)", "\u0430pple.com (xn--pple-43d.com)"],
    ["[ok.example is safe](https://ok.example/)", "ok.example is safe (ok.example)"],
    ["[ok.example/a b](https://ok.example/)", "ok.example/a b (ok.example)"],
    ["[ok.example](https://ok.example/)", "ok.example"],
  ])("%s leads where it says", (text, shown) => {
    const { container } = render(<SafeMarkdown text={text} />);
    const link = container.querySelector("a");
    expect(link?.textContent).toBe(shown);
    expect(link?.getAttribute("href")).not.toContain("@");
  });

  it.each([
    "[x](javascript:alert(1))",
    "[x](data:text/html,a)",
    "[x](//evil.example)",
    "![x](https://evil.example/a.png?q=1)",
    "<img src=https://evil.example/a.png>",
    "<script>window.__hit = 1</script>",
  ])("%s is no element but a link at most", (text) => {
    const { container } = render(<SafeMarkdown text={text} />);
    expect(container.querySelectorAll("img, script, iframe, style, link, form, object")).toHaveLength(0);
    for (const link of container.querySelectorAll("a")) expect(link.href).toMatch(/^https:/);
  });

  it("names hidden characters", () => {
    const { container } = render(<SafeMarkdown text={"safe\u202etxt.exe"} />);
    expect(container).toHaveTextContent("safe⟨U+202E⟩txt.exe");
  });
});
