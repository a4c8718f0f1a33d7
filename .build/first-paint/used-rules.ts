/**
 * The rules of a minified style sheet that `html` may use: those whose classes all occur in it, and those without any.
 * Keeps more than is needed rather than less, in the order in which they stand. Animations and unknown at-rules are left
 * out.
 */
export function usedRules(css: string, html: string): string {
  const names = new Set(
    [...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, list = ""]) => list.replaceAll("&amp;", "&").split(/\s+/)),
  );
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag = ""]) => tag));
  const kept = rulesOf(css)
    .map((rule) => keep(rule, { names, tags }))
    .join("");
  // A registered property counts where something sets it or reads it.
  return kept.replaceAll(/@property (--[\w-]+)\{[^}]*\}/g, (rule, name: string) =>
    kept.replaceAll(`@property ${name}{`, "").includes(name) ? rule : "",
  );
}

interface Used {
  names: ReadonlySet<string>;
  tags: ReadonlySet<string>;
}

interface Rule {
  /** What stands before the block, or the whole statement where there is none. */
  head: string;
  block: string | undefined;
}

function keep({ head, block }: Rule, used: Used): string {
  if (block === undefined) return head.startsWith("@layer") ? `${head};` : "";
  // For browsers without registered properties: they wait for the whole sheet.
  if (head === "@layer properties" || /prefers-reduced-motion|@media print/.test(head)) return "";
  if (/^@(media|supports|layer|container)/.test(head)) {
    const inside = rulesOf(block)
      .map((rule) => keep(rule, used))
      .join("");
    return inside === "" ? "" : `${head}{${inside}}`;
  }
  if (head.startsWith("@property")) return `${head}{${block}}`;
  // Of the fonts, those for the studio's own words and what stands there before.
  if (head.startsWith("@font-face"))
    return /Stand-in|unicode-range:U\+(00)?0{1,2}-(00)?FF/i.test(block) ? `${head}{${block}}` : "";
  if (head.startsWith("@")) return "";
  const selectors = splitList(head).filter((selector) => mayMatch(selector, used));
  return selectors.length > 0 ? `${selectors.join(",")}{${block}}` : "";
}

/** States that nothing in a still picture has, and parts of controls that show nothing of their own. */
const NEVER =
  /:(hover|focus|active|disabled|enabled|visited|target|-moz|host)|::(-|file|backdrop|selection|details|marker)/;

function mayMatch(selector: string, { names, tags }: Used): boolean {
  const bare = selector.replaceAll(/\\./g, "");
  if (NEVER.test(bare) && !/:(is|not|where)\(/.test(bare)) return false;
  const classes = classesOf(selector);
  if (classes.length > 0) return classes.every((name) => names.has(name));
  return !/^[a-z][a-z0-9]*$/.test(bare) || tags.has(bare);
}

/** The class names of a selector, without the backslashes of the style sheet. */
function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name = ""]) => name.replaceAll(/\\(.)/g, "$1"));
}

/** Parts between commas that stand in no brackets. */
function splitList(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] ?? "";
    if (letter === "\\") parts[parts.length - 1] += letter + (text[++index] ?? "");
    else if (letter === "," && depth === 0) parts.push("");
    else {
      if ("([".includes(letter)) depth++;
      if (")]".includes(letter)) depth--;
      parts[parts.length - 1] += letter;
    }
  }
  return parts;
}

/** The rules of one level. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let start = 0;
  for (let index = 0; index < css.length; index++) {
    const letter = css[index];
    if (letter === "\\") index++;
    else if (letter === '"' || letter === "'") index = css.indexOf(letter, index + 1);
    else if (letter === "/" && css[index + 1] === "*") {
      index = css.indexOf("*/", index) + 1;
      start = index + 1;
    } else if (letter === ";") {
      rules.push({ head: css.slice(start, index).trim(), block: undefined });
      start = index + 1;
    } else if (letter === "{") {
      const end = endOfBlock(css, index);
      rules.push({ head: css.slice(start, index).trim(), block: css.slice(index + 1, end) });
      index = end;
      start = end + 1;
    }
  }
  return rules;
}

function endOfBlock(css: string, open: number): number {
  let depth = 0;
  for (let index = open; index < css.length; index++) {
    const letter = css[index];
    if (letter === "\\") index++;
    else if (letter === '"' || letter === "'") index = css.indexOf(letter, index + 1);
    else if (letter === "{") depth++;
    else if (letter === "}" && --depth === 0) return index;
  }
  return css.length;
}
