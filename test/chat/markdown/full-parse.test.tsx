import fc from "fast-check";
import { Lexer } from "marked";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MarkdownWriter } from "#chat/markdown/markdown-writer.ts";
import { makeTokens } from "../../../.bench/markdown/make-markdown.mjs";
import { anyMarkdown, anySplit, SAMPLE } from "./markdown-samples.ts";
import { streamedHtml, viewHtml, write, writtenHtml } from "./written-html.ts";

describe("a streamed document ends as the full parse", () => {
  it("for any text, however it is split", () => {
    fc.assert(
      fc.property(anySplit, ({ text, pieces }) => {
        expect(writtenHtml(pieces)).toBe(writtenHtml([text]));
      }),
      { numRuns: 400 },
    );
  });

  it("for a sample of everything, one character at a time", () => {
    expect(writtenHtml([...SAMPLE])).toBe(writtenHtml([SAMPLE]));
  });

  it("in the components, rendered piece by piece", async () => {
    const pieces = SAMPLE.split(/(?<=\n)/);
    expect(await streamedHtml(pieces)).toBe(await viewHtml(SAMPLE));
  });

  it("for the benchmark's text", () => {
    const tokens: string[] = makeTokens("mixed", 2_000);
    const pieces = Array.from({ length: 250 }, (_, at) => tokens.slice(at * 8, at * 8 + 8).join(""));
    expect(writtenHtml(pieces)).toBe(writtenHtml([tokens.join("")]));
  });

  it("never renders a finished group of blocks again", () => {
    const tokens: string[] = makeTokens("mixed", 7_000);
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const take = (from: number, to: number) => {
      for (const token of tokens.slice(from, to)) {
        writer.take(token);
        writer.write(Number.POSITIVE_INFINITY);
      }
    };
    take(0, 6_000);
    const groups = () => [...root.querySelectorAll(".md-group")];
    const finished = groups().slice(0, -1);
    expect(finished.length).toBeGreaterThan(0);
    const watch = new MutationObserver(() => undefined);
    for (const group of finished)
      watch.observe(group, { subtree: true, childList: true, characterData: true, attributes: true });
    take(6_000, 7_000);
    expect(watch.takeRecords()).toEqual([]);
    expect(groups().length).toBeGreaterThan(finished.length + 1);
  });

  it("skips a full group only far out of sight, and at the height that it had", () => {
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const groups = () => [...root.querySelectorAll<HTMLElement>(".md-group")];
    const HEIGHT = 261.5;
    // As laid out one under the other, the last one at the lower end of the window.
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
      const fromEnd = groups().length - groups().indexOf(this as HTMLElement);
      return new DOMRect(0, window.innerHeight - fromEnd * HEIGHT, 600, HEIGHT);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    writer.take("A line.\n\n".repeat(8 * 40));
    writer.write(Number.POSITIVE_INFINITY);
    // Nothing is known of their heights yet.
    expect(groups().filter((group) => group.matches(".md-still"))).toEqual([]);
    writer.take("One more line.\n\n");
    writer.write(Number.POSITIVE_INFINITY);
    const skipped = groups().filter((group) => group.matches(".md-still"));
    const inTwoWindows = Math.ceil((2 * window.innerHeight) / HEIGHT);
    expect(Math.abs(40 - inTwoWindows - skipped.length)).toBeLessThanOrEqual(1);
    expect(skipped).toEqual(groups().slice(0, skipped.length));
    expect(new Set(skipped.map((group) => group.style.containIntrinsicBlockSize))).toEqual(new Set(["auto 261.5px"]));
  });
});

describe("the cuts between segments", () => {
  const kinds = (root: HTMLElement) =>
    [...root.querySelectorAll(".md-group > *")].map((block) =>
      block.matches(".md-code")
        ? "code"
        : block.matches(".md-table")
          ? "table"
          : /^h\d$/i.test(block.tagName)
            ? "heading"
            : block.matches(".md-p")
              ? "paragraph"
              : { P: "paragraph", UL: "list", OL: "list", BLOCKQUOTE: "blockquote", HR: "hr" }[block.tagName],
    );
  const whole = (text: string) =>
    new Lexer({ gfm: true })
      .lex(text)
      .map(({ type }) => type)
      .filter((type) => type !== "space" && type !== "def");

  it("give the same blocks as marked gives for the full text", () => {
    const text: string = makeTokens("mixed", 3_000).join("");
    expect(kinds(write([text]))).toEqual(whole(text));
  });

  it.each([
    "a\n\n    code\n\n    more\n\nb",
    "- a\n\n  still a\n\n- b\n\nc",
    "1. a\n\n   ```\n   x\n\n   y\n   ```\n\n2. b\n\nend",
    "text\n- a\n- b\ntext\n\n> q\nlazy\n\n> r",
    "a\n===\nb\n---\n\n***\n",
    "| a |\n|---|\n| 1 |\n\n| b |\n\nx",
    "- a\n```\nx\n```\n- b",
    "# a\ntext\n## b\n\n- c\n# d",
  ])("give the same as marked for %j", (text) => {
    expect(kinds(write([text]))).toEqual(whole(text));
  });
});

it("end for any text", () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      expect(write([text]).querySelector("script, iframe, img, form, object, embed, link, meta, style")).toBeNull();
    }),
    { numRuns: 200 },
  );
});
