import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["src", "test", ".scripts", ".build", ".ci", ".bench"];
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

function filesIn(folder: string, ending: RegExp): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesIn(path, ending);
    return ending.test(entry.name) ? [path] : [];
  });
}

/** The names of all sections and numbered points: `spec 4.1`, `spec 4.1 rule 2`, `in-the-wild 1 rule 3`. */
function placesOf(text: string): Set<string> {
  const places = new Set<string>();
  let section = "";
  for (const line of text.split("\n")) {
    const heading = /^#{2,3} (?:(In the wild|Text endpoints) )?(\d+(?:\.\d+)?)\b/.exec(line);
    if (heading) section = `${heading[1]?.toLowerCase().replaceAll(" ", "-") ?? "spec"} ${heading[2]}`;
    else if (line.startsWith("#")) section = "";
    const point = /^(\d+)\. /.exec(line)?.[1];
    if (section !== "") places.add(point === undefined ? section : `${section} rule ${point}`);
  }
  return places;
}

const NUMBERS = String.raw`(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?(?![\w.]))*)`;
const CITATION = new RegExp(
  String.raw`\b(spec|specification|in-the-wild|text-endpoints),?(?: sections?)? ${NUMBERS}(?:,? (?:rules?|trap) ${NUMBERS})?`,
  "gi",
);

/** Every place that a text cites, in the spelling of `placesOf`. A point may be cited as `5.3` too. */
function citationsIn(text: string, places: Set<string>): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, document = "", sections = "", points]) => {
    const name = document.toLowerCase().replace("specification", "spec");
    const cited = sections.split(/, | and /).map((section) => {
      const [outer, point] = section.split(".");
      const asPoint = `${name} ${outer} rule ${point}`;
      return point !== undefined && places.has(asPoint) ? asPoint : `${name} ${section}`;
    });
    if (points === undefined) return cited;
    return [...cited, ...points.split(/, | and /).map((point) => `${cited.at(-1)} rule ${point}`)];
  });
}

const commentsOf = (text: string) => (text.match(/\/\*[\s\S]*?\*\/|(?:^|[\s;{}])\/\/.*$/gm) ?? []).join("\n");

const THIS_FILE = join("test", "documents.test.ts");
const sources = SOURCES.flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs)$/)).filter((path) => path !== THIS_FILE);
const documents = [
  "README.md",
  "CHANGELOG.md",
  ...[...SOURCES, ".github", ".deploy"].flatMap((folder) => filesIn(folder, /\.md$/)),
];
const service = placesOf(read("src/api/specification.md"));

describe("citations", () => {
  it("of the service lead to a section or a point of src/api/specification.md", () => {
    const all = [...sources, ...documents].flatMap((path) =>
      citationsIn(read(path), service).map((place) => ({ path, place })),
    );
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(({ place }) => !service.has(place))).toEqual([]);
  });

  it("of faults lead to a row of test/README.md", () => {
    const rows = new Set([...read("test/README.md").matchAll(/^\| ([A-Z]\d{1,2}) \|/gm)].map(([, code]) => code));
    const cited = sources.flatMap((path) =>
      [...commentsOf(read(path)).matchAll(/\b[HKMP]\d{1,2}\b(?![.%])/g)].map(([code]) => ({ path, code })),
    );
    expect(cited.filter(({ code }) => !rows.has(code))).toEqual([]);
  });

  it("name no document that a clone does not have", () => {
    const missing = sources.flatMap((path) => {
      const comments = commentsOf(read(path));
      const named = comments.match(/(?:[\w.-]+\/)*[\w-]+\.md\b/g) ?? [];
      const lost = named.filter(
        (name) => !["", "src", dirname(path)].some((from) => existsSync(join(ROOT, from, name))),
      );
      return [...lost, ...(comments.match(/\breliability,? [A-Z]?\d[\d.]*/g) ?? [])].map((name) => ({ path, name }));
    });
    expect(missing).toEqual([]);
  });
});

/** Every file of a clone that a text may name: paths from the root, and the names without their folders. */
const clone = new Set(
  [...SOURCES, ".github", ".deploy", "public"]
    .flatMap((folder) => filesIn(folder, /./))
    .concat(readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))),
);
const names = new Set([...clone].map((path) => path.split("/").at(-1)));

describe("paths in backticks", () => {
  it("lead to files: from the root, from src or test, or from a folder around the text", () => {
    const lost = [...sources, ...documents].flatMap((path) => {
      const text = path.endsWith(".md") ? read(path) : commentsOf(read(path));
      const named = [...text.matchAll(/`#?((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|md))`/g)].map(([, name = ""]) => name);
      const around = dirname(path)
        .split("/")
        .map((_, index, parts) => parts.slice(0, index + 1).join("/"));
      const isThere = (name: string) =>
        name.includes("/")
          ? ["", "src", "test", ...around].some((from) => clone.has(join(from, name)))
          : names.has(name);
      return named.filter((name) => !isThere(name)).map((name) => ({ path, name }));
    });
    expect(lost).toEqual([]);
  });
});

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("links", () => {
  it.each(documents)("of %s lead to files", (path) => {
    const targets = [...read(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split("#")[0] ?? "");
    const local = targets.filter((target) => target !== "" && !/^[a-z]+:/i.test(target));
    const broken = local.filter((target) => !existsSync(join(ROOT, dirname(path), decodeURI(target))));
    expect(broken.map((target) => relative(ROOT, join(ROOT, dirname(path), target)))).toEqual([]);
  });

  it.each(documents)("of %s to a part of a document lead to a heading", (path) => {
    const targets = [...read(path).matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)];
    const lost = targets.filter(([, file = "", anchor = ""]) => {
      const target = file === "" ? path : join(dirname(path), file);
      return !anchorsOf(read(target)).has(anchor);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });
});

describe("the reader of claims", () => {
  it("splits paragraphs, points and rows of tables into sentences, and leaves Reporting and the ways out alone", () => {
    const text = [
      "# S\n\nx. y\n\n## Reporting\n\nMail us.\n\n## What\n\n| a | b |\n|---|---|\n| 1. | 2 |",
      "\n**A key.** It stays\nthere. See `a.b` now. (“So.”) `C` is.\n\n- One; two. Three.\n- Four",
      "\n### What a script\n\nFive.\n\n| Kind | Tries |\n|---|---|\n| r | `f` |\n\n## Not\n\n- Six.",
    ].join("\n");
    expect(claimsIn(text)).toEqual(
      "| 1. | 2 |\n**A key.**\nIt stays there.\nSee `a.b` now. (“So.”)\n`C` is.\nOne; two.\nThree.\nFour\nFive.\nSix.".split(
        "\n",
      ),
    );
  });

  it("finds the titles of a test, also behind a table", () => {
    expect(titlesIn("test/documents.test.ts")).toEqual(
      expect.arrayContaining(["of %s lead to files", "finds sections and points", "the reader of claims"]),
    );
  });
});

describe("the reader of citations", () => {
  const places = placesOf("## 4. A\n### 4.1 B\n1. x\n## 5. C\n1. y\n### In the wild 1: D\n3. z\n## Open\n1. no place");

  it("finds sections and points", () => {
    expect([...places]).toEqual(
      expect.arrayContaining(["spec 4", "spec 4.1 rule 1", "spec 5 rule 1", "in-the-wild 1 rule 3"]),
    );
    expect(places.has("spec 4.1 rule 2")).toBe(false);
  });

  it.each([
    ["(spec 4.1)", ["spec 4.1"]],
    ["Spec 4.1 rule 1:", ["spec 4.1", "spec 4.1 rule 1"]],
    ["spec 5.1", ["spec 5 rule 1"]],
    ["specification section 4", ["spec 4"]],
    ["spec 7 rules 1 and 2", ["spec 7", "spec 7 rule 1", "spec 7 rule 2"]],
    ["in-the-wild 1, trap 3", ["in-the-wild 1", "in-the-wild 1 rule 3"]],
    ["in-the-wild 1 and 5", ["in-the-wild 1", "in-the-wild 5"]],
    ["text-endpoints, sections 0 and 4", ["text-endpoints 0", "text-endpoints 4"]],
    ["specs 4 and respect 3", []],
  ])("reads %j", (text, expected) => {
    expect(citationsIn(text, places)).toEqual(expected);
  });
});

/**
 * What SECURITY says, sentence by sentence, in the sections of claims: all but “Reporting”. A row of a table counts as one
 * sentence. The rows of ways out name their tries themselves, and are held by the test of those.
 */
function claimsIn(text: string): string[] {
  const [, ...sections] = text.split(/^## /m);
  const [claiming = "", ways = ""] = sections
    .filter((section) => !section.startsWith("Reporting"))
    .map((section) => section.slice(section.indexOf("\n") + 1))
    .join("\n")
    .split(/^### .*$/m);
  const lines = [...claiming.split("\n"), "", ...ways.split("\n").filter((line) => !line.startsWith("|"))];
  const isHead = (at: number) => /^\|[-|]+$/.test(lines[at] ?? "") || /^\|[-|]+$/.test(lines[at + 1] ?? "");
  const parts: string[] = [""];
  for (const [at, line] of lines.entries()) {
    if (line.startsWith("|")) parts.push(isHead(at) ? "" : line, "");
    else if (line === "" || line.startsWith("- ")) parts.push(line.replace(/^- /, ""));
    else parts.push(`${parts.pop()} ${line.trim()}`.trim());
  }
  return parts
    .filter((part) => part !== "")
    .flatMap((part) => (part.startsWith("|") ? part : part.split(/(?<=[.!?][*”)]{0,2}) (?=[A-Z“`*[])/)));
}

/** A sentence of SECURITY and what proves it: tests as `file: a part of a title`. */
interface Claim {
  says: string;
  proof?: string[];
  /** Why no test proves it, or which part of it none does. */
  notTested?: string;
  /** Why it needs none: it tells what remains, or only leads to others. */
  noPromise?: string;
}

/** The titles of a test file, also those behind `.each(…)`. */
function titlesIn(file: string): string[] {
  if (!existsSync(join(ROOT, file))) return [];
  const named = /(?:\b(?:it|test|describe)(?:\.\w+)*\(|\)\()\s*(["`])((?:\\.|(?!\1).)*)\1/gs;
  return [...read(file).matchAll(named)].map(([, , title = ""]) => title);
}

describe("test/security-claims.json", () => {
  const claims: Claim[] = JSON.parse(read("test/security-claims.json"));
  const sentences = claimsIn(read(".github/SECURITY.md"));

  it("has a row for every sentence of SECURITY, as it stands there and in its order", () => {
    expect(claims.map(({ says }) => says)).toEqual(sentences);
  });

  it("names tests that there are, or says why there is none", () => {
    const proofs = claims.flatMap(({ proof = [] }) => proof);
    const lost = proofs.filter((proof) => {
      const [file = "", part = ""] = proof.split(/: (.*)/s);
      return part === "" || !titlesIn(file).some((title) => title.includes(part));
    });
    expect(lost).toEqual([]);
    const bare = claims.filter(
      ({ proof = [], notTested, noPromise }) => proof.length === 0 && !notTested && !noPromise,
    );
    expect(bare.map(({ says }) => says)).toEqual([]);
  });
});

it("SECURITY has a row for every way out that a story tries, and tries every one that it names", () => {
  const [, list = ""] = read(".github/SECURITY.md").split("### What a script in the page can send out");
  const [section = ""] = list.split("\n**Money**");
  const ways = read("test/flows/injected.js").split("const WAYS = {")[1] ?? "";
  const tried = [...ways.matchAll(/^ {2}(\w+): (?:async )?\(/gm)].map(([, name = ""]) => name);
  const isNamed = (name: string) => section.includes(`\`${name}\``) || (name.endsWith("Frame") && name !== "Frame");
  expect(tried.length).toBeGreaterThan(100);
  expect(tried.filter((name) => !isNamed(name))).toEqual([]);
  const rows = section.split("\n").filter((line) => /^\| (?!Kind|-)/.test(line));
  const lastColumns = rows.map((row) => row.split(" | ").at(-1) ?? "").join(" ");
  const named = [...lastColumns.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => name !== "Frame" && !tried.includes(name))).toEqual([]);
});
