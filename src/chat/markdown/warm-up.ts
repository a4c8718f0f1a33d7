import { highlightLine } from "./highlight-line.ts";
import { languageOf } from "./languages.ts";
import { lexMarkdown, noLinks } from "./lex-markdown.ts";

/** One piece for each kind of block, so that no single task is long. */
const PIECES = [
  "## a\n\nb **c** *d* `e` ~~f~~ [g](https://example.com/h) ![i](j) https://k.example &amp; $l$\n",
  "- a\n  - b\n\n1. c\n   - [x] d\n",
  "| a | b |\n|---|---:|\n| c | **d** |\n",
  "> a\n> b\n\n---\n\n    c\n",
];
const CODE = 'const a = await b("c", 1e6); // d\n';

let isAsked = false;

/**
 * Reads a little of everything once, in the pause before the first word of an answer: patterns are compiled when they are
 * first used, and on a slow device that would hold up the first lines.
 */
export function warmUp(): void {
  if (isAsked) return;
  isAsked = true;
  const steps = PIECES.map((piece) => () => void lexMarkdown(piece, noLinks()));
  const language = languageOf("ts");
  if (language) steps.push(() => void highlightLine(CODE, language, ""));
  const next = () => {
    steps.shift()?.();
    if (steps.length > 0) setTimeout(next);
  };
  setTimeout(next);
}
