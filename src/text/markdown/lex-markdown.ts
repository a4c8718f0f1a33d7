import { Lexer, Marked, type MarkedToken, type Token } from "marked";

/** A formula in a line of text. */
interface MathToken {
  type: "math";
  raw: string;
  tex: string;
  isDisplayed: boolean;
}

/** A `<br>`, the one tag models write in tables. */
interface BreakTagToken {
  type: "breakTag";
  raw: string;
}

export type MarkdownToken = MarkedToken | MathToken | BreakTagToken;
/** The addresses of reference-style links, by label. The first definition of a label counts. */
export type LinkTargets = Lexer["tokens"]["links"];

/** Lengths are bounded, so that a mark that is never closed costs little. */
const FORMULAS: [pattern: RegExp, isDisplayed: boolean][] = [
  [/^\$\$((?:\\[^\n]|[^$\\]){1,4000}?)\$\$/, true],
  [/^\$(?![\s$])((?:\\[^\n]|[^$\\\n]){1,1000}?)(?<!\s)\$(?!\d)/, false],
  [/^\\\(([^\n]{1,1000}?)\\\)/, false],
  [/^\\\[([^\n]{1,1000}?)\\\]/, true],
];

const marked = new Marked({ gfm: true });
marked.use({
  // Raw HTML is text (H2 and H4 in `test/README.md`): neither blocks nor tags are recognized.
  tokenizer: { html: () => undefined, tag: () => undefined },
  extensions: [
    {
      name: "math",
      level: "inline",
      start: (text) => earliest(text.indexOf("$"), text.indexOf("\\("), text.indexOf("\\[")),
      tokenizer(text) {
        for (const [pattern, isDisplayed] of FORMULAS) {
          const found = pattern.exec(text);
          if (found?.[1] !== undefined) return { type: "math", raw: found[0], tex: found[1].trim(), isDisplayed };
        }
        return undefined;
      },
    },
    {
      name: "breakTag",
      level: "inline",
      start: (text) => earliest(text.search(/<br/i)),
      tokenizer(text) {
        const found = /^<br ?\/?>/i.exec(text);
        return found ? { type: "breakTag", raw: found[0] } : undefined;
      },
    },
  ],
});

/** The first of these positions. `indexOf` gives -1 where there is none; a `start` of marked must give undefined. */
function earliest(...positions: number[]): number | undefined {
  const found = positions.filter((position) => position >= 0);
  return found.length > 0 ? Math.min(...found) : undefined;
}

/** Reads one segment into tokens. Definitions in it are added to `links`, unless the label is taken. */
export function lexMarkdown(text: string, links: LinkTargets): MarkdownToken[] {
  return lexSafely(text, links, (lexer) => lexer.lex(text)) ?? [asPlain(text)];
}

/** Reads a part of one line, such as "and **bold** words", into tokens. */
export function lexLine(text: string, links: LinkTargets): MarkdownToken[] {
  return (
    lexSafely(text, links, (lexer) => lexer.inlineTokens(text)) ?? [{ type: "text", raw: text, text, escaped: false }]
  );
}

function lexSafely(text: string, links: LinkTargets, lex: (lexer: Lexer) => Token[]): MarkdownToken[] | undefined {
  if (isCostly(text)) return undefined;
  const lexer = new Lexer(marked.defaults);
  lexer.tokens.links = links;
  try {
    return asMarkdown(lex(lexer));
  } catch {
    // No text may break the page, even if the lexer throws.
    return undefined;
  }
}

const asPlain = (text: string): MarkdownToken => ({
  type: "paragraph",
  raw: text,
  text,
  tokens: [{ type: "text", raw: text, text }],
});

const MARKS = /[[*_<$\\>@]/g;
/** 24 quotes or list items within each other, more than any real text nests. */
const DEEP_NESTING = /^(?:>[ \t]?|[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+){24}/m;

/**
 * Whether a text has so many marks that the lexer, whose time grows with their square, would block the page (H19 in
 * `test/README.md`). Below 1000 characters no text does.
 */
function isCostly(text: string): boolean {
  if (DEEP_NESTING.test(text)) return true;
  if (text.length < 1_000) return false;
  const marks = text.match(MARKS)?.length ?? 0;
  return marks > 500 && marks > text.length * 0.15;
}

/** A cast: this lexer makes no other tokens than these. */
export const asMarkdown = (tokens: Token[]): MarkdownToken[] => tokens as MarkdownToken[];

export function noLinks(): LinkTargets {
  return Object.create(null) as LinkTargets;
}
