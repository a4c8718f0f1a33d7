type PartKind = "comment" | "string" | "keyword" | "number" | "name";

interface Part {
  text: string;
  kind?: PartKind;
}

/** What a line leaves open for the next one: the closing mark of a comment or string, or `""`. */
export type HighlightState = string;

const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[a-zA-Z%]{0,3}/y;
const PLAIN = /[^A-Za-z_$\d]/y;

/** Cuts one line into colored and plain parts. `state`: what the line before left open. */
export function highlightLine(
  line: string,
  language: Language,
  state: HighlightState,
): { parts: Part[]; state: HighlightState } {
  const parts: Part[] = [];
  let at = 0;
  const openSpan = language.spans.find((span) => span.isLong && span.close === state);
  if (openSpan) {
    const end = endOfSpan(line, 0, openSpan);
    parts.push({ text: line.slice(0, end ?? line.length), kind: openSpan.kind });
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

/**
 * `#` begins a comment only at the start or after a space, unlike in `a#b` and `$#`. Other marks begin one anywhere.
 */
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

/** What coloring needs to know of a language: enough for reading, not a grammar. */
export interface Language {
  keywords: ReadonlySet<string>;
  /** Begins a comment to the end of the line. */
  lineComment?: string;
  /** Comments and strings, by the marks that open and close them. */
  spans: readonly Span[];
  ignoresCase?: boolean;
}

interface Span {
  open: string;
  close: string;
  kind: Exclude<PartKind, "number" | "name">;
  /** May go on in the next line. */
  isLong: boolean;
}

const words = (text: string) => new Set(text.split(" "));
const comment = (open: string, close: string): Span => ({ open, close, kind: "comment", isLong: true });
const quote = (mark: string, isLong = false): Span => ({ open: mark, close: mark, kind: "string", isLong });

const QUOTES = [quote('"'), quote("'")];
const C_SPANS = [comment("/*", "*/"), ...QUOTES, quote("`", true)];

const C_LIKE: Language = {
  lineComment: "//",
  spans: C_SPANS,
  keywords: words(
    "abstract as async await auto bool boolean break byte case catch chan char class const constexpr continue crate debugger declare default defer delete do double else enum export extends extern false final finally float fn for from func function go goto if impl implements import in instanceof int interface internal is keyof let long loop map match mod module mut namespace native new nil null nullptr of operator override package private protected pub public readonly ref return self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typeof undefined union unsafe unsigned use using var virtual void volatile where while yield",
  ),
};
const PYTHON: Language = {
  lineComment: "#",
  spans: [quote('"""', true), quote("'''", true), ...QUOTES],
  keywords: words(
    "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
  ),
};
const RUBY: Language = {
  lineComment: "#",
  spans: QUOTES,
  keywords: words(
    "alias and begin break case class def do else elsif end ensure false for if in module next nil not or require rescue return self super then true unless until when while yield",
  ),
};
const SHELL: Language = {
  lineComment: "#",
  spans: [quote('"', true), quote("'", true)],
  keywords: words(
    "alias break case cd continue curl do done echo elif else esac eval exec exit export false fi for function if in local npm read return set shift source sudo then true until while",
  ),
};
const SQL: Language = {
  lineComment: "--",
  spans: [comment("/*", "*/"), ...QUOTES],
  ignoresCase: true,
  keywords: words(
    "add all alter and as asc begin between by case commit create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer over partition primary references returning right rollback select set table then true union unique update values view when where with",
  ),
};
const MARKUP: Language = {
  spans: [comment("<!--", "-->"), ...QUOTES],
  keywords: words("DOCTYPE"),
};
const STYLES: Language = {
  spans: [comment("/*", "*/"), ...QUOTES],
  keywords: words("and from important media not only or supports to"),
};
const DATA: Language = { spans: [quote('"')], lineComment: "//", keywords: words("true false null") };
const SETTINGS: Language = { lineComment: "#", spans: QUOTES, keywords: words("true false null yes no on off") };

/** The names of each language in fences. Similar languages share one. */
const NAMES: [Language, string][] = [
  [
    C_LIKE,
    "ts tsx typescript js jsx mjs cjs javascript java c h cpp c++ cc hpp cs csharp c# go golang rust rs swift kotlin kt scala php dart zig objc proto groovy",
  ],
  [PYTHON, "py python python3 ipython"],
  [RUBY, "rb ruby perl r elixir ex"],
  [SHELL, "sh bash zsh shell console shell-session fish dockerfile docker makefile make"],
  [SQL, "sql postgres postgresql mysql sqlite plsql lua haskell hs"],
  [MARKUP, "html xml svg vue svelte xhtml"],
  [STYLES, "css scss less"],
  [DATA, "json jsonc json5 jsonl safelight-runs"],
  [SETTINGS, "yaml yml toml ini conf env properties nginx hcl tf terraform"],
];
const byName = new Map(NAMES.flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)));

/** The language that a fence names. Undefined where it is not known: its code stays plain. */
export function findLanguage(name: string): Language | undefined {
  return byName.get(name.toLowerCase());
}
