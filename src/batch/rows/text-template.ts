import { formatNumber } from "#lib/numbers.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";

interface ExpandedText {
  texts: string[];
  /** Why there are no texts, in a sentence. */
  problem?: string;
}

/** A piece of an expanded text, and whether it differs between the texts. */
export interface TextPart {
  text: string;
  varies: boolean;
}

/** Of all texts of one template together; more would fill the memory of the page. */
const MAX_CHARACTERS = 20_000_000;
/** Levels of braces, because `writeText` calls itself for each. */
const MAX_DEPTH = 40;

/**
 * Something that has one or more texts. `count` is how many, `length` how many characters all of them have together; for a
 * range an upper bound.
 */
interface Sized {
  count: number;
  length: number;
}
type TextNode = Sized &
  (
    | { kind: "text"; text: string }
    | { kind: "range"; texts: (at: number) => string }
    | { kind: "choice"; branches: readonly Sequence[] }
  );
interface Sequence extends Sized {
  nodes: readonly TextNode[];
  isTooDeep: boolean;
}

/**
 * Every text that a text makes, in reading order, the last alternative changing fastest: `{a|b}` stands for a or b, `{1..4}`
 * for each number of a range. `\{`, `\}` and `\|` are the signs themselves. No text where there is a problem, and never more
 * than `MAX_ITEMS`.
 */
export function expandText(text: string): ExpandedText {
  if (!/[{\\]/.test(text)) return { texts: [text] };
  const { texts, problem } = expand(text);
  if (problem !== undefined) return { texts: [], problem };
  return { texts: texts.map((pieces) => pieces.map((piece) => piece.text).join("")) };
}

/** The same texts in pieces, none where there is a problem. */
export function expandParts(text: string): TextPart[][] {
  return expand(text).texts;
}

function expand(text: string): { texts: TextPart[][]; problem?: string } {
  const whole = parse(text);
  const problem = findProblem(whole);
  if (problem !== undefined) return { texts: [], problem };
  const texts: TextPart[][] = [];
  for (let at = 0; at < whole.count; at += 1) {
    const pieces: TextPart[] = [];
    writeText(whole, at, false, pieces);
    texts.push(pieces.length > 0 ? pieces : [{ text: "", varies: false }]);
  }
  return { texts };
}

function findProblem({ count, length, isTooDeep }: Sequence): string | undefined {
  if (isTooDeep) return `Braces can be nested up to ${MAX_DEPTH} levels.`;
  if (count > MAX_ITEMS) {
    const many = count > 1e12 ? "more than a trillion" : formatNumber(count);
    return `Too many prompts: ${many}. A batch can have up to ${formatNumber(MAX_ITEMS)} runs.`;
  }
  return length > MAX_CHARACTERS ? "The prompts are too long in total." : undefined;
}

/**
 * Adds the pieces of one of the texts. Reads `at` as a number whose digits are the choices of the nodes, the last digit
 * fastest.
 */
function writeText({ nodes, count }: Sequence, at: number, varies: boolean, into: TextPart[]): void {
  let rest = at;
  let textsPerChoice = count;
  for (const node of nodes) {
    textsPerChoice /= node.count;
    let index = Math.floor(rest / textsPerChoice);
    rest %= textsPerChoice;
    if (node.kind === "text") add(into, node.text, varies);
    else if (node.kind === "range") add(into, node.texts(index), true);
    else {
      for (const branch of node.branches) {
        if (index < branch.count) {
          writeText(branch, index, true, into);
          break;
        }
        index -= branch.count;
      }
    }
  }
}

function add(into: TextPart[], text: string, varies: boolean): void {
  const last = into.at(-1);
  if (last?.varies === varies) last.text += text;
  else if (text !== "") into.push({ text, varies });
}

type Token = { sign: "{" | "|" | "}" | ""; text: string };

/** The signs of a text and what stands between them, as typed. */
function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [found] of text.matchAll(/\\[{}|]|[{}|]|[^\\{}|]+|\\/g)) {
    const sign = found === "{" || found === "|" || found === "}" ? found : "";
    const last = tokens.at(-1);
    const plain = found.length === 2 && found.startsWith("\\") && /[{}|]/.test(found) ? found.slice(1) : found;
    if (sign === "" && last?.sign === "") last.text += plain;
    else tokens.push({ sign, text: plain });
  }
  return tokens;
}

/** Which signs mean something: braces that hold a `|` of their own or a range. All others are text, as in JSON. */
function activeSigns(tokens: readonly Token[]): { signs: ReadonlySet<number>; ranges: ReadonlyMap<number, TextNode> } {
  const signs = new Set<number>();
  const ranges = new Map<number, TextNode>();
  const open: { at: number; bars: number[] }[] = [];
  tokens.forEach(({ sign }, at) => {
    if (sign === "{") open.push({ at, bars: [] });
    else if (sign === "|") open.at(-1)?.bars.push(at);
    else if (sign === "}") {
      const start = open.pop();
      if (!start) return;
      const range = at === start.at + 2 ? readRange(tokens[start.at + 1]?.text ?? "") : undefined;
      if (range) ranges.set(start.at, range);
      else if (start.bars.length > 0) for (const place of [start.at, ...start.bars, at]) signs.add(place);
    }
  });
  return { signs, ranges };
}

const empty = (): Sequence & { nodes: TextNode[] } => ({ nodes: [], count: 1, length: 0, isTooDeep: false });

function parse(text: string): Sequence {
  const tokens = readTokens(text);
  const { signs, ranges } = activeSigns(tokens);
  const top = empty();
  /** The sequences that are being read, the innermost last, each with its finished branches. */
  const stack: { branches: Sequence[]; current: Sequence & { nodes: TextNode[] } }[] = [{ branches: [], current: top }];
  for (let at = 0; at < tokens.length; at += 1) {
    const { sign, text: plain } = tokens[at] ?? { sign: "", text: "" };
    const frame = stack.at(-1);
    if (!frame) break;
    const range = ranges.get(at);
    if (range) {
      append(frame.current, range);
      // Skips the text of the range and its closing brace.
      at += 2;
    } else if (!signs.has(at)) append(frame.current, textNode(plain));
    else if (sign === "{") stack.push({ branches: [], current: empty() });
    else {
      frame.branches.push(frame.current);
      frame.current = empty();
      if (sign === "}") {
        stack.pop();
        const outer = stack.at(-1)?.current ?? top;
        append(outer, choiceNode(frame.branches));
        if (stack.length > MAX_DEPTH || frame.branches.some((branch) => branch.isTooDeep)) outer.isTooDeep = true;
      }
    }
  }
  return top;
}

const textNode = (text: string): TextNode => ({ kind: "text", text, count: 1, length: text.length });

function choiceNode(branches: readonly Sequence[]): TextNode {
  const count = branches.reduce((sum, branch) => sum + branch.count, 0);
  const length = branches.reduce((sum, branch) => sum + branch.length, 0);
  return { kind: "choice", branches, count, length };
}

function append(sequence: Sequence & { nodes: TextNode[] }, node: TextNode): void {
  sequence.length = sequence.length * node.count + node.length * sequence.count;
  sequence.count *= node.count;
  sequence.nodes.push(node);
}

const NUMBERS = /^(-?\d{1,15})\.\.(-?\d{1,15})(?:\.\.(-?\d{1,15}))?$/;
const LETTERS = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/;

/** `1..4`, `04..12`, `1..9..2`, `a..e`: undefined where a text is none of them. */
function readRange(text: string): TextNode | undefined {
  const letters = LETTERS.exec(text);
  if (letters) {
    const [from, to] = [letters[1] ?? letters[3] ?? "", letters[2] ?? letters[4] ?? ""].map((one) => one.charCodeAt(0));
    return rangeNode(from ?? 0, to ?? 0, 1, (code) => String.fromCharCode(code), 1);
  }
  const [, from, to, step] = NUMBERS.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isPadded = [from, to].some((word) => /^-?0\d/.test(word));
  const width = isPadded ? Math.max(from.length, to.length) : 0;
  const write = (number: number) => {
    const digits = String(Math.abs(number));
    return number < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
  };
  return rangeNode(Number(from), Number(to), Math.abs(Number(step ?? 1)) || 1, write, Math.max(from.length, to.length));
}

function rangeNode(from: number, to: number, step: number, write: (at: number) => string, width: number): TextNode {
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  const sign = to < from ? -step : step;
  return { kind: "range", texts: (at) => write(from + at * sign), count, length: count * width };
}
