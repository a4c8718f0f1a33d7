import { parseSync } from "vite";

/** A phrase that the interface does not use, and what it says instead. */
export interface Phrase {
  text: string;
  /** Wrong only where it is a whole text. */
  isAlone: boolean;
  /** Wrong only in a label or a sentence: the same word may be a key or the name of a kind. */
  isWord?: boolean;
  better: string;
  pattern: RegExp;
}

/** The phrases of the glossary's tables: those of several words, those in quotes, and those that are wrong alone. */
export function readGlossary(readme: string): Phrase[] {
  let section = "";
  return readme.split("\n").flatMap((line) => {
    if (line.startsWith("## ")) section = line.slice(3);
    const cells = line.startsWith("| ") ? line.slice(2, line.lastIndexOf("|")).split(" | ") : [];
    const [first = "", second = "", third = ""] = cells.map((cell) => cell.trim());
    if (first === "word" || first === "found") return [];
    if (section === "One word for one thing") return phrasesOf(third, first.replaceAll("**", ""));
    return section === "Phrases" ? phrasesOf(first, second) : [];
  });
}

function phrasesOf(cell: string, better: string): Phrase[] {
  return cell.split(" / ").flatMap((entry) => {
    const isAlone = entry.endsWith(" (alone)");
    const isQuoted = /^".*"$/.test(entry);
    const text = entry.replace(" (alone)", "").replaceAll('"', "").trim();
    const isPhrase = text.includes(" ") && !/[();]/.test(text) && !text.includes(", task");
    if (!isAlone && !isQuoted && !isPhrase) return [];
    const escaped = plain(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = isAlone ? new RegExp(`^${escaped}$`) : new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "i");
    return [{ text, isAlone, isWord: isQuoted && !text.includes(" "), better, pattern }];
  });
}

const plain = (text: string) => text.replaceAll("’", "'").replace(/\s+/g, " ").trim();

/** A label begins with a capital, a sentence has words; classes, keys and selectors are neither. */
const isProse = (text: string) =>
  /^[“(]?[A-Z][a-z]/.test(text) || /[a-z…,.:”] [a-z…]+( |$)/.test(text.replace(/\S*[-:[\]=]\S* ?/g, ""));

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Types, and where modules are: none of it is read by people. */
const SILENT = new Set(["TSLiteralType", "TSImportType", "ImportDeclaration", "ExportAllDeclaration"]);

/**
 * The phrases that stand in strings, templates and JSX texts of a source: "file:line: what was found, and the better word".
 * An expression within a text counts as "…".
 */
export function findWords(path: string, source: string, glossary: readonly Phrase[]): string[] {
  const candidates = phrasesIn(source, glossary);
  if (candidates.length === 0) return [];
  const found: string[] = [];
  const say = (start: number, raw: string) => {
    const text = plain(raw);
    if (!/[a-z]{2}/i.test(text)) return;
    for (const { text: wrong, pattern, better, isWord } of candidates) {
      if (!pattern.test(text) || (isWord && !isProse(text))) continue;
      const line = source.slice(0, start).split("\n").length;
      const shown = raw.replace(/\s+/g, " ").trim();
      found.push(`${path}:${line}: “${shown.slice(0, 120)}” has “${wrong}”. Better: ${better}`);
    }
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isNode(value) || SILENT.has(value.type)) return;
    const node = value;
    if (node.type === "JSXElement" || node.type === "JSXFragment") {
      const children = node.children as Node[];
      if (children.some(({ type, value: text }) => type === "JSXText" && String(text).trim() !== "")) {
        say(node.start, children.map(textOfChild).join(""));
      }
      walk(node.openingElement);
      walk(children.filter(({ type }) => type !== "JSXText"));
      return;
    }
    if (node.type === "Literal" && typeof node.value === "string") say(node.start, node.value);
    if (node.type === "TemplateLiteral") {
      const parts = (node.quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked);
      say(node.start, parts.join("…"));
      walk(node.expressions);
      return;
    }
    for (const [key, inner] of Object.entries(node)) if (key !== "type" && key !== "source") walk(inner);
  };
  walk(parseSync(path, source).program);
  return found;
}

/** The phrases that a source may hold somewhere, comments and names included: most sources hold none, and are not parsed. */
function phrasesIn(source: string, glossary: readonly Phrase[]): Phrase[] {
  const text = plain(source).toLowerCase();
  return glossary.filter((phrase) => {
    const words = plain(phrase.text).toLowerCase();
    const shapes = phrase.isAlone ? [`"${words}"`, `>${words}<`, `> ${words} <`, `\`${words}\``] : [words];
    return shapes.some((shape) => text.includes(shape));
  });
}

function textOfChild(child: Node): string {
  if (child.type === "JSXText") return String(child.value);
  const expression = child.expression as Node | undefined;
  return expression?.type === "Literal" ? String(expression.value) : child.type === "JSXExpressionContainer" ? "…" : "";
}
