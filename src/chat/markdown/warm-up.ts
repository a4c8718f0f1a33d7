import { whenIdle } from "#lib/when-idle.ts";
import { element } from "./element.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** One piece for each kind of block, so that no single task is long. */
const PIECES = [
  "b\n",
  "## a\n\n**c** *d* `e`\n",
  "~~f~~ [g](https://example.com/h) ![i](j) https://k.example &amp;\n",
  "- a\n  - b\n\n1. c\n   - [x] d\n",
  "| a | b |\n|---|---:|\n| c | **d** |\n",
  "> a\n> b\n\n---\n\n    c\n",
  '```ts\nconst a = await b("c", 1e6); // d\n```\n',
];

let isAsked = false;

/**
 * Writes a little of everything once, unseen, before the first word of an answer comes: patterns are compiled, fonts are
 * looked up and letters are measured when they are first used, and on a slow device that would hold up the first lines.
 */
export function warmUp(): void {
  if (isAsked) return;
  isAsked = true;
  const pieces = [...PIECES];
  whenIdle(() => {
    const piece = pieces.shift();
    layOut(piece === undefined ? formula : (place) => write(place, piece));
    return piece === undefined;
  });
}

function layOut(fill: (place: HTMLElement) => void): void {
  const place = element("div", "markdown md-unseen");
  place.inert = true;
  fill(place);
  document.body.append(place);
  // Asking for a size makes the browser lay it out now.
  place.getBoundingClientRect();
  place.remove();
}

function write(place: HTMLElement, text: string): void {
  const writer = new MarkdownWriter(place);
  writer.take(text);
  writer.end();
  writer.write(0);
}

/** What renders formulas comes with the first of them, and is not asked for here; their fonts are. */
function formula(place: HTMLElement): void {
  let inside: Element = place;
  for (const name of ["math", "mrow", "mo"]) {
    const made = document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
    inside.append(made);
    inside = made;
  }
  inside.append("x∑");
}
