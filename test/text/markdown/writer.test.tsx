import { Lexer } from "marked";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { proposedTexts } from "#playground/messages/proposals.ts";
import { MarkdownWriter } from "#text/markdown/markdown-writer.ts";
import { makeTokens } from "../../../.bench/markdown/make-markdown.mjs";
import { anyProposal, JSON_TEXT, PROPOSALS } from "../../playground/messages/proposal-samples.ts";
import { cases, isLongSuite } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";
import { hostileTexts } from "./hostile-text.ts";
import { anyMarkdown, anySplit, SAMPLE } from "./markdown-samples.ts";
import { streamedHtml, viewHtml, write, writtenHtml } from "./written-html.ts";

describe("a streamed document ends as the full parse", () => {
  it("for any text, however it is split", () => {
    fc.assert(
      fc.property(anySplit, ({ text, pieces }) => {
        expect(writtenHtml(pieces)).toBe(writtenHtml([text]));
      }),
      { numRuns: cases(100, 400) },
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
    const tokens: string[] = makeTokens("mixed", 3_000);
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const take = (from: number, to: number) => {
      for (const token of tokens.slice(from, to)) {
        writer.take(token);
        writer.write(Number.POSITIVE_INFINITY);
      }
    };
    take(0, 2_300);
    const groups = () => [...root.querySelectorAll(".md-group")];
    const finished = groups().slice(0, -1);
    expect(finished.length).toBeGreaterThan(0);
    const watch = new MutationObserver(() => undefined);
    for (const group of finished)
      watch.observe(group, { subtree: true, childList: true, characterData: true, attributes: true });
    take(2_300, 3_000);
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
    { numRuns: cases(60, 200) },
  );
});

function startWriter() {
  const root = document.createElement("div");
  const writer = new MarkdownWriter(root);
  return {
    root,
    take(text: string) {
      writer.take(text);
      writer.write(Number.POSITIVE_INFINITY);
    },
  };
}

/** Characters of each reading of whole blocks from here on. */
function watchReading(): number[] {
  const lengths: number[] = [];
  const lex = Lexer.prototype.lex;
  vi.spyOn(Lexer.prototype, "lex").mockImplementation(function (this: Lexer, text: string) {
    lengths.push(text.length);
    return lex.call(this, text);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return lengths;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("a text that grows", () => {
  it("a paragraph that grows by words and whole marks is not read again", () => {
    const { root, take } = startWriter();
    take("Low water is at");
    const read = watchReading();
    for (const piece of [
      " noon",
      ", **high** water",
      " at `six()`, says *the",
      " table* of [tides](https://tides.example",
      "), and",
    ])
      take(piece);
    take(" so on.");
    expect(read).toEqual([]);
    expect(root.querySelector("p")?.innerHTML).toBe(
      'Low water is at noon, <strong>high</strong> water at <code>six()</code>, says <em>the table</em> of <a href="https://tides.example/" rel="noopener noreferrer nofollow" target="_blank">tides<span class="md-target"> (tides.example)</span></a>, and so on.',
    );
  });

  it.each(["A first paragraph.\n\n", "- An item.\n- Another.\n\n", "| a |\n|---|\n| 1 |\n\n", "> Quoted.\n\n"])(
    "what stands before a blank line is not read again with the paragraph behind it: %j",
    (first) => {
      const { take } = startWriter();
      take(`${first}The`);
      const read = watchReading();
      for (let words = 0; words < 50; words++) take(" [word] $");
      expect(Math.max(...read)).toBeLessThan("The [word] $\n".length + 50 * " [word] $".length);
      expect(read).toHaveLength(50);
    },
  );

  it("a long answer is read little more than twice in all", () => {
    const tokens: string[] = makeTokens("mixed", 3_000);
    const { take } = startWriter();
    const read = watchReading();
    for (let at = 0; at < tokens.length; at += 17) take(tokens.slice(at, at + 17).join(""));
    expect(sum(read) / tokens.join("").length).toBeLessThan(2.5);
  });

  /** Sections with a heading, paragraphs, and a table, lists, a quote or code: in one piece only for the long suite. */
  function growingTexts(): string[][] {
    const tokens: string[] = makeTokens("mixed", 1_500);
    if (isLongSuite) return [tokens];
    const sections: string[][] = [];
    for (const token of tokens) {
      if (token.includes("##")) sections.push([]);
      sections.at(-1)?.push(token);
    }
    return sections;
  }

  it("shows at each moment what the text so far is, read at once", () => {
    const texts = growingTexts();
    if (!isLongSuite) expect(texts.length).toBe(4);
    for (const tokens of texts) {
      const { root, take } = startWriter();
      // A space at the end of a line is not seen.
      const html = (written: HTMLElement) => written.innerHTML.replace(/ +(?=<\/)/g, "");
      for (let at = 0; at < tokens.length; at += 7) {
        take(tokens.slice(at, at + 7).join(""));
        const whole = startWriter();
        whole.take(tokens.slice(0, at + 7).join(""));
        expect(html(root)).toBe(html(whole.root));
      }
    }
  });

  it.each([
    ["an emphasis that a later line closes", ["One *and", " two\nthree* end"]],
    ["a link whose words were on the page", ["See [the", " tides](https://tides.example", ") now"]],
    ["an address that begins as a word", ["See https:", "//tides.example/now", " and"]],
    ["a picture behind a mark of exclamation", ["Look!", "[fox](https://pictures.example/fox.png)", " here"]],
    ["an amount and a formula", ["It is $", "x^2$ or", " $5"]],
    ["a number that becomes a list", ["- 1", ". one", " two"]],
    ["a heading by its underline", ["A title", " of two words\n==", "=\n\nText"]],
    ["bold inside a word", ["Un**be", "liev**ab", "le **word"]],
    ["an escaped mark", ["A \\", "* and", " *b*"]],
    ["a reference", ["[a]: https://ok.example\n\nSee", " [a", "] and [b]", " now"]],
  ])("reads anew where the beginning may change: %s", (_, pieces) => {
    const { root, take } = startWriter();
    for (const [at, piece] of pieces.entries()) {
      take(piece);
      const whole = startWriter();
      whole.take(pieces.slice(0, at + 1).join(""));
      expect(root.innerHTML).toBe(whole.root.innerHTML);
    }
  });
});

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
      { numRuns: cases(100, 300) },
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

/** The text of each block that proposes runs, as a reader sees it. */
function shownProposals(text: string): string[] {
  return [...write([text]).querySelectorAll(".md-code")].flatMap((code) => {
    const name = code.querySelector(".md-code-name")?.textContent?.toLowerCase();
    return name === "safelight-runs" ? [code.querySelector("code")?.textContent ?? ""] : [];
  });
}

describe("blocks that propose runs are those that are shown", () => {
  it.each(PROPOSALS)("%s", (_, text) => {
    expect(shownProposals(text)).toEqual([JSON_TEXT]);
  });

  it("in any text", () => {
    fc.assert(
      fc.property(anyProposal, (text) => {
        expect(proposedTexts(text)).toEqual(shownProposals(text).slice(0, 8));
      }),
      { numRuns: cases(60, 300) },
    );
  });

  it("with an attack in them", () => {
    for (const [at, attack] of hostileTexts.entries()) {
      if (!isLongSuite && at % 10 > 0) continue;
      const text = `\`\`\`safelight-runs\n${attack}\n\`\`\``;
      expect(proposedTexts(text)).toEqual(shownProposals(text));
    }
  });
});
