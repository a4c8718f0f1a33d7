// npm run test:long: what takes too long for npm test. `npm run test:long -- crashes floods` runs parts of it. No part is
// the only protection of money, of the key or of a file: npm test has a sample of each.
import { parseArgs } from "node:util";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { inWords } from "./progress.mjs";
import { runCommand, runStories, runUnit } from "./suites.mjs";

/** @typedef {import("./suites.mjs").Outcome} Outcome */

const LONG = { LONG_SUITE: "1" };
/** Folders of tests with a part of their own; all others are the part "rest". */
const FOLDERS = {
  quirks: ["test/quirks/", "test/api/quirk"],
  commands: ["test/app/"],
  floods: ["test/host/floods/"],
  crashes: ["test/host/crash/"],
  faults: ["test/faults/", "test/simulation/"],
  forms: ["test/schema-form/"],
  batch: ["test/batch/"],
};

/** @type {Record<string, { protects: string, run: () => Promise<Outcome> }>} */
const PARTS = {
  quirks: {
    protects: "every way in which real servers differ, and many at once, played through the page",
    run: () => unit(FOLDERS.quirks),
  },
  commands: {
    protects: "each act on each screen has its entry in the palette and in the list of keys, on a desk and on a phone",
    run: () => unit(FOLDERS.commands),
  },
  floods: {
    protects: "the host answers, and its memory stays flat, under thousands of requests and gigabytes",
    run: () => unit(FOLDERS.floods),
  },
  crashes: {
    protects: "a host that is killed 50 times, on LevelDB and on Redis, charges nothing twice and denies nothing",
    run: () => unit(FOLDERS.crashes),
  },
  simulation: {
    protects: "20,000 schedules of submits through faults, and each rule of them: its mutation is found",
    run: async () => {
      const [schedules, mutations] = [await simulate(), await simulate("--mutations")];
      return { ...schedules, failures: [...schedules.failures, ...mutations.failures] };
    },
  },
  faults: {
    protects: "pairs of faults at once, in virtual time, and more kills and schedules",
    run: () => unit(FOLDERS.faults),
  },
  forms: {
    protects: "hostile and huge schemas, and thousands of payloads that travel through a form unchanged",
    run: () => unit(FOLDERS.forms),
  },
  batch: {
    protects: "batches of 500 and 2,000 runs",
    run: () => unit(FOLDERS.batch),
  },
  rest: {
    protects: "ten times as many cases of every other property",
    run: () => unit(["test/"], Object.values(FOLDERS).flat()),
  },
  money: {
    protects: "each run is charged once over HTTP/2, without a host, on two hosts, and in a batch of 500 runs",
    run: () => stories("@long-money"),
  },
  key: {
    protects:
      "the key where npm test has a sample: six more doors of hostile texts, a sealed key on the disk, a build for one service",
    run: () => stories("@long-key"),
  },
  accessibility: {
    protects: "axe, keyboard, screen reader, zoom and touch in every state, theme and width",
    run: () => stories("@long-accessibility"),
  },
  stories: {
    protects:
      "the other stories, and those of npm test with 200 submits, 50 kills, the heap searched and axe at every look",
    run: () => stories("@long-money|@long-key|@long-accessibility", {}, "--grep-invert"),
  },
  engines: {
    protects: "the main stories in Firefox and WebKit, where they are installed",
    run: () => runCommand("engines", [".scripts/engines.mjs"]),
  },
  benches: {
    protects: "each bench runs to its end: one round of each",
    run: () => runCommand("benches", [".scripts/bench.mjs", "all", "--rounds", "1"]),
  },
};

// `--of "money key" engines money`: of what was asked for, or of all, what is one job's own (.github/workflows/long.yml).
const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { of: { type: "string" } } });
const own = values.of?.split(/\s+/) ?? Object.keys(PARTS);
const unknown = [...asked, ...own].filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(2);
}

await ensureInstalled();
await ensureBuilt();
/** @type {{ name: string, seconds: number, outcome: Outcome }[]} */
const rows = [];
for (const [name, { protects, run }] of Object.entries(PARTS)) {
  if (!own.includes(name) || (asked.length > 0 && !asked.includes(name))) continue;
  console.log(`\n── ${name}: ${protects}`);
  const startedAt = performance.now();
  const outcome = await run();
  rows.push({ name, seconds: (performance.now() - startedAt) / 1000, outcome });
}

console.log(
  `\n${"part".padEnd(15)}${"time".padEnd(14)}${"passed".padStart(8)}${"failed".padStart(8)}${"skipped".padStart(9)}`,
);
for (const { name, seconds, outcome } of rows) {
  const counts = [outcome.passed || "–", outcome.failures.length, outcome.skipped].map(String);
  console.log(
    `${name.padEnd(15)}${inWords(seconds).padEnd(14)}${counts[0]?.padStart(8)}${counts[1]?.padStart(8)}${counts[2]?.padStart(9)}`,
  );
}
const failures = rows.flatMap(({ name, outcome }) => outcome.failures.map((failure) => `${name}: ${failure}`));
for (const failure of failures) console.log(`✘ ${failure}`);
const passed = rows.reduce((sum, { outcome }) => sum + outcome.passed, 0);
console.log(`${rows.length} parts: ${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);

/**
 * @param {string[]} folders
 * @param {string[]} [without]
 */
function unit(folders, without = []) {
  // By the environment, since projects do not hear of `--exclude`.
  return runUnit(folders, { ...LONG, LONG_WITHOUT: without.join(",") });
}

/**
 * @param {string} pattern of tags
 * @param {NodeJS.ProcessEnv} [env]
 */
function stories(pattern, env = {}, how = "--grep") {
  return runStories([how, pattern], { ...LONG, ...env });
}

/** @param {string[]} simulateArguments */
function simulate(...simulateArguments) {
  return runCommand(`simulate ${simulateArguments.join(" ")}`, [".scripts/simulate.mjs", ...simulateArguments]);
}
