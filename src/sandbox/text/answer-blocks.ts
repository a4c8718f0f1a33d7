import type { SeededRandom } from "../media/seeded-random.ts";
import { capital, type SentenceMaker } from "./sentences.ts";

type Words = readonly [string, ...string[]];

const LANGUAGES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["python", /\bpython|\.py\b|\bdef \w+/i],
  ["sql", /\bsql\b|\bquery\b|\bdatabase\b/i],
  ["rust", /\brust\b/i],
  ["css", /\bcss\b|\bstylesheet\b/i],
  ["bash", /\bbash\b|\bshell\b|\bterminal\b/i],
  ["json", /\bjson\b/i],
  ["typescript", /./s],
];

/** The language that a prompt asks for, TypeScript where it names none. */
export function codeLanguage(prompt: string): string {
  return LANGUAGES.find(([, pattern]) => pattern.test(prompt))?.[0] ?? "typescript";
}

/** A name in the style of code, from the first words. */
function identifier(words: Words, joiner: "camel" | "snake"): string {
  const parts = words.slice(0, 2).map((word) => word.replace(/[^a-z]/g, "") || "item");
  return joiner === "snake" ? parts.join("_") : parts.map((part, i) => (i === 0 ? part : capital(part))).join("");
}

/** A small piece of code that runs, named after the topic. */
export function codeBody(language: string, words: Words): string {
  const camel = identifier(words, "camel");
  const snake = identifier(words, "snake");
  const type = capital(camel);
  const bodies: Record<string, string> = {
    python: `from dataclasses import dataclass\n\n\n@dataclass\nclass ${type}:\n    name: str\n    weight: float = 1.0\n\n\ndef best_${snake}(items: list[${type}], limit: int = 3) -> list[${type}]:\n    """Return the heaviest items first, at most \`limit\` of them."""\n    ranked = sorted(items, key=lambda item: item.weight, reverse=True)\n    return ranked[:limit]\n\n\nif __name__ == "__main__":\n    for item in best_${snake}([${type}("first", 2.5), ${type}("second", 4.0)]):\n        print(f"{item.name}: {item.weight:.1f}")`,
    sql: `SELECT ${snake}.name,\n       COUNT(*)            AS entries,\n       AVG(${snake}.weight) AS mean_weight\nFROM ${snake}\nWHERE ${snake}.created_at >= DATE '2026-01-01'\nGROUP BY ${snake}.name\nHAVING COUNT(*) > 1\nORDER BY mean_weight DESC\nLIMIT 10;`,
    rust: `#[derive(Debug, Clone)]\nstruct ${type} {\n    name: String,\n    weight: f64,\n}\n\nfn best(mut items: Vec<${type}>, limit: usize) -> Vec<${type}> {\n    items.sort_by(|a, b| b.weight.total_cmp(&a.weight));\n    items.truncate(limit);\n    items\n}`,
    css: `.${camel} {\n  display: grid;\n  grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr));\n  gap: 1rem;\n}\n\n.${camel} > article:focus-within {\n  outline: 2px solid currentColor;\n  outline-offset: 2px;\n}`,
    bash: `#!/usr/bin/env bash\nset -euo pipefail\n\n# Newest ${words[0]} first, with its size.\nfind . -name '*.${snake}' -printf '%T@ %s %p\\n' |\n  sort -rn |\n  head -n 10 |\n  awk '{ printf "%8.1f kB  %s\\n", $2 / 1024, $3 }'`,
    json: `{\n  "name": "${words[0]}",\n  "weight": 2.5,\n  "tags": [${words.map((word) => `"${word}"`).join(", ")}],\n  "isReady": true\n}`,
    typescript: `interface ${type} {\n  name: string;\n  weight: number;\n}\n\n/** The heaviest items first, at most \`limit\` of them. */\nexport function best${type}(items: readonly ${type}[], limit = 3): ${type}[] {\n  return [...items].sort((a, b) => b.weight - a.weight).slice(0, limit);\n}\n\nconst found = best${type}([\n  { name: "first", weight: 2.5 },\n  { name: "second", weight: 4 },\n]);\nconsole.log(found.map(({ name }) => name).join(", "));`,
  };
  return bodies[language] ?? bodies.typescript ?? "";
}

/** A table that compares the topic's words, numbers to the right. */
export function table(random: SeededRandom, words: Words): string {
  const rows = (words.length > 1 ? words.slice(0, 4) : [words[0], "a simpler way", "doing nothing"]).map((word) => {
    const effort = random.pick(["Low", "Medium", "High"]);
    return `| ${capital(word)} | ${effort} | ${random.pick(["days", "a week", "an afternoon", "a month"])} | ${Math.round(random.between(55, 98))} % |`;
  });
  return ["| Part | Effort | Time | Worth it |", "| :--- | :--- | :--- | ---: |", ...rows].join("\n");
}

/** Points with a nested remark, numbered where the prompt asks for steps. */
export function pointList(maker: SentenceMaker, count: number, isNumbered: boolean): string {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const indent = isNumbered ? "   " : "  ";
    lines.push(`${isNumbered ? `${i + 1}.` : "-"} ${maker.sentence("point")}`);
    if (i === 1) lines.push(`${indent}- ${maker.sentence("body")}`);
  }
  return lines.join("\n");
}

/** Four short lines. */
export function poem(random: SeededRandom, words: Words): string {
  const [a] = words;
  const b = words[1] ?? "the evening";
  return random.pick([
    `A lamp for the ${a},\na door left open to ${b},\nand snow that forgets\nhow loud the day was.`,
    `The ${a} keeps its own hours.\nIt counts the boats, the birds, ${b},\nand when the last light folds its map\nit goes on counting.`,
    `Morning hands the ${a} to me\nstill warm from ${b},\nand asks for nothing\nbut a little time.`,
  ]);
}

const QUALITIES = ["weathered", "solitary", "small wooden", "silent", "slender"] as const;
const LIGHTS = [
  "lit from one side by a low amber lamp",
  "in the blue hour, the last light on the edges",
  "under thin clouds, soft light without hard shadows",
] as const;
const FINISHES = [
  "fine mist in the distance, 35 mm lens, shallow focus, film grain",
  "wide view from low above the ground, calm colors, much empty space",
  "close view, wet surfaces that reflect, muted colors with one warm accent",
] as const;

/** The prompt that a request to rewrite one gives: all that follows a line "The prompt:". */
export function promptToImprove(asked: string): string | undefined {
  return /^the prompt:[ \t]*\n([\s\S]+)$/im.exec(asked)?.[1]?.trim() || undefined;
}

/** The same prompt, more specific: a quality for its first thing, a light and a finish. */
export function betterPrompt(random: SeededRandom, prompt: string): string {
  const specific = prompt.replace(/^(an?|the)\s+(?=\p{L})/iu, (_, article: string) => {
    const quality = random.pick(QUALITIES);
    return `${/^a/i.test(article) ? article.charAt(0) : article} ${quality} `;
  });
  return `${specific.replace(/[\s.,]+$/, "")}, ${random.pick(LIGHTS)}, ${random.pick(FINISHES)}.`;
}
