import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { findWords, readGlossary } from "./find-words.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const GLOSSARY = readGlossary(read("src/ui/README.md"));
const PATHS = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => `src/${path.replaceAll(sep, "/")}`);

/** Where the words are not the studio's own. */
const ELSEWHERE: readonly [RegExp, string][] = [
  [/^src\/sandbox\/(?!documented-inputs|limits)/, "what a service says and what its models write"],
  [/^src\/api\/samples\//, "code that people take along"],
  [
    /^src\/schema-form\/read\/(roles|parameter-keys|find-schema|score-listing)\.ts$/,
    "words of other services, to be recognised",
  ],
  [/^src\/api\/read-error\.ts$/, "the names that services give the parts of an error"],
  [/^src\/host\/attempts\/redis-scripts\.ts$/, "programs that Redis runs"],
  [
    /^src\/playground\/parameters\/proposal-instructions\.ts$/,
    "what a text model is told, in the keys of the JSON that it writes",
  ],
];
const isOwn = (path: string) => !ELSEWHERE.some(([pattern]) => pattern.test(path));

describe("the words of the interface", () => {
  it("hold nothing that the glossary has a better word for", () => {
    expect(PATHS.filter(isOwn).flatMap((path) => findWords(path, read(path), GLOSSARY))).toEqual([]);
  });

  it("are looked for in many phrases, and the places of other words still exist", () => {
    expect(GLOSSARY.length).toBeGreaterThan(100);
    expect(ELSEWHERE.filter(([pattern]) => !PATHS.some((path) => pattern.test(path)))).toEqual([]);
  });
});

/** What denies a charge, promises a refund, or leaves either open. */
const CLAIMS = [
  {
    text: "charg",
    pattern:
      /(nothing|not|never|most likely) (\w+ )?(was )?charge[ds]?\b|charged? nothing|\b(may|might) (still )?(be|have)( been)? charged|\bbe charged twice|\bcharged (…|\$)/i,
  },
  { text: "refund", pattern: /refunded (…|\$|in full)|\b(is|was|are|were|be) refunded|refund (un|not )known/i },
].map((claim) => ({ ...claim, isAlone: false, better: "src/api/charge-words.ts" }));
const SPEAK_OF_CHARGES: readonly [string, string][] = [
  ["src/api/charge-words.ts", "of a request, a run, a job, an answer"],
  ["src/spend/ledger-words.ts", "of a line of the ledger, by its evidence"],
  ["src/sandbox/", "what a service does"],
];

describe("what is said of a charge", () => {
  const found = (paths: readonly string[]) => paths.flatMap((path) => findWords(path, read(path), CLAIMS));

  it("stands in one place, so that no screen says more than is known", () => {
    const isSpeaker = (path: string) => SPEAK_OF_CHARGES.some(([speaker]) => path.startsWith(speaker));
    expect(found(PATHS.filter((path) => isOwn(path) && !isSpeaker(path)))).toEqual([]);
    for (const [speaker] of SPEAK_OF_CHARGES)
      expect(found(PATHS.filter((path) => path.startsWith(speaker)))).not.toEqual([]);
  });

  it.each([
    '"Nothing was charged."',
    '"The service charged nothing."',
    '"Refused, not charged"',
    '"Most likely nothing was charged."',
    "`Refunded $" + "{price}`",
    "<p>It costs $" + "{2}. Charged {price}.</p>",
    '"Its charge was refunded in full."',
    '"Charged once, refund not known"',
    '"You may still be charged."',
    '"If you send this again, it may be charged twice."',
  ])("is found in %s", (text) => {
    expect(findWords("a.tsx", `const a = ${text};`, CLAIMS)).not.toEqual([]);
  });

  it.each([
    '"Total charged"',
    '"Charged by day"',
    '"Refunded"',
    '"Jobs, files and charges at the service"',
    "`$" + "{a} charged`",
  ])("is not %s", (text) => {
    expect(findWords("a.tsx", `const a = ${text};`, CLAIMS)).toEqual([]);
  });
});

describe("the reader of words", () => {
  const glossary = readGlossary(
    '## One word for one thing\n| word | what | not |\n|---|---|---|\n| **Batch** | several | Line up / Wire (alone) / "dear" / plain |\n## Phrases\n| found | better |\n|---|---|\n| studio\'s host | the studio’s server |\n',
  );
  const wrongs = (text: string) => findWords("a.tsx", text, glossary);

  it.each([
    [
      "a text over two lines",
      "const a = (\n  <p>\n    Line\n    up several\n  </p>\n);",
      ["a.tsx:2: “Line up several” has “Line up”. Better: Batch"],
    ],
    [
      "a string in an attribute",
      'const a = <Button label="To line up" />;',
      ["a.tsx:1: “To line up” has “Line up”. Better: Batch"],
    ],
    [
      "a template",
      "const a = `This studio’s host has $" + "{b}`;",
      ["a.tsx:1: “This studio’s host has …” has “studio's host”. Better: the studio’s server"],
    ],
    ["a whole text", 'const a = "Wire";', ["a.tsx:1: “Wire” has “Wire”. Better: Batch"]],
    ["a quoted word", 'const a = "A dear run";', ["a.tsx:1: “A dear run” has “dear”. Better: Batch"]],
  ])("finds %s, with its line and the better word", (_name, text, expected) => {
    expect(wrongs(text)).toEqual(expected);
  });

  it.each([
    ["a comment", "// Line up\nconst a = 1;"],
    ["a name", "const lineUp = { wire: 1 };"],
    ["a type", 'type A = "Line up";'],
    ["an import", 'import { a } from "./Line up.ts";'],
    ["a part of a word", 'const a = "Outline upper, dearly";'],
    ["more than the whole text", 'const a = "Wire transfer";'],
    ["a plain word of the column", 'const a = "A plain word";'],
  ])("leaves %s alone", (_name, text) => {
    expect(wrongs(text)).toEqual([]);
  });
});
