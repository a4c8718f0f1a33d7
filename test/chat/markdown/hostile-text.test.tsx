import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import fc from "fast-check";
import { Lexer } from "marked";
import { describe, expect, it, vi } from "vitest";
import { MarkdownView } from "#chat/markdown/markdown-view.tsx";
import { MarkdownWriter } from "#chat/markdown/markdown-writer.ts";
import { hostileTexts } from "./hostile-text.ts";
import { anyMarkdown } from "./markdown-samples.ts";
import { write } from "./written-html.ts";

const TAGS = new Set(
  "a blockquote br button code del div em h3 h4 h5 h6 hr input li ol p pre span strong table tbody td th thead tr ul".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "class dir href rel target type tabindex role aria-label aria-pressed data-code data-more data-image data-alt data-tex hidden scope start disabled checked".split(
    " ",
  ),
);
const MATHML = "http://www.w3.org/1998/Math/MathML";

/** Every way out of the closed set: an element, an attribute or an address that is not on the list. */
function breaches(root: HTMLElement): string[] {
  return [...root.querySelectorAll("*")].flatMap((found) => {
    const names = [...found.attributes].map(({ name }) => name);
    if (found.namespaceURI === MATHML) return names.filter((name) => /^on|href|src|^id$/i.test(name));
    const unsafe = found.hasAttribute("href") && !/^(?:https?|mailto):/.test(found.getAttribute("href") ?? "");
    return [
      ...(TAGS.has(found.localName) ? [] : [found.localName]),
      ...names.filter((name) => !ATTRIBUTES.has(name)),
      ...(unsafe ? [found.outerHTML] : []),
    ];
  });
}

// H1 to H4.
describe("untrusted text", () => {
  it(`becomes only listed elements, attributes and addresses: ${hostileTexts.length} attacks`, () => {
    expect(hostileTexts.length).toBeGreaterThan(300);
    for (const text of hostileTexts) expect(breaches(write([text])), text).toEqual([]);
    expect(Reflect.has(window, "owned")).toBe(false);
  });

  it("becomes only listed elements for any text", () => {
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        expect(breaches(write([text]))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps links with rel and without referrer or opener", () => {
    const link = write(["[x](https://ok.example)"]).querySelector("a");
    expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
  });

  it("shows an unsafe address as plain text", () => {
    const root = write(["[x](javascript:alert(1))"]);
    expect(root.querySelector("a")).toBeNull();
    expect(root).toHaveTextContent("[x](javascript:alert(1))");
  });
});

// H19. The lexer's time grows with the square of the marks in a text: it must get no long piece, and no dense one.
describe("text that is slow to render", () => {
  // A block is cut once it holds 16,384 characters, and so is every line.
  const LONGEST_LEXED = 2 * 16_384 + 2;

  it.each([
    { unit: "[", isLexed: false },
    { unit: "![", isLexed: false },
    { unit: "_a", isLexed: false },
    { unit: "***a** ", isLexed: false },
    { unit: "<", isLexed: false },
    { unit: "$a ", isLexed: false },
    { unit: "> ", isLexed: false },
    { unit: "1. ", isLexed: false },
    { unit: "[a](", isLexed: false },
    { unit: "\\(", isLexed: false },
    { unit: "```\n", isLexed: false },
    { unit: "a\n- ", isLexed: true },
    { unit: "| a ", isLexed: true },
    { unit: "\u200b\u202e", isLexed: true },
  ])("is shown without costly lexing for 200 kB of $unit", ({ unit, isLexed }) => {
    const lex = vi.spyOn(Lexer.prototype, "lex");
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    writer.take(unit.repeat(200_000 / unit.length));
    writer.end();
    // No time is left after the first block.
    writer.write(0);
    const lengths = lex.mock.calls.map(([text]) => text.length);
    lex.mockRestore();
    expect(root.textContent?.length).toBeGreaterThan(10);
    expect(lengths.length > 0).toBe(isLexed);
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(LONGEST_LEXED);
  });

  it("continues in the next frame when the time budget is spent", () => {
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    writer.take("word\n\n".repeat(2_000));
    expect(writer.write(0)).toBe(true);
    expect(root.querySelectorAll("p")).toHaveLength(1);
  });
});

// H17.
describe("where a link leads", () => {
  it.each([
    ["[https://bank.example](https://evil.example/x)", "https://bank.example (evil.example)"],
    ["[docs](https://ok.example:8443/x)", "docs (ok.example:8443)"],
    ["[x](https://\u0430pple.com)", "x (xn--pple-43d.com)"],
    ["[\u0430pple.com](https://\u0430pple.com)", "\u0430pple.com (xn--pple-43d.com)"],
    ["[x](https://google.com@evil.example)", "x (evil.example)"],
    ["[ok.example.evil.example](https://ok.example)", "ok.example.evil.example (ok.example)"],
    ["[gpj.\u202eexe](https://ok.example)", "gpj.exe (ok.example)"],
    ["[write](mailto:a@ok.example)", "write (a@ok.example)"],
    ["[ok.example/x](https://ok.example/x)", "ok.example/x"],
    ["https://ok.example/x", "https://ok.example/x"],
    ["[a][r]\n\n[r]: https://ok.example", "a (ok.example)"],
  ])("is shown beside its text for %j", (text, shown) => {
    expect(write([text]).querySelector("a")?.textContent).toBe(shown);
  });
});

// H1.
describe("pictures", () => {
  it("show their address; a click loads them without a referrer", async () => {
    render(<MarkdownView text={"![A fox](https://pictures.example/fox.png?q=1)"} />);
    expect(document.querySelector("img")).toBeNull();
    const chip = screen.getByRole("button", { name: /Picture: A fox pictures\.example\/fox\.png\?q=1 Load/ });
    await userEvent.click(chip);
    const image = screen.getByRole("img", { name: "A fox" });
    expect(image).toHaveAttribute("src", "https://pictures.example/fox.png?q=1");
    expect(image).toHaveAttribute("referrerpolicy", "no-referrer");
  });
});
