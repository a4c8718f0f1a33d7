import type { Language, Span } from "./languages.ts";

export type PartKind = "comment" | "string" | "keyword" | "number" | "name";

interface Part {
  text: string;
  kind?: PartKind;
}

/** What a line leaves open: the closing mark it waits for, or nothing. */
export type HighlightState = string;

const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z%]{0,3}/y;
const PLAIN = /[^A-Za-z_$\d]/y;

/** Cuts one line into parts. `state` is what the line before left open. */
export function highlightLine(
  line: string,
  language: Language,
  state: HighlightState,
): { parts: Part[]; state: HighlightState } {
  const parts: Part[] = [];
  let at = 0;
  const open = language.spans.find((span) => span.isLong && span.close === state);
  if (open) {
    const end = endOfSpan(line, 0, open);
    parts.push({ text: line.slice(0, end ?? line.length), kind: open.kind });
    if (end === undefined) return { parts, state };
    at = end;
  }
  while (at < line.length) {
    if (language.lineComment && startsComment(line, at, language.lineComment)) {
      parts.push({ text: line.slice(at), kind: "comment" });
      return { parts, state: "" };
    }
    const span = language.spans.find(({ open: mark }) => line.startsWith(mark, at));
    if (span) {
      const end = endOfSpan(line, at + span.open.length, span);
      parts.push({ text: line.slice(at, end ?? line.length), kind: span.kind });
      if (end === undefined) return { parts, state: span.isLong ? span.close : "" };
      at = end;
      continue;
    }
    const part = readPart(line, at, language);
    parts.push(part);
    at += part.text.length;
  }
  return { parts, state: "" };
}

/** `#` and `--` begin a comment only where a word could begin, so that `a#b` and `$#` are left alone. */
function startsComment(line: string, at: number, mark: string): boolean {
  if (!line.startsWith(mark, at)) return false;
  return mark !== "#" || at === 0 || /\s/.test(line[at - 1] ?? "");
}

function endOfSpan(line: string, from: number, { close, kind }: Span): number | undefined {
  for (let at = from; at < line.length; at++) {
    if (kind === "string" && line[at] === "\\") at++;
    else if (line.startsWith(close, at)) return at + close.length;
  }
  return undefined;
}

function readPart(line: string, at: number, language: Language): Part {
  const word = match(WORD, line, at);
  if (word !== undefined) {
    const isKeyword = language.keywords.has(language.ignoresCase ? word.toLowerCase() : word);
    if (isKeyword) return { text: word, kind: "keyword" };
    return line[at + word.length] === "(" ? { text: word, kind: "name" } : { text: word };
  }
  const number = match(NUMBER, line, at);
  if (number !== undefined) return { text: number, kind: "number" };
  return { text: match(PLAIN, line, at) ?? line.charAt(at) };
}

function match(pattern: RegExp, line: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0];
}
