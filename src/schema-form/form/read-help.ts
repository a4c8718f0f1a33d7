import { visibleText } from "#lib/visible-text.ts";

/** A part of a help text. `link`: `text` leads to `address`. */
export type HelpPart =
  | { kind: "text" | "code" | "strong" | "emphasis"; text: string }
  | { kind: "link"; text: string; address: string };

interface HelpBlock {
  isItem: boolean;
  parts: HelpPart[];
}

interface Help {
  blocks: HelpBlock[];
  /** Set where only the start is shown: how long the whole is, in characters. */
  shortenedFrom?: number;
}

/** Characters of a help text that are read and shown. Real ones have a few hundred. */
export const LONGEST_HELP = 6_000;
/** Characters of a link's address. */
const LONGEST_ADDRESS = 2_000;
const ITEM = /^[ \t]{0,20}[-*•][ \t]+/;

/**
 * Reads a help text, which is untrusted, into paragraphs, list items, code, strong, emphasis and links. Everything else
 * is text. It takes time in proportion to the length of the text. `counter` counts the steps, for the test of that.
 */
export function readHelp(whole: string, counter?: { steps: number }): Help {
  const text = visibleText(whole.slice(0, LONGEST_HELP)).replace(/\r\n?/g, "\n");
  const blocks: HelpBlock[] = [];
  let open: { isItem: boolean; lines: string[] } | undefined;
  const close = () => {
    if (open) blocks.push({ isItem: open.isItem, parts: readInline(open.lines.join("\n"), counter) });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    if (line.trim() === "") close();
    else if (ITEM.test(line)) {
      close();
      open = { isItem: true, lines: [line.replace(ITEM, "")] };
      // An item is one line.
      close();
    } else {
      open ??= { isItem: false, lines: [] };
      open.lines.push(line);
    }
  }
  close();
  return whole.length > LONGEST_HELP ? { blocks, shortenedFrom: whole.length } : { blocks };
}

/**
 * A function that finds the next position of a mark at or after `from`; -1 where there is none. `from` must only grow.
 * So each mark costs one pass over the text: a position counts until it is passed, and -1 forever.
 */
function createFinder(text: string, counter: { steps: number } | undefined) {
  const lastFound = new Map<string, number>();
  return (mark: string, from: number): number => {
    const known = lastFound.get(mark);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = text.indexOf(mark, from);
    if (counter) counter.steps += (found < 0 ? text.length : found) - from + 1;
    lastFound.set(mark, found);
    return found;
  };
}

type Find = ReturnType<typeof createFinder>;

interface Found {
  part: HelpPart;
  end: number;
}

function readInline(text: string, counter: { steps: number } | undefined): HelpPart[] {
  const find = createFinder(text, counter);
  const link = createLinkReader(text, find, counter);
  const parts: HelpPart[] = [];
  /** Where the text after the last part begins. */
  let plainStart = 0;
  for (let at = 0; at < text.length; ) {
    if (counter) counter.steps += 1;
    const found = readPart(text, at, find, link);
    if (!found) {
      at += 1;
      continue;
    }
    if (at > plainStart) parts.push({ kind: "text", text: text.slice(plainStart, at) });
    parts.push(found.part);
    at = found.end;
    plainStart = at;
  }
  if (plainStart < text.length) parts.push({ kind: "text", text: text.slice(plainStart) });
  return parts;
}

function readPart(text: string, at: number, find: Find, link: (at: number) => Found | undefined): Found | undefined {
  const mark = text[at];
  if (mark === "`") {
    const end = find("`", at + 1);
    return end > at + 1 ? { part: { kind: "code", text: text.slice(at + 1, end) }, end: end + 1 } : undefined;
  }
  if (mark === "[") return link(at);
  if (mark !== "*") return undefined;
  if (text[at + 1] === "*") {
    const end = find("*", at + 2);
    if (end <= at + 2 || text[end + 1] !== "*") return undefined;
    return { part: { kind: "strong", text: text.slice(at + 2, end) }, end: end + 2 };
  }
  const end = find("*", at + 1);
  if (end <= at + 1 || /\s/.test(text[at + 1] ?? " ")) return undefined;
  return { part: { kind: "emphasis", text: text.slice(at + 1, end) }, end: end + 1 };
}

/** Reads `[text](address)`. Many opening brackets may share one `]`, so the address after it is read once. */
function createLinkReader(text: string, find: Find, counter: { steps: number } | undefined) {
  const addresses = new Map<number, { address: string; end: number } | undefined>();
  const addressAt = (close: number) => {
    if (text[close + 1] !== "(") return undefined;
    if (addresses.has(close)) return addresses.get(close);
    const found = /^https?:\/\/[^\s)]+(?=\))/.exec(text.slice(close + 2, close + 2 + LONGEST_ADDRESS));
    if (counter) counter.steps += found?.[0].length ?? 1;
    const read = found ? { address: found[0], end: close + 3 + found[0].length } : undefined;
    addresses.set(close, read);
    return read;
  };
  return (at: number): Found | undefined => {
    const close = find("]", at + 1);
    if (close <= at + 1) return undefined;
    const read = addressAt(close);
    return read && { part: { kind: "link", text: text.slice(at + 1, close), address: read.address }, end: read.end };
  };
}
