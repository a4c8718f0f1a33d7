import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
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
  "class href rel target type tabindex role aria-label aria-pressed data-code data-more data-image data-alt data-tex hidden scope start disabled checked".split(
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

describe("text from elsewhere (reliability 6.4, H1 to H4)", () => {
  it(`becomes only listed elements, attributes and addresses: ${hostileTexts.length} attacks`, () => {
    expect(hostileTexts.length).toBeGreaterThan(300);
    for (const text of hostileTexts) expect(breaches(write([text])), text).toEqual([]);
    expect(Reflect.has(window, "owned")).toBe(false);
  });

  it("for any text", () => {
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

  it("shows an address it will not link to as the text it was", () => {
    const root = write(["[x](javascript:alert(1))"]);
    expect(root.querySelector("a")).toBeNull();
    expect(root).toHaveTextContent("[x](javascript:alert(1))");
  });
});

describe("text that would keep the page busy (H19)", () => {
  it.each([
    "[",
    "![",
    "_a",
    "***a** ",
    "<",
    "$a ",
    "> ",
    "1. ",
    "[a](",
    "\\(",
    "a\n- ",
    "| a ",
    "\u200b\u202e",
    "```\n",
  ])("is shown, 200 kB of %j", (unit) => {
    const text = unit.repeat(200_000 / unit.length);
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    writer.take(text);
    writer.end();
    const start = performance.now();
    writer.write(8);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(root.textContent?.length).toBeGreaterThan(10);
  });

  it("goes on in the next frame when the budget is spent", () => {
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    writer.take("word\n\n".repeat(2_000));
    expect(writer.write(0)).toBe(true);
    expect(root.querySelectorAll("p")).toHaveLength(1);
  });
});

describe("where a link leads (H17)", () => {
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
  ])("is seen in %j", (text, shown) => {
    expect(write([text]).querySelector("a")?.textContent).toBe(shown);
  });
});

describe("pictures (H1)", () => {
  it("are a chip with text, host and path, and load by a click without a referrer", async () => {
    render(<MarkdownView text={"![A fox](https://pictures.example/fox.png?q=1)"} />);
    expect(document.querySelector("img")).toBeNull();
    const chip = screen.getByRole("button", { name: /Picture: A fox pictures\.example\/fox\.png\?q=1 Load/ });
    await userEvent.click(chip);
    const image = screen.getByRole("img", { name: "A fox" });
    expect(image).toHaveAttribute("src", "https://pictures.example/fox.png?q=1");
    expect(image).toHaveAttribute("referrerpolicy", "no-referrer");
  });
});
