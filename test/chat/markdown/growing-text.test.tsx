import { Lexer } from "marked";
import { expect, it, onTestFinished, vi } from "vitest";
import { MarkdownWriter } from "#chat/markdown/markdown-writer.ts";
import { makeTokens } from "../../../.bench/markdown/make-markdown.mjs";

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

it("shows at each moment what the text so far is, read at once", () => {
  const tokens: string[] = makeTokens("mixed", 1_500);
  const { root, take } = startWriter();
  // A space at the end of a line is not seen.
  const html = (written: HTMLElement) => written.innerHTML.replace(/ +(?=<\/)/g, "");
  for (let at = 0; at < tokens.length; at += 7) {
    take(tokens.slice(at, at + 7).join(""));
    const whole = startWriter();
    whole.take(tokens.slice(0, at + 7).join(""));
    expect(html(root)).toBe(html(whole.root));
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
